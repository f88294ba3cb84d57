"""The base of rules that weigh evidence: it counts evidence and words the decision."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope._wording import by_number
from claimscope.labels import Label
from claimscope.pipeline.stage import Composable, Kind, Part
from claimscope.types import Candidate, Case, Rule, StudyGroup, Verdict


@dataclass(frozen=True, slots=True)
class Evidence:
    """One abstract that says something about the claim, and how surely."""

    document_id: str
    label: Label
    probability: float
    weight: float = 1.0
    """What its vote weighs beside others, before its probability."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The evidence that counts, strongest first, and what was set aside."""

    supporting: tuple[Evidence, ...]
    refuting: tuple[Evidence, ...]
    silent: int
    """Abstracts judged to say too little."""
    retracted: tuple[str, ...]
    """Retracted papers that would have counted."""
    groups: tuple[StudyGroup, ...] = ()
    """Papers of one study; only the first of each counts."""

    @property
    def counts(self) -> str:
        """The counts in words."""
        words = (
            f"{len(self.supporting)} supporting, {len(self.refuting)} refuting, "
            f"{self.silent} without enough information"
        )
        if self.retracted:
            words += f", {len(self.retracted)} retracted and set aside"
        repeats = sum(len(group.papers) - 1 for group in self.groups)
        if repeats:
            words += f", {by_number(repeats, 'report', 'reports')} of a study that has its vote"
        return words


def tally(case: Case, threshold: float, count_retracted: bool) -> Tally:
    """Sort the judged candidates; one counts if its label's probability reaches the threshold."""
    pieces = [piece for item in case.candidates if (piece := _evidence(item, threshold))]
    retracted = {item.document.id for item in case.candidates if item.document.meta.retracted}
    counted = [piece for piece in pieces if count_retracted or piece.document_id not in retracted]
    counted.sort(key=lambda piece: (-piece.probability, piece.document_id))
    return Tally(
        supporting=_with_label(counted, Label.SUPPORTS),
        refuting=_with_label(counted, Label.REFUTES),
        silent=len(case.candidates) - len(pieces),
        retracted=tuple(
            piece.document_id
            for piece in pieces
            if piece.document_id in retracted and not count_retracted
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


def _with_label(pieces: Sequence[Evidence], label: Label) -> tuple[Evidence, ...]:
    return tuple(piece for piece in pieces if piece.label is label)


def names(pieces: Sequence[Evidence]) -> tuple[str, ...]:
    """Give the ids of the documents of some evidence."""
    return tuple(piece.document_id for piece in pieces)


@dataclass(frozen=True)
class Decision:
    """What a rule says about a tally, and why."""

    label: Label
    confidence: float | None
    reason: str
    would_change: str
    leaning: bool = False
    """Whether the evidence is too weak for more than a leaning."""


@dataclass(frozen=True)
class EvidenceRule(Composable, ABC):
    """Decides over the abstracts whose label is certain enough; retracted papers do not count."""

    threshold: float = 0.5
    count_retracted: bool = False
    per_study: bool = False
    """Let papers that report one study vote once."""

    kind: ClassVar[Kind] = Kind.DECIDE
    name: ClassVar[str]
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES, Part.LABELS})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.VERDICT})

    @property
    def sure(self) -> str:
        """How sure an abstract must be to count, to end a sentence with; "" if any is."""
        return f" with probability {self.threshold:g} or more" if self.threshold > 0 else ""

    @abstractmethod
    def decide(self, count: Tally) -> Decision:
        """Decide; at least one abstract counts."""

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Give every case its verdict."""
        return [replace(case, verdict=self._verdict(case)) for case in cases]

    def count(self, case: Case) -> Tally:
        """Count what votes."""
        # Imported here because the module of study votes builds on this one.
        from claimscope.stages.decide.study_votes import one_vote_each

        count = tally(case, self.threshold, self.count_retracted)
        return one_vote_each(case, count) if self.per_study else count

    def _verdict(self, case: Case) -> Verdict:
        count = self.count(case)
        heard = count.supporting or count.refuting
        decision = self.decide(count) if heard else self._nothing_heard()
        return Verdict(
            label=decision.label,
            confidence=decision.confidence,
            supporting=names(count.supporting),
            refuting=names(count.refuting),
            rule=Rule(
                self.name,
                f"{decision.label.verdict}: {decision.reason} ({count.counts}).",
                decision.would_change,
            ),
            leaning=decision.leaning,
            groups=count.groups,
        )

    def _nothing_heard(self) -> Decision:
        return Decision(
            Label.NOT_ENOUGH_INFO,
            None,
            f"no abstract supports or refutes the claim{self.sure}",
            "One abstract that supports or refutes it would decide it.",
        )
