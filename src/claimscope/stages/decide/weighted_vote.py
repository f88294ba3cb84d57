"""A vote in which each abstract weighs as much as its probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.stages.decide.rule import Decision, EvidenceRule
from claimscope.stages.decide.tally import Evidence, Tally


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


def _surest(evidence: Sequence[Evidence]) -> float:
    return max((each.probability for each in evidence), default=0.0)


def _weight(evidence: Sequence[Evidence]) -> float:
    return sum(each.probability for each in evidence)
