"""The rule of CLIMATE-FEVER: any support and any refutation make a claim disputed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from claimscope.labels import Label
from claimscope.stages.decide.rule import Decision, EvidenceRule
from claimscope.stages.decide.tally import Tally


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
