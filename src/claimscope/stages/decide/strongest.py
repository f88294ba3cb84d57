"""The single most certain abstract decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from claimscope.stages.decide.rule import Decision, EvidenceRule
from claimscope.stages.decide.tally import Tally


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
            key=lambda each: (-each.probability, each.document_id),
        )
        return Decision(
            best.label,
            best.probability,
            f"the most certain abstract, {best.document_id}, says so with probability "
            f"{best.probability:.2f}",
            f"An abstract of the other side above {best.probability:.2f} would turn it.",
        )
