"""Trains a stage with every combination of some settings, and measures each.

A stage is measured alone, as in the papers' searches for settings, so no other model is needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Any

from claimscope.errors import ConfigurationError
from claimscope.evaluate.experiment import Experiment, run
from claimscope.evaluate.material import gather
from claimscope.evaluate.modes import Mode
from claimscope.evaluate.scoring import headlines, score
from claimscope.evaluate.variants import combinations, with_parameter, words_of
from claimscope.measures import Measure, Spread, parse_measure, spread
from claimscope.models.fingerprint import weights_sha256
from claimscope.pipeline import preset as presets
from claimscope.pipeline.preset import Preset
from claimscope.train.claims import dataset_of
from claimscope.train.stages.config import merged
from claimscope.train.stages.recipes import changes_of, place_of, stage_config
from claimscope.train.stages.training import Report, StageTraining

SEED = "loop.seed"
RESULTS = "sweep.json"
_TEACHERS = "teachers"
_MODES: Mapping[str, Mode] = MappingProxyType(
    {
        "retrieval": Mode.RETRIEVAL,
        "rationale": Mode.SELECTOR_ALONE,
        "label": Mode.LABELLER_TFIDF,
        "verirel": Mode.RETRIEVAL,
        "verirel-roberta": Mode.RETRIEVAL,
        "verirel-longformer": Mode.RETRIEVAL,
        "climate-cross-encoder": Mode.RETRIEVAL,
        "climate-label": Mode.ORACLE_ABSTRACTS,
    }
)
"""What of the preset is measured after a stage was trained."""
_PRESETS: Mapping[str, str] = MappingProxyType(
    {
        "retrieval": "scifchex-scibert",
        "rationale": "scifchex-scibert",
        "label": "scifchex-scibert",
        "verirel": "verirel",
        "verirel-roberta": "verirel",
        "verirel-longformer": "verirel",
        "climate-cross-encoder": "climate",
        "climate-label": "climate",
    }
)
"""The pipeline whose stage it is, where no preset is named."""


@dataclass(frozen=True)
class Trial:
    """One combination of settings and its result."""

    changes: Mapping[str, str]
    folder: Path
    values: Mapping[Measure, float]


@dataclass(frozen=True)
class Summary:
    """The trials that differ in their seed only."""

    settings: str
    trials: Sequence[Trial]
    spreads: Mapping[Measure, Spread]


@dataclass
class Sweep:
    """Trains and measures every combination; when run again, it continues where it stopped."""

    stage: str
    preset: str | None
    changes: Mapping[str, Any]
    """What holds for all combinations."""
    swept: Sequence[str]
    """Settings with their values, such as "epochs=5,10"."""
    folder: Path
    split: str = "dev"
    measures: Sequence[str] = ()
    """The measures to report; those a reader looks for first if none is named."""
    measured_in: str | None = None
    """The preset or TOML file whose stage gets the model; the one that is trained for if None."""
    report: Report | None = None

    def run(self) -> list[Summary] | None:
        """Give a summary for each combination, seeds together; None if somebody asked to stop."""
        if self.stage not in _MODES:
            raise ConfigurationError(
                f"The stage {self.stage!r} cannot be swept, since no preset measures it alone; "
                f"choose one of {', '.join(_MODES)}."
            )
        wanted = [parse_measure(name) for name in self.measures]
        trials: list[Trial] = []
        for number, tried in enumerate(combinations(self.swept), 1):
            folder = self.folder / f"{number:02d}"
            if not self._trained(tried, folder):
                return None
            trials.append(Trial(tried, folder, self._measured(folder, wanted)))
        summaries = list(summarised(trials))
        self._write(summaries)
        return summaries

    def _trained(self, tried: Mapping[str, str], folder: Path) -> bool:
        words = [f"{key}={value}" for key, value in tried.items()]
        loaded = presets.load(self.preset) if self.preset else None
        config = stage_config(self.stage, loaded, merged(self.changes, changes_of(words)))
        # Trials with the same examples share what was dear to compute, such as a teacher's scores.
        examples = json.dumps(config.described()["builder"], sort_keys=True, default=str)
        name = blake2b(f"{config.data} {examples}".encode(), digest_size=6).hexdigest()
        shared = self.folder / _TEACHERS / name
        return StageTraining(config, folder, self.report, shared=shared).run()

    def _measured(self, model: Path, wanted: Sequence[Measure]) -> dict[Measure, float]:
        """Measure the preset with the model that was trained."""
        preset = self._with(model)
        name = f"{self.split}-{weights_sha256(model)[:12]}"
        data = "climate" if self.stage.startswith("climate") else "scifact"
        dataset = dataset_of(str(self.changes.get("data", data)))
        experiment = Experiment(dataset, self.split, preset, _MODES[self.stage])
        scores = score(gather(run(experiment, model / name)), wanted, samples=0)
        shown = scores.values.values() if wanted else headlines(scores)
        return {each.measure: each.interval.value for each in shown}

    def _with(self, model: Path) -> Preset:
        """Give the preset with another model in the stage's place."""
        preset = presets.load(self.measured_in or self.preset or _PRESETS[self.stage])
        place = place_of(preset, self.stage)
        preset = with_parameter(preset, place, "model", str(model.resolve()))
        deepest = max((each.cutoff or 0 for each in map(parse_measure, self.measures)), default=0)
        # A recall is measured as deep as it is asked for, though the preset keeps fewer documents.
        return with_parameter(preset, place, "k", deepest) if deepest else preset

    def _write(self, summaries: Sequence[Summary]) -> None:
        rows = [
            {
                "settings": dict(trial.changes),
                "folder": trial.folder.name,
                "values": {str(measure): value for measure, value in trial.values.items()},
            }
            for summary in summaries
            for trial in summary.trials
        ]
        text = json.dumps({"stage": self.stage, "split": self.split, "trials": rows}, indent=2)
        (self.folder / RESULTS).write_text(text + "\n", encoding="utf-8")


def summarised(trials: Sequence[Trial]) -> Iterator[Summary]:
    """Group trials that differ only in their seed, in the order they were made."""
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        others = {key: value for key, value in trial.changes.items() if key != SEED}
        groups.setdefault(words_of(others), []).append(trial)
    for settings, some in groups.items():
        spreads = {
            measure: spread([trial.values[measure] for trial in some]) for measure in some[0].values
        }
        yield Summary(settings, some, spreads)
