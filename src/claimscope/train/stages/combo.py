"""ComboScorer's scores as targets: +VeriRel's student learns what a verifier would say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType

from claimscope.datasets.record import LabelledClaim
from claimscope.errors import ConfigurationError
from claimscope.pipeline.registry import Resources, build
from claimscope.pipeline.stage import Kind, Stage
from claimscope.stages.rerank.combo import ComboScorer
from claimscope.stages.rerank.pair_reranker import RelevanceReranker
from claimscope.train.claims import Claims, Search, evidence_of
from claimscope.train.stages.examples import Example, Work
from claimscope.types import Candidate, Case, Score

SCORES = "teacher.jsonl"
_FIRST = "retrieve.bm25-memory"
_CLAIMS = 8
"""Claims scored together, and so lost at most when scoring is stopped."""


@dataclass(frozen=True, slots=True)
class Combo:
    """Scores each claim's documents by ComboScorer and keeps the best 20 with their scores.

    Gold evidence has the target 1, and what of it is not among the 20 is added (+VeriRel, section
    3.3). The teachers are a verifier, by any registered judge, and a relevance model; without one
    BM25's score, stretched to 0 to 1 for each claim, is the relevance. Alpha is that of
    `rerank.combo`; 0 gives the paper's "+VeriRel (baseline)", which needs no verifier.
    """

    verifier: str = ""
    """Name or folder of the verifier's model."""
    judge: str = "joint"
    """The judge stage that runs it."""
    relevance: str = ""
    """Name or folder of the relevance model."""
    alpha: float = 0.5
    scale: str = "doubled-sigmoid"
    k: int = 20
    content: str = "title-and-abstract"
    search: Search = field(default_factory=lambda: Search(500, analyser="letters-stop"))
    claims: int = 0
    """Only the first so many claims; 0 for all."""

    def __post_init__(self) -> None:
        if self.alpha > 0 and not self.verifier:
            raise ConfigurationError(
                "The student of a verifier needs one; name its folder in examples.verifier."
            )

    def build(self, data: Claims, work: Work) -> list[Example]:
        """Make the examples; the teachers' scores are kept, since they take long to compute."""
        chosen = data.claims[: self.claims or None]
        data = Claims(chosen, data.documents)
        scores = self._scores(data, work)
        return [
            Example(each.claim.id, each.claim.text, data.text(name, self.content), target)
            for each in chosen
            for name, target in targets(scores[each.claim.id], evidence_of(each, data)).items()
        ]

    def _scores(self, data: Claims, work: Work) -> dict[str, dict[str, float]]:
        """Score what has not been scored yet."""
        path = work.folder / SCORES
        settings = json.dumps(asdict(self), sort_keys=True)
        known = _kept(path, settings)
        missing = [each for each in data.claims if each.claim.id not in known]
        if not missing:
            return known
        ranked = self.search.ranked(Claims(missing, data.documents))
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            for start in range(0, len(missing), _CLAIMS):
                some = missing[start : start + _CLAIMS]
                for case in self._judged([_case(each, data, ranked) for each in some]):
                    found = {item.document.id: _raw(item) for item in case.candidates}
                    line = {"claim": case.claim.id, "scores": found, "settings": settings}
                    file.write(json.dumps(line) + "\n")
                    known[case.claim.id] = found
                file.flush()
                work.progress(len(known), len(data.claims))
        return known

    def _judged(self, cases: list[Case]) -> list[Case]:
        for stage in self._teachers():
            cases = stage.run(cases)
        return cases

    def _teachers(self) -> Iterator[Stage]:
        """Give the stages whose scores are mixed; a model is opened once and shared."""
        depth = self.search.k
        if self.relevance:
            yield RelevanceReranker(
                self.relevance, self.content, order="incoming", k=depth, models=_RESOURCES.models
            )
        if self.alpha > 0:
            yield build(Kind.JUDGE, self.judge, {"model": self.verifier}, _RESOURCES)
        scored_by = "rerank.relevance" if self.relevance else _FIRST
        scale = self.scale if self.relevance else "min-max"
        yield ComboScorer(self.alpha, scored_by, scale, self.k)


_RESOURCES = Resources()


def targets(scores: Mapping[str, float], gold: Sequence[str]) -> dict[str, float]:
    """Give each document its target: its score, but 1 for gold, which is added if it is missing."""
    clipped = {name: min(1.0, max(0.0, score)) for name, score in scores.items()}
    return {**clipped, **dict.fromkeys(gold, 1.0)}


def _case(
    claim: LabelledClaim, data: Claims, ranked: Mapping[str, Sequence[tuple[str, float]]]
) -> Case:
    return Case(
        claim.claim,
        tuple(
            Candidate(data.documents[name], MappingProxyType({_FIRST: Score(score)}))
            for name, score in ranked[claim.claim.id]
        ),
    )


def _raw(candidate: Candidate) -> float:
    score = candidate.score
    return score.raw if score else 0.0


def _kept(path: Path, settings: str) -> dict[str, dict[str, float]]:
    """Read the scores of an earlier run with the same teachers; a half-written line is dropped."""
    if not path.is_file():
        return {}
    text = path.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    lines = [json.loads(line) for line in whole.splitlines()]
    if any(line["settings"] != settings for line in lines):
        raise ConfigurationError(
            f"{path} was written by other teachers; delete it, or train in another folder."
        )
    return {line["claim"]: line["scores"] for line in lines}
