"""Candidates of training are ranked by vectors just as the stage of the pipeline ranks them."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.datasets.record import LabelledClaim
from claimscope.stages.rerank.vectors import VectorReranker
from claimscope.types import Candidate, Case, Score
from tests.tiny_models import REASON
from tests.unit.train.small_data import small_folder

pytest.importorskip("torch", reason=REASON)

from recipe.pools import ClaimPool, VectorRanking, open_pool


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_folder(tmp_path_factory.mktemp("small"))


def by_stage(pool: ClaimPool, claim: LabelledClaim, weight: float) -> dict[str, float]:
    """Run the stage over what BM25 found, and give the scores beside the best."""
    found = pool.ranked[claim.claim.id]
    candidates = tuple(
        Candidate(pool.documents[name], scores={"retrieve.bm25": Score(score)})
        for name, score in found.items()
    )
    [case] = VectorReranker(weight=weight, k=3).run([Case(claim.claim, candidates)])
    scores = {item.document.id: item.score.raw for item in case.candidates if item.score}
    best = max(scores.values(), default=1.0)
    return {name: score / best for name, score in scores.items()}


@pytest.mark.parametrize("weight", [0.0, 1.0, 3.0])
def test_a_pool_ranks_as_the_stage_does(folder: Path, weight: float) -> None:
    plain = open_pool(str(folder), 6)
    ranked = open_pool(str(folder), 3, vectors=VectorRanking(found=6, weight=weight))
    assert ranked.claims
    for claim in ranked.claims:
        expected = by_stage(plain, claim, weight)
        found = ranked.ranked[claim.claim.id]
        assert list(found) == list(expected)
        assert found == pytest.approx(expected, abs=1e-6)


def test_what_scores_far_below_the_best_is_left_out(folder: Path) -> None:
    whole = open_pool(str(folder), 6, vectors=VectorRanking(found=6))
    cut = open_pool(str(folder), 6, vectors=VectorRanking(found=6, share=0.7))
    shares = [share for found in cut.ranked.values() for share in found.values()]
    assert min(shares) >= 0.7
    for claim, found in whole.ranked.items():
        assert cut.ranked[claim] == {name: share for name, share in found.items() if share >= 0.7}
    assert len(shares) < sum(map(len, whole.ranked.values()))
