"""Runs over the small data set, made once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from claimscope.evaluate.experiment import Experiment, run
from claimscope.evaluate.folder import RunFolder
from claimscope.evaluate.modes import Mode
from claimscope.pipeline import preset

from .small import DATASET, MAJORITY

MakeRun = Callable[..., RunFolder]


@pytest.fixture(scope="session")
def make_run(tmp_path_factory: pytest.TempPathFactory) -> MakeRun:
    """Run a preset's text on the small data set."""
    cache = tmp_path_factory.mktemp("cache")

    def make(
        text: str = MAJORITY,
        mode: Mode = Mode.OPEN,
        split: str = "dev",
        name: str = "majority",
        folder: Path | None = None,
    ) -> RunFolder:
        made = preset.parse(text, name=name, where="test")
        place = folder or tmp_path_factory.mktemp("run") / "run"
        return run(Experiment(DATASET, split, made, mode), place, cache=cache)

    return make


@pytest.fixture(scope="session")
def majority(make_run: MakeRun) -> RunFolder:
    """The run that tests only read."""
    return make_run()
