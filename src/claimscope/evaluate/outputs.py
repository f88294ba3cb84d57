"""The files of a run that other tools read: leaderboard predictions, TREC run and qrels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

from claimscope.evaluate.folder import RunFolder
from claimscope.evaluate.gold import GoldClaim
from claimscope.evaluate.saved import SavedCase
from claimscope.measures.leaderboard import write_predictions
from claimscope.measures.trec import write_qrels, write_run
from claimscope.pipeline.stage import Part

_AT_ONCE = 100
"""Claims held in memory while writing."""

_Item = TypeVar("_Item")


def write_outputs(folder: RunFolder) -> None:
    """Write the files anew from the run's cases; predictions need a judge, qrels the answers."""
    info = folder.info()
    tag = re.sub(r"\s+", "-", info.name)

    def ranked(path: Path, cases: list[SavedCase]) -> None:
        write_run(path, {case.claim_id: case.ranking() for case in cases}, tag)

    _write(folder.path / "run.trec", folder.cases(), ranked)
    if Part.LABELS in info.provides:
        _write(folder.path / "predictions.jsonl", folder.cases(), _predictions)
    answered = (gold for gold in folder.gold() if gold.documents is not None)
    _write(folder.path / "qrels.trec", answered, _qrels)


def _predictions(path: Path, cases: list[SavedCase]) -> None:
    predictions = {case.claim_id: case.predictions for case in cases}
    write_predictions(path, predictions, list(predictions))


def _qrels(path: Path, claims: list[GoldClaim]) -> None:
    qrels = {
        gold.id: {name: each.evidence.relevance for name, each in gold.relevant.items()}
        for gold in claims
    }
    write_qrels(path, qrels)


def _write(path: Path, items: Iterable[_Item], write: Callable[[Path, list[_Item]], None]) -> None:
    """Write a few items at a time and join the pieces; nothing to write leaves no file."""
    piece = path.with_name(path.name + ".piece")
    whole = path.with_name(path.name + ".new")
    whole.unlink(missing_ok=True)
    for some in _batches(items):
        write(piece, some)
        with whole.open("ab") as file:
            file.write(piece.read_bytes())
        piece.unlink()
    if whole.exists():
        whole.replace(path)


def _batches(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    waiting = iter(items)
    while batch := list(islice(waiting, _AT_ONCE)):
        yield batch
