"""Measures of a ranking of documents against the documents that are evidence.

A claim that the run lacks has an empty ranking. A document listed twice counts at its best rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import log2

from claimscope.measures.contributions import Counts, counts, ratio
from claimscope.measures.measure import Measure, Part, RankingData

Relevant = Mapping[str, int]
_PerClaim = Callable[[tuple[str, ...], Relevant], float]


def _judged(
    data: RankingData, cutoff: int | None
) -> Iterator[tuple[str, tuple[str, ...], Relevant]]:
    """Give each judged claim, its ranking down to the cutoff, and its relevant documents."""
    for claim_id, judgements in data.qrels.items():
        ranked = tuple(dict.fromkeys(document for document, _ in data.run.get(claim_id, ())))
        relevant = {document: grade for document, grade in judgements.items() if grade > 0}
        yield claim_id, ranked[:cutoff], relevant


def _hits(ranked: tuple[str, ...], relevant: Relevant) -> int:
    return sum(document in relevant for document in ranked)


def pooled_recall(data: RankingData, measure: Measure) -> Counts:
    """Relevant documents found over relevant documents, pooled over all claims."""
    rows = [(_hits(k, gold), len(gold)) for _, k, gold in _judged(data, measure.cutoff)]
    return counts(list(data.qrels), rows, 2, ratio)


def pooled_precision(data: RankingData, measure: Measure) -> Counts:
    """Relevant documents found over k places per claim, pooled over all claims."""
    k = measure.cutoff or 0
    rows = [(_hits(top, gold), k) for _, top, gold in _judged(data, k)]
    return counts(list(data.qrels), rows, 2, ratio)


def mean_recall(data: RankingData, measure: Measure) -> Counts:
    """Recall of each claim, averaged over the claims with evidence."""
    return _mean(data, measure, lambda top, gold: _hits(top, gold) / len(gold))


def mean_precision(data: RankingData, measure: Measure) -> Counts:
    """Precision of each claim, averaged over the claims with evidence."""
    k = measure.cutoff or 1
    return _mean(data, measure, lambda top, gold: _hits(top, gold) / k)


def ndcg(data: RankingData, measure: Measure) -> Counts:
    """Normalised discounted cumulated gain (Järvelin and Kekäläinen 2002), linear gain."""
    return _mean(data, measure, lambda top, gold: _gain(top, gold) / _best(gold, measure.cutoff))


def _gain(top: tuple[str, ...], gold: Relevant) -> float:
    return sum(gold.get(document, 0) / log2(rank + 1) for rank, document in enumerate(top, 1))


def _best(gold: Relevant, cutoff: int | None) -> float:
    grades = sorted(gold.values(), reverse=True)[:cutoff]
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(grades, 1))


def reciprocal_rank(data: RankingData, measure: Measure) -> Counts:
    """One over the rank of the first relevant document, 0 if there is none."""
    return _mean(data, measure, _reciprocal)


def _reciprocal(top: tuple[str, ...], gold: Relevant) -> float:
    return next((1 / rank for rank, document in enumerate(top, 1) if document in gold), 0.0)


def _mean(data: RankingData, measure: Measure, per_claim: _PerClaim) -> Counts:
    """Average a value over the claims with evidence; the others weigh nothing."""
    rows = [
        (per_claim(top, gold), 1) if gold else (0, 0)
        for _, top, gold in _judged(data, measure.cutoff)
    ]
    return counts(list(data.qrels), rows, 2, ratio)


def hit_one(data: RankingData, measure: Measure) -> Counts:
    """Claims with any evidence found; a claim without evidence is a hit, as in VeriSci."""
    rows = [(not gold or _hits(k, gold) > 0, 1) for _, k, gold in _judged(data, measure.cutoff)]
    return counts(list(data.qrels), rows, 2, ratio)


def hit_all(data: RankingData, measure: Measure) -> Counts:
    """Claims with all evidence found; a claim without evidence is a hit, as in VeriSci."""
    rows = [(_hits(k, gold) == len(gold), 1) for _, k, gold in _judged(data, measure.cutoff)]
    return counts(list(data.qrels), rows, 2, ratio)


def evidence_hit_one(data: RankingData, measure: Measure) -> Counts:
    """Claims with any evidence found, of the claims that have evidence."""
    return _mean(data, measure, lambda top, gold: float(_hits(top, gold) > 0))


def evidence_hit_all(data: RankingData, measure: Measure) -> Counts:
    """Claims with all evidence found, of the claims that have evidence."""
    return _mean(data, measure, lambda top, gold: float(_hits(top, gold) == len(gold)))


def retrieved_set(data: RankingData, measure: Measure) -> Counts:
    """Correct, retrieved and relevant documents, pooled over all claims; order does not matter."""
    rows = [
        (_hits(top, gold), len(top), len(gold)) for _, top, gold in _judged(data, measure.cutoff)
    ]
    return counts(list(data.qrels), rows, 3, (measure.part or Part.F1).aggregate)
