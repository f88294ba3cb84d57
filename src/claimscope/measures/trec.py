"""TREC run and qrels files.

A run line is `claim Q0 document rank score tag`, a qrels line `claim 0 document relevance`. As in
trec_eval, the score alone makes the order and the rank is not read; equal scores are ordered by
document id, as the library orders them (trec_eval orders them by id backwards).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

from claimscope._files import numbered_lines
from claimscope.errors import FormatError, InputError
from claimscope.measures.measure import Qrels, Run


def read_run(path: Path) -> Run:
    """Read a run; documents come best first."""
    scores: dict[str, dict[str, float]] = {}
    for number, (claim_id, _, document, _, score, _) in _fields(path, 6):
        ranking = scores.setdefault(claim_id, {})
        if document in ranking:
            raise FormatError(
                f"{path.name}, line {number} ranks document {document} for claim {claim_id} a "
                "second time; keep one line a document."
            )
        ranking[document] = _number(path, number, score)
    return {claim_id: best_first(ranking.items()) for claim_id, ranking in scores.items()}


def best_first(scored: Iterable[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    """Order documents by falling score, equal scores by id."""
    return tuple(sorted(scored, key=lambda pair: (-pair[1], pair[0])))


def write_run(path: Path, run: Run, tag: str = "claimscope") -> None:
    """Write a run; ranks count from 1."""
    with path.open("w", encoding="utf-8") as file:
        for claim_id, ranking in run.items():
            for rank, (document, score) in enumerate(ranking, 1):
                fields = _words(claim_id, "Q0", document, str(rank), repr(float(score)), tag)
                file.write(fields + "\n")


def read_qrels(path: Path) -> Qrels:
    """Read relevance judgements; a document judged 0 stays, so its claim is known to be judged."""
    qrels: dict[str, dict[str, int]] = {}
    for number, (claim_id, _, document, relevance) in _fields(path, 4):
        judged = qrels.setdefault(claim_id, {})
        if document in judged:
            raise FormatError(
                f"{path.name}, line {number} judges document {document} for claim {claim_id} a "
                "second time; keep one line a document."
            )
        judged[document] = int(_number(path, number, relevance))
    return qrels


def write_qrels(path: Path, qrels: Qrels) -> None:
    """Write relevance judgements; the format has no place for a claim without any."""
    with path.open("w", encoding="utf-8") as file:
        for claim_id, judged in qrels.items():
            for document, relevance in judged.items():
                file.write(_words(claim_id, "0", document, str(relevance)) + "\n")


def _fields(path: Path, count: int) -> Iterator[tuple[int, list[str]]]:
    for number, line in numbered_lines(path):
        fields = line.split()
        if len(fields) != count:
            raise FormatError(
                f"{path.name}, line {number} has {len(fields)} fields where {count} belong; "
                "separate them by spaces, and use no spaces inside ids."
            )
        yield number, fields


def _number(path: Path, number: int, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(f"{path.name}, line {number} has {text!r} where a number belongs.")
    return value


def _words(*fields: str) -> str:
    broken = next((field for field in fields if not field or field.split() != [field]), None)
    if broken is not None:
        raise InputError(
            f"{broken!r} cannot stand in a TREC file; use ids and tags without spaces."
        )
    return " ".join(fields)
