"""Evaluation: run a preset on a data set, score the run, compare runs, write the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimscope._lazy import lazy

if TYPE_CHECKING:
    from claimscope.evaluate.compare import contrast
    from claimscope.evaluate.experiment import Experiment, run
    from claimscope.evaluate.folder import RunFolder
    from claimscope.evaluate.report import write_report
    from claimscope.evaluate.scoring import Scores, score

__all__ = [
    "Experiment",
    "RunFolder",
    "Scores",
    "contrast",
    "run",
    "score",
    "write_report",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Experiment": "experiment",
        "RunFolder": "folder",
        "Scores": "scoring",
        "contrast": "compare",
        "run": "experiment",
        "score": "scoring",
        "write_report": "report",
    },
)
