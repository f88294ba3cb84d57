"""The climate system's last stage: one model reads a claim with its passages and labels it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from claimscope.labels import Label
from claimscope.models.loader import Models
from claimscope.models.scorer import Pair, label_order, probabilities
from claimscope.pipeline.stage import Composable, Kind, Part
from claimscope.types import Case, Document, Rule, Verdict

FOUR = frozenset(Label)


@dataclass(frozen=True)
class ClaimClassifier(Composable):
    """Takes the likeliest of the four labels of a claim beside its passages (section 2.2.4).

    No passage is labelled on its own, so the verdict names none; without any passage it is
    NOT_ENOUGH_INFO.
    """

    model: str
    separator: str = " "
    """What stands between passages; "<SEP>" is one token of networks trained from scratch."""
    models: Models = field(default_factory=Models, repr=False, compare=False)

    kind: ClassVar[Kind] = Kind.DECIDE
    name: ClassVar[str] = "classifier"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.VERDICT})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Label all claims together."""
        pairs = [self._pair(case) for case in cases if case.candidates]
        decided = iter(self._labels(pairs) if pairs else ())
        return [
            replace(case, verdict=_verdict(case, *next(decided)) if case.candidates else _empty())
            for case in cases
        ]

    def _pair(self, case: Case) -> Pair:
        return Pair(case.claim.text, self.evidence([item.document for item in case.candidates]))

    def evidence(self, passages: Sequence[Document]) -> str:
        """Join the passages."""
        return self.separator.join(each.abstract or each.title for each in passages)

    def _labels(self, pairs: Sequence[Pair]) -> list[tuple[Label, float]]:
        scorer = self.models.scorer(self.model)
        order = label_order(scorer.labels, FOUR)
        rows = probabilities(scorer.logits(pairs)).tolist()
        return [(order[row.index(max(row))], max(row)) for row in rows]


def _verdict(case: Case, label: Label, probability: float) -> Verdict:
    count = len(case.candidates)
    statement = (
        f"{label.verdict}: the likeliest of four labels, with probability {probability:.2f}, for "
        f"the claim read with {count} passage{'s' if count > 1 else ''}."
    )
    return Verdict(
        label,
        probability,
        (),
        (),
        Rule(
            "classifier", statement, "Other passages could change it; no passage is weighed alone."
        ),
    )


def _empty() -> Verdict:
    return Verdict(
        Label.NOT_ENOUGH_INFO,
        None,
        (),
        (),
        Rule(
            "classifier",
            "NOT_ENOUGH_INFO: no passage was found for the claim.",
            "A passage that shares words with the claim would be read with it.",
        ),
    )
