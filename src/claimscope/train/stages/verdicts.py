"""Examples of the climate system's classifier: a claim beside its passages, with its label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from claimscope.datasets.record import LabelledClaim
from claimscope.errors import UnknownNameError
from claimscope.models.loader import Models
from claimscope.stages.decide.classifier import ClaimClassifier
from claimscope.stages.rerank.pair_reranker import RelevanceReranker
from claimscope.train.claims import Claims, Search, judged_of
from claimscope.train.stages.examples import Example, Work
from claimscope.types import Candidate, Case

PASSAGES = ("gold", "retrieved")
_CLAIMS = 64
"""Claims whose passages are scored together."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Joins the passages of a claim and takes the claim's own label (section 2.2.4).

    The authors' code learns from passages as they are found: the first k of the search, and the
    cross-encoder's best if it is not among them. The cross-encoder reads `pool` passages of the
    search and the gold ones that the search misses. "gold" is the row "Ground Truth Evidence" of
    the paper's table 3.
    """

    passages: str = "gold"
    separator: str = " "
    """What stands between passages, as in the stage decide.classifier."""
    search: Search = field(default_factory=lambda: Search(4, "lucene", 0.5, 0.85, "stem-stop"))
    reranker: str = ""
    """Name or folder of the cross-encoder; without it the search alone finds passages."""
    pool: int = 10

    def __post_init__(self) -> None:
        if self.passages not in PASSAGES:
            raise UnknownNameError("source of passages", self.passages, PASSAGES)

    def build(self, data: Claims, work: Work) -> list[Example]:
        """Make one example a claim; a claim without passage or label gives none."""
        names = self._names(data, work)
        joins = ClaimClassifier("", self.separator)
        return [
            Example(each.claim.id, each.claim.text, joins.evidence(found), each.verdict)
            for each in data.claims
            if each.verdict is not None
            and (found := [data.documents[name] for name in names[each.claim.id]])
        ]

    def _names(self, data: Claims, work: Work) -> dict[str, list[str]]:
        """Name each claim's passages."""
        if self.passages == "gold":
            return {each.claim.id: judged_of(each, data) for each in data.claims}
        deep = replace(self.search, k=max(self.search.k, self.pool)).found(data)
        found = {claim: names[: self.search.k] for claim, names in deep.items()}
        if not self.reranker:
            return found
        best = self._best(data, {claim: names[: self.pool] for claim, names in deep.items()}, work)
        return {
            claim: list(dict.fromkeys((*names, *best[claim]))) for claim, names in found.items()
        }

    def _best(
        self, data: Claims, found: dict[str, list[str]], work: Work
    ) -> dict[str, Sequence[str]]:
        """Name the passage of each claim that the cross-encoder prefers."""
        stage = RelevanceReranker(self.reranker, content="abstract", k=1, models=Models())
        best: dict[str, Sequence[str]] = {}
        for start in range(0, len(data.claims), _CLAIMS):
            some = data.claims[start : start + _CLAIMS]
            for case in stage.run([_case(each, data, found[each.claim.id]) for each in some]):
                best[case.claim.id] = [item.document.id for item in case.candidates]
            work.progress(len(best), len(data.claims))
        return best


def _case(claim: LabelledClaim, data: Claims, found: list[str]) -> Case:
    names = dict.fromkeys((*found, *judged_of(claim, data)))
    return Case(claim.claim, tuple(Candidate(data.documents[name]) for name in names))
