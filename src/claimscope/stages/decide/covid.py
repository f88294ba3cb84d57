"""VerT5erini's rule for COVID-19 Scientific, whose claims are either true or false."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from claimscope.labels import Label
from claimscope.stages.decide.evidence_rule import Decision, EvidenceRule, Tally


@dataclass(frozen=True)
class CovidTwoLabels(EvidenceRule):
    """Says SUPPORTED if any abstract supports the claim, and REFUTED otherwise.

    VerT5erini, section 2: too little information counts as refutation, the abstracts' maximum
    decides, and a claim without any evidence sentence is refuted. Made for that data set: an
    unanswered question is no refutation elsewhere.
    """

    threshold: float = 0.0

    name: ClassVar[str] = "covid-two-labels"

    def decide(self, count: Tally) -> Decision:
        """Look for support."""
        if count.supporting:
            best = count.supporting[0]
            return Decision(
                Label.SUPPORTS,
                best.probability,
                f"at least one abstract supports the claim, {best.document_id} most surely",
                "Losing every supporting abstract would make it REFUTED.",
            )
        return self._refuted("no abstract supports the claim", count.refuting[0].probability)

    def _nothing_heard(self) -> Decision:
        return self._refuted("no abstract says anything about it, which this rule counts so", None)

    def _refuted(self, reason: str, confidence: float | None) -> Decision:
        return Decision(
            Label.REFUTES, confidence, reason, "One supporting abstract would make it SUPPORTED."
        )
