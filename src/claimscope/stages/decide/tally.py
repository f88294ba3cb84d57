"""Counts the evidence for and against a claim, the same way for every rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.labels import Label
from claimscope.types import Candidate, Case


@dataclass(frozen=True, slots=True)
class Evidence:
    """One abstract that says something about the claim, and how surely."""

    document_id: str
    label: Label
    probability: float


@dataclass(frozen=True, slots=True)
class Tally:
    """The evidence that counts, strongest first, and what was set aside."""

    supporting: tuple[Evidence, ...]
    refuting: tuple[Evidence, ...]
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
    found = [each for item in case.candidates if (each := _evidence(item, threshold))]
    retracted = {item.document.id for item in case.candidates if item.document.meta.retracted}
    counted = [each for each in found if count_retracted or each.document_id not in retracted]
    counted.sort(key=lambda each: (-each.probability, each.document_id))
    return Tally(
        supporting=_with_label(counted, Label.SUPPORTS),
        refuting=_with_label(counted, Label.REFUTES),
        silent=len(case.candidates) - len(found),
        retracted=tuple(
            each.document_id
            for each in found
            if each.document_id in retracted and not count_retracted
        ),
    )


def _evidence(candidate: Candidate, threshold: float) -> Evidence | None:
    if candidate.labels is None:
        return None
    label = candidate.labels.label
    probability = candidate.labels.of(label)
    if label is Label.NOT_ENOUGH_INFO or probability < threshold:
        return None
    return Evidence(candidate.document.id, label, probability)


def _with_label(evidence: Sequence[Evidence], label: Label) -> tuple[Evidence, ...]:
    return tuple(each for each in evidence if each.label is label)


def names(evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Give the ids of the documents that the evidence lies in."""
    return tuple(each.document_id for each in evidence)
