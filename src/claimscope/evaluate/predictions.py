"""Predictions in the formats of other tools: a run's are written, and any file is scored."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

from claimscope._version import __version__
from claimscope.datasets.record import Dataset, gold_of
from claimscope.errors import InputError
from claimscope.evaluate.cases import predictions_of, ranking_of
from claimscope.evaluate.folder import RunFolder, RunInfo
from claimscope.evaluate.gold import GoldClaim
from claimscope.evaluate.material import Material
from claimscope.evaluate.modes import Mode
from claimscope.measures.leaderboard import read_predictions, write_predictions
from claimscope.measures.measure import EvidenceData
from claimscope.measures.trec import write_qrels, write_run
from claimscope.pipeline.stage import Part
from claimscope.types import Case

_AT_ONCE = 100
"""Claims held in memory while writing."""

_Item = TypeVar("_Item")


def write_outputs(folder: RunFolder) -> None:
    """Rewrite the files from the run's cases; predictions need a judge, qrels need answers."""
    info = folder.info()
    tag = re.sub(r"\s+", "-", info.name)

    def ranked(path: Path, cases: list[Case]) -> None:
        write_run(path, {case.claim.id: ranking_of(case) for case in cases}, tag)

    _write(folder.path / "run.trec", folder.cases(), ranked)
    if Part.LABELS in info.provides:
        _write(folder.path / "predictions.jsonl", folder.cases(), _predictions)
    answered = (gold for gold in folder.gold() if gold.documents is not None)
    _write(folder.path / "qrels.trec", answered, _qrels)


def _predictions(path: Path, cases: list[Case]) -> None:
    predictions = {case.claim.id: predictions_of(case) for case in cases}
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


def gather_predictions(dataset: Dataset, split: str, path: Path) -> Material:
    """Read predictions for a split; a file that breaks the format's rules is an error."""
    gold = gold_of(dataset.claims(split))
    if not gold:
        raise InputError(
            f"The answers of {dataset.card.title}, split {split}, are kept back; "
            "its leaderboard scores the file."
        )
    counts = {document.id: len(document.spans) for document in dataset.documents()}
    predictions = read_predictions(path, list(gold), counts)
    rationales = any(each.rationales for claim in gold.values() for each in claim.values())
    info = RunInfo(
        dataset=dataset.name,
        title=dataset.card.title,
        split=split,
        mode=Mode.OPEN,
        preset=path.name,
        seed=None,
        stages=(),
        provides=(Part.LABELS,),
        library_revision="",
        documents=len(counts),
        claims=len(gold),
        four_labels=False,
        versions={"claimscope": __version__},
        fingerprint="",
        complete=True,
    )
    note = "A prediction file tells neither search nor confidence, so these are not scored."
    return Material(info, {EvidenceData: EvidenceData(gold, predictions)}, {}, rationales, (note,))
