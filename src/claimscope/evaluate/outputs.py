"""The files of a run that other tools read: leaderboard predictions, TREC run and qrels."""

from __future__ import annotations

import re

from claimscope.evaluate.folder import RunFolder
from claimscope.measures.leaderboard import write_predictions
from claimscope.measures.trec import write_qrels, write_run
from claimscope.pipeline.stage import Part


def write_outputs(folder: RunFolder) -> None:
    """Write the files anew from the run's cases; predictions need a judge, qrels the answers."""
    info = folder.info()
    cases = [(case.claim_id, case.ranking(), case.predictions) for case in folder.cases()]
    tag = re.sub(r"\s+", "-", info.name)
    write_run(folder.path / "run.trec", {name: ranked for name, ranked, _ in cases}, tag)
    if Part.LABELS in info.provides:
        predictions = {name: predicted for name, _, predicted in cases}
        write_predictions(folder.path / "predictions.jsonl", predictions, list(predictions))
    qrels = {
        gold.id: {name: each.evidence.relevance for name, each in gold.relevant.items()}
        for gold in folder.gold()
        if gold.documents is not None
    }
    if qrels:
        write_qrels(folder.path / "qrels.trec", qrels)
