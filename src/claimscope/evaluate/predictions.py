"""Scores a prediction file in the SciFact leaderboard's format, whoever made it."""

from __future__ import annotations

from pathlib import Path

from claimscope._version import __version__
from claimscope.datasets.record import Dataset, gold_of
from claimscope.errors import InputError
from claimscope.evaluate.folder import RunInfo
from claimscope.evaluate.material import Material
from claimscope.evaluate.modes import Mode
from claimscope.measures.leaderboard import read_predictions
from claimscope.measures.records import EvidenceData
from claimscope.pipeline.stage import Part


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
