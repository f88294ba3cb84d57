from __future__ import annotations

import pytest
from hypothesis import given

from claimscope.measures import evaluate, parse_measure
from claimscope.measures.measure import RankingData

from .strategies import DOCUMENTS, ranking_data

_NAMES = ["R@3", "P@3", "macro-R@3", "macro-P@3", "nDCG@3", "nDCG", "RR", "RR@2", "hit-one@3"]
_NAMES += ["hit-all@3", "evidence-hit-one@3", "evidence-hit-all@3"]
_NAMES += ["retrieval P", "retrieval R", "retrieval F1"]


def _of(name: str, data: RankingData) -> float:
    return evaluate(parse_measure(name), data)


def _run(**ids: str) -> dict[str, tuple[tuple[str, float], ...]]:
    return {
        claim: tuple((name, -float(rank)) for rank, name in enumerate(names.split()))
        for claim, names in ids.items()
    }


_QRELS = {"one": {"a": 1, "b": 1}, "two": {"c": 1}, "none": {}}
_DATA = RankingData(_QRELS, _run(one="x a y b", two="x y z c", none="a b c d"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("R@2", 1 / 3),
        ("R@4", 1),
        ("macro-R@2", 1 / 4),
        ("P@2", 1 / 6),
        ("macro-P@2", 1 / 4),
        ("RR", (1 / 2 + 1 / 4) / 2),
        ("RR@3", 1 / 4),
        ("hit-one@2", 2 / 3),
        ("evidence-hit-one@2", 1 / 2),
        ("hit-all@2", 1 / 3),
        ("hit-all@4", 1),
        ("evidence-hit-all@2", 0),
        ("retrieval P", 3 / 12),
        ("retrieval R", 1),
        ("retrieval@2 R", 1 / 3),
    ],
)
def test_by_hand(name: str, expected: float) -> None:
    assert _of(name, _DATA) == pytest.approx(expected)


def test_a_claim_without_evidence_is_a_hit_even_with_an_empty_run() -> None:
    empty = RankingData(_QRELS, {})
    assert _of("hit-one@3", empty) == pytest.approx(1 / 3)
    assert _of("hit-all@3", empty) == pytest.approx(1 / 3)
    assert _of("evidence-hit-one@3", empty) == 0


def test_a_better_grade_first_gains_more() -> None:
    qrels = {"c": {"good": 2, "fair": 1}}
    assert _of("nDCG@2", RankingData(qrels, _run(c="good fair"))) == pytest.approx(1)
    assert _of("nDCG@2", RankingData(qrels, _run(c="fair good"))) < 1


@given(ranking_data)
def test_all_values_lie_between_0_and_1(data: RankingData) -> None:
    assert all(0 <= _of(name, data) <= 1 for name in _NAMES)


@given(ranking_data)
def test_the_order_of_claims_does_not_matter(data: RankingData) -> None:
    turned = RankingData(dict(reversed(data.qrels.items())), dict(reversed(data.run.items())))
    for name in _NAMES:
        assert _of(name, turned) == pytest.approx(_of(name, data))


@given(ranking_data)
def test_recall_and_hits_grow_with_k(data: RankingData) -> None:
    for base in ("R", "macro-R", "hit-one", "hit-all", "evidence-hit-one", "evidence-hit-all"):
        values = [_of(f"{base}@{k}", data) for k in range(1, 10)]
        assert values == sorted(values)


@given(ranking_data)
def test_a_document_listed_again_changes_nothing(data: RankingData) -> None:
    doubled = {claim: (*ranking, *ranking[:3]) for claim, ranking in data.run.items()}
    for name in _NAMES:
        assert _of(name, RankingData(data.qrels, doubled)) == _of(name, data)


@given(ranking_data)
def test_claims_nobody_judged_change_nothing(data: RankingData) -> None:
    more = {**data.run, "never judged": ((DOCUMENTS[0], 1.0),)}
    for name in _NAMES:
        assert _of(name, RankingData(data.qrels, more)) == _of(name, data)


@given(ranking_data)
def test_a_perfect_ranking_scores_1(data: RankingData) -> None:
    perfect = {
        claim: tuple(sorted(((d, float(g)) for d, g in gold.items() if g), key=lambda p: -p[1]))
        for claim, gold in data.qrels.items()
    }
    if any(perfect.values()):
        for name in ("R@9", "macro-R@9", "nDCG", "RR", "hit-one@9", "hit-all@9", "retrieval F1"):
            assert _of(name, RankingData(data.qrels, perfect)) == pytest.approx(1)
