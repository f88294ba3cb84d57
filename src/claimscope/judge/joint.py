"""The joint judge: one model reads the whole abstract, labels it and chooses the sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from claimscope.errors import ConfigurationError
from claimscope.judge.oracle import certain
from claimscope.labels import Label
from claimscope.models.joint import Abstract, Verified
from claimscope.models.loader import Models
from claimscope.pipeline.stage import Composable, Kind, Part, map_candidates
from claimscope.select.relevance import chosen
from claimscope.types import Candidate, Case, Claim, RationaleSentence


@dataclass(frozen=True)
class JointJudge(Composable):
    """Labels each abstract and takes the sentences whose probability reaches the threshold.

    `force_rationale` gives an abstract that decides the claim its best sentence if none passes, an
    option of MultiVerS's published code. A document without an abstract is NOT_ENOUGH_INFO.
    """

    model: str
    threshold: float = 0.5
    force_rationale: bool = False
    models: Models = field(default_factory=Models, repr=False, compare=False)

    kind: ClassVar[Kind] = Kind.JUDGE
    name: ClassVar[str] = "joint"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.RATIONALE, Part.LABELS})

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise ConfigurationError(
                "Parameter 'threshold' of stage judge.joint must lie between 0 and 1, "
                f"not {self.threshold:g}."
            )

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Verify the candidates of all cases together."""
        abstracts = [
            Abstract(case.claim.text, item.document.title, item.document.sentences)
            for case in cases
            for item in case.candidates
            if item.document.has_abstract
        ]
        results = iter(self.models.verifier(self.model).verify(abstracts) if abstracts else ())

        def judge(_: Claim, item: Candidate) -> Candidate:
            if not item.document.has_abstract:
                return replace(item, labels=certain(Label.NOT_ENOUGH_INFO), rationale=())
            return self._judged(item, next(results))

        return map_candidates(cases, judge)

    def _judged(self, candidate: Candidate, result: Verified) -> Candidate:
        sentences = [RationaleSentence(*item) for item in enumerate(result.sentences)]
        rationale = chosen(sentences, self.threshold)
        decides = result.labels.label is not Label.NOT_ENOUGH_INFO
        if self.force_rationale and decides and not rationale:
            rationale = chosen(sentences, 0.0, n=1)
        return replace(candidate, labels=result.labels, rationale=rationale)
