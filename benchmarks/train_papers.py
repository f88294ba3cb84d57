"""Trains the papers' stages with small networks in the place of theirs, ready for run.py.

    python benchmarks/train_papers.py [NAME …] [--verifier FOLDER] [--smoke] [--list]

Each training goes on where it stopped, and takes at most about ten minutes on two free cores. One
that needs another's model has that trained first. The models go to .benchmarks/models/; then
`python benchmarks/run.py` measures them. `--smoke` makes three updates of each, to see that all
runs. A verifier's folder is the teacher of the student.
"""

from __future__ import annotations

import argparse
import os
import shlex
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimscope.pipeline import preset as presets
from claimscope.train.stages.config import StageConfig, merged
from claimscope.train.stages.recipes import changes_of, stage_config
from claimscope.train.stages.training import StageTraining

HERE = Path(__file__).parent
MODELS = Path(".benchmarks") / "models"


@dataclass(frozen=True)
class Run:
    """One training."""

    name: str
    stage: str
    settings: list[str]
    preset: str | None = None
    needs_verifier: bool = False
    starts_from: str | None = None
    """The run whose model is the encoder."""
    reranked_by: str | None = None
    """The run whose model chooses among the passages that were found."""

    def words(self, verifier: Path | None, models: Path = MODELS) -> list[str]:
        """Give its settings with the teacher and the model it needs."""
        teacher = [f"examples.verifier={verifier}"] if self.needs_verifier else []
        start = [f"encoder={models / self.starts_from}"] if self.starts_from else []
        chosen = [f"examples.reranker={models / self.reranked_by}"] if self.reranked_by else []
        return [f"name={self.name}", *self.settings, *teacher, *start, *chosen]

    def command(self, verifier: Path | None) -> str:
        """Give the command that does the same."""
        words = ["claimscope", "train", "--stage", self.stage]
        words += ["--preset", self.preset] if self.preset else []
        words += [part for word in self.words(verifier) for part in ("--set", word)]
        return shlex.join([*words, "--output", str(MODELS / self.name)])

    def config(self, verifier: Path | None, models: Path, more: dict[str, Any]) -> StageConfig:
        """Give its configuration."""
        chosen = presets.load(self.preset) if self.preset else None
        changes = merged(changes_of(self.words(verifier, models)), more)
        return stage_config(self.stage, chosen, changes)


def main() -> None:
    """Run the trainings that were asked for, all if none was named."""
    # The systems to be measured name their models by paths from the checkout.
    os.chdir(HERE.parent)
    options = _options()
    runs = [Run(**row) for row in tomllib.loads((HERE / "trainings.toml").read_text())["runs"]]
    if options.verifier is not None and not options.list:
        _link(options.verifier)
    with tempfile.TemporaryDirectory() as smoke:
        for run in _chosen(runs, options.names):
            if options.list:
                print(run.command(options.verifier))
            elif run.needs_verifier and options.verifier is None:
                print(f"{run.name}: skipped; it needs a teacher, --verifier FOLDER")
            else:
                _train(run, options, Path(smoke) if options.smoke else MODELS)


def _chosen(runs: list[Run], names: list[str]) -> list[Run]:
    """Give the runs that were named and those they need, all if none was named."""
    asked = [run for run in runs if run.name in names]
    wanted = {*names, *(needed for run in asked for needed in (run.starts_from, run.reranked_by))}
    return [run for run in runs if not names or run.name in wanted]


def _link(verifier: Path) -> None:
    """Let the systems to be measured find the teacher, which some of them run, too."""
    link = MODELS / "verifier"
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(verifier.expanduser().resolve())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="trainings of benchmarks/trainings.toml")
    parser.add_argument("--verifier", type=Path, help="folder of a trained verifier, a teacher")
    parser.add_argument("--smoke", action="store_true", help="three updates each, kept nowhere")
    parser.add_argument("--list", action="store_true", help="print the commands")
    return parser.parse_args()


def _train(run: Run, options: argparse.Namespace, models: Path) -> None:
    started = time.monotonic()
    changes: dict[str, Any] = {}
    if options.smoke:
        changes = {"epochs": 0, "loop": {"steps": 3, "log_steps": 1}}
        if run.needs_verifier:
            changes["examples"] = {"claims": 16}
    config = run.config(options.verifier, models, changes)
    done = StageTraining(config, models / run.name, _report).run()
    minutes = (time.monotonic() - started) / 60
    print(f"\n{run.name}: {'done' if done else 'stopped'} after {minutes:.1f} minutes", flush=True)
    if not done:
        raise SystemExit("Run the same command again to go on.")


def _report(stage: str, done: int, total: int) -> None:
    print(f"\r{stage}: {done:,} of {total:,} updates", end="", flush=True)


if __name__ == "__main__":
    main()
