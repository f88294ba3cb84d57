"""Rules that weigh the evidence of all abstracts: any evidence, strongest, weighted vote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.stages.decide.evidence_rule import Decision, Evidence, EvidenceRule, Tally


@dataclass(frozen=True)
class AnyEvidence(EvidenceRule):
    """Decides by which sides have at least one abstract (Diggelmann et al., 2020).

    A side's confidence is its best abstract's probability; a dispute is as sure as its weaker side.
    """

    name: ClassVar[str] = "any-evidence"

    def decide(self, count: Tally) -> Decision:
        """Look which sides are heard."""
        sides = [side[0].probability for side in (count.supporting, count.refuting) if side]
        if len(sides) == 2:
            return Decision(
                Label.DISPUTED,
                min(sides),
                f"at least one abstract supports the claim and at least one refutes it{self.sure}",
                "Losing every abstract of one side would settle it for the other.",
            )
        if count.supporting:
            return Decision(
                Label.SUPPORTS,
                sides[0],
                f"at least one abstract supports the claim and none refutes it{self.sure}",
                "One abstract that refutes it would make it DISPUTED.",
            )
        return Decision(
            Label.REFUTES,
            sides[0],
            f"at least one abstract refutes the claim and none supports it{self.sure}",
            "One abstract that supports it would make it DISPUTED.",
        )


@dataclass(frozen=True)
class Strongest(EvidenceRule):
    """Takes the label of the abstract with the highest probability; it never says DISPUTED.

    VerT5erini's rule for whole claims (Pradeep et al., 2021) is of this kind.
    """

    name: ClassVar[str] = "strongest"

    def decide(self, count: Tally) -> Decision:
        """Let the most certain abstract speak; a tie goes by document id."""
        best = min(
            (*count.supporting, *count.refuting),
            key=lambda piece: (-piece.probability, piece.document_id),
        )
        return Decision(
            best.label,
            best.probability,
            f"the most certain abstract, {best.document_id}, says so with probability "
            f"{best.probability:.2f}",
            f"An abstract of the other side above {best.probability:.2f} would turn it.",
        )


@dataclass(frozen=True)
class WeightedVote(EvidenceRule):
    """Decides for a side that holds the majority's share of the weight, and else says DISPUTED.

    The confidence in a side is its share times its best abstract's probability, so that a doubtful
    abstract is no certainty when it is alone; a dispute is as sure as its weaker side's best one.
    """

    majority: float = 0.75

    name: ClassVar[str] = "weighted-vote"

    def __post_init__(self) -> None:
        if not 0.5 < self.majority < 1:
            raise ConfigurationError(
                "Parameter 'majority' of stage decide.weighted-vote must lie between 0.5 and 1, "
                f"not {self.majority:g}."
            )

    def decide(self, count: Tally) -> Decision:
        """Weigh both sides."""
        support, refute = _weight(count.supporting), _weight(count.refuting)
        larger, smaller = max(support, refute), min(support, refute)
        share = larger / (larger + smaller)
        won = share >= self.majority
        leading = Label.SUPPORTS if support >= refute else Label.REFUTES
        return Decision(
            leading if won else Label.DISPUTED,
            share * _best(leading, count) if won else min(map(_surest, _sides(count))),
            f"the weight is {support:.2f} for and {refute:.2f} against, and a side wins with "
            f"{self.majority:.0%} of it",
            self._would_change(larger, smaller, won),
        )

    def _would_change(self, larger: float, smaller: float, won: bool) -> str:
        odds = self.majority / (1 - self.majority)
        if won:
            needed = larger / odds - smaller
            return f"More than {needed:.2f} more weight on the other side would make it DISPUTED."
        return f"The stronger side needs {odds * smaller - larger:.2f} more weight to win."


def _sides(count: Tally) -> tuple[Sequence[Evidence], Sequence[Evidence]]:
    return count.supporting, count.refuting


def _best(leading: Label, count: Tally) -> float:
    supporting, refuting = _sides(count)
    return _surest(supporting if leading is Label.SUPPORTS else refuting)


def _surest(pieces: Sequence[Evidence]) -> float:
    return max((piece.probability for piece in pieces), default=0.0)


def _weight(pieces: Sequence[Evidence]) -> float:
    return sum(piece.probability for piece in pieces)
