"""Counts the evidence for and against a claim, the same way for every rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.labels import Label
from claimscope.types import Candidate, Case


@dataclass(frozen=True, slots=True)
class Voice:
    """One abstract that says something about the claim, and how surely."""

    document_id: str
    label: Label
    probability: float


@dataclass(frozen=True, slots=True)
class Tally:
    """The voices that count, strongest first, and the ones that were set aside."""

    supporting: tuple[Voice, ...]
    refuting: tuple[Voice, ...]
    silent: int
    """Abstracts judged to say too little."""
    retracted: tuple[str, ...]
    """Retracted papers that would have counted."""

    @property
    def counts(self) -> str:
        """The counts in words."""
        words = (
            f"{len(self.supporting)} supporting, {len(self.refuting)} refuting, "
            f"{self.silent} without enough information"
        )
        if self.retracted:
            words += f", {len(self.retracted)} retracted and set aside"
        return words


def tally(case: Case, threshold: float, count_retracted: bool) -> Tally:
    """Sort the judged candidates; one counts if its label's probability reaches the threshold."""
    voices = [voice for item in case.candidates if (voice := _voice(item, threshold))]
    retracted = {item.document.id for item in case.candidates if item.document.meta.retracted}
    counted = [voice for voice in voices if count_retracted or voice.document_id not in retracted]
    counted.sort(key=lambda voice: (-voice.probability, voice.document_id))
    return Tally(
        supporting=_with_label(counted, Label.SUPPORTS),
        refuting=_with_label(counted, Label.REFUTES),
        silent=len(case.candidates) - len(voices),
        retracted=tuple(
            voice.document_id
            for voice in voices
            if voice.document_id in retracted and not count_retracted
        ),
    )


def _voice(candidate: Candidate, threshold: float) -> Voice | None:
    if candidate.labels is None:
        return None
    label = candidate.labels.label
    probability = candidate.labels.of(label)
    if label is Label.NOT_ENOUGH_INFO or probability < threshold:
        return None
    return Voice(candidate.document.id, label, probability)


def _with_label(voices: Sequence[Voice], label: Label) -> tuple[Voice, ...]:
    return tuple(voice for voice in voices if voice.label is label)


def names(voices: Sequence[Voice]) -> tuple[str, ...]:
    """Give the ids of the documents behind some voices."""
    return tuple(voice.document_id for voice in voices)
