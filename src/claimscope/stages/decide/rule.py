"""What the rules that weigh evidence have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope.labels import Label
from claimscope.pipeline.stage import Composable, Kind, Part
from claimscope.stages.decide.tally import Tally, names, tally
from claimscope.types import Case, Rule, Verdict


@dataclass(frozen=True)
class Decision:
    """What a rule says about a tally, and why."""

    label: Label
    confidence: float | None
    reason: str
    would_change: str


@dataclass(frozen=True)
class EvidenceRule(Composable):
    """Counts abstracts whose label is sure enough, then decides; retracted papers are set aside."""

    threshold: float = 0.5
    count_retracted: bool = False

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
        """Decide when at least one abstract counts."""

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Give every case its verdict."""
        return [replace(case, verdict=self._verdict(case)) for case in cases]

    def _verdict(self, case: Case) -> Verdict:
        count = tally(case, self.threshold, self.count_retracted)
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
        )

    def _nothing_heard(self) -> Decision:
        return Decision(
            Label.NOT_ENOUGH_INFO,
            None,
            f"no abstract supports or refutes the claim{self.sure}",
            "One abstract that supports or refutes it would decide it.",
        )
