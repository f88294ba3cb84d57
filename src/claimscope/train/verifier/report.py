"""Measures a verifier on held-out claims before and after training, and writes its card."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from claimscope.labels import Label
from claimscope.measures import Interval, Measure
from claimscope.measures.calibration import calibration_error, risk_coverage_points
from claimscope.measures.contributions import Counts
from claimscope.measures.intervals import bootstrap
from claimscope.measures.label import accuracy, macro_f1
from claimscope.measures.measure import DECIDING, Forecast, ForecastData, LabelData
from claimscope.models.catalogue import VERIFIER
from claimscope.models.verifier.onnx_joint import MODEL, STANCE
from claimscope.render.charts import thinned
from claimscope.stages.judge.joint import JointJudge
from claimscope.train.cards import checksums, header
from claimscope.train.claims import Claims, licence
from claimscope.types import Candidate, Case, GoldEvidence, LabelProbabilities

REPORT, PRESET = "report.json", "preset.toml"
_THREE = (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO)
_CURVE, _POINTS = 50, 100
"""Fewest decisions a risk curve is drawn from, and the most points it has."""


@dataclass(frozen=True, slots=True)
class Score:
    """How good a verifier is on the abstracts that annotators have labelled."""

    claims: int
    abstracts: int
    measured: Mapping[str, Interval]
    """Accuracy and macro F1 of the label, and the calibration error of its probability."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A score, and the share of wrong labels above each probability if there are enough."""

    score: Score
    risk: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What a training did."""

    data: str
    about: str
    """The settings, by which a folder knows its training."""
    learnt: int
    """Claims that were learnt from."""
    before: Score
    after: Score

    @classmethod
    def read(cls, folder: Path) -> Report:
        """Read the report of a finished training."""
        said = json.loads((folder / REPORT).read_text("utf-8"))
        scores = {
            side: Score(
                **{
                    **said[side],
                    "measured": {
                        name: Interval(**each) for name, each in said[side]["measured"].items()
                    },
                }
            )
            for side in ("before", "after")
        }
        return cls(**{**said, **scores})

    def table(self) -> Iterator[str]:
        """Give the figures before and after as a Markdown table."""
        yield from ("| measure | before | after |", "|---|---|---|")
        for name, before in self.before.measured.items():
            yield f"| {name} | {_words(before)} | {_words(self.after.measured[name])} |"


def measure(model: str, data: Claims) -> Measured:
    """Let a verifier judge the labelled abstracts of claims as documents that a user names."""
    cases = [
        Case(each.claim, tuple(Candidate(document) for document, _ in data.known(each)))
        for each in data.claims
    ]
    golds = [_gold(gold) for each in data.claims for _, gold in data.known(each)]
    judged = JointJudge(model).run(cases)
    owners = [case.claim.id for case in judged for _ in case.candidates]
    labels = [item.labels for case in judged for item in case.candidates if item.labels is not None]
    names = [str(place) for place in range(len(golds))]
    answers = LabelData(
        dict(zip(names, golds, strict=True)),
        {name: each.label for name, each in zip(names, labels, strict=True)},
    )
    forecasts = ForecastData(
        [
            Forecast.of_probabilities(owner, {name: each.of(name) for name in _THREE}, gold)
            for owner, each, gold in zip(owners, labels, golds, strict=True)
        ]
    )
    of_labels = {"accuracy": accuracy, "macro-F1": macro_f1}
    measured = {
        name: bootstrap(_by_claim(each(answers, Measure(name)), owners))
        for name, each in of_labels.items()
    }
    measured["ECE"] = bootstrap(calibration_error(forecasts, Measure("ECE")))
    score = Score(len(data.claims), len(golds), measured)
    return Measured(score, _risk(owners, labels, golds))


def _gold(gold: GoldEvidence | None) -> Label:
    return (gold.label if gold is not None else None) or Label.NOT_ENOUGH_INFO


def _by_claim(found: Counts, owners: Sequence[str]) -> Counts:
    """Add up the counts of a claim's abstracts, which are not independent of each other."""
    places = {name: place for place, name in enumerate(dict.fromkeys(owners))}
    table = np.zeros((len(places), found.counts.shape[1]))
    np.add.at(table, [places[name] for name in owners], found.counts)
    return replace(found, claim_ids=tuple(places), counts=table)


def _risk(
    owners: Sequence[str], labels: Sequence[LabelProbabilities], golds: Sequence[Label]
) -> tuple[tuple[float, float], ...]:
    """Give the share of wrong labels among abstracts taken as evidence, by their probability."""
    decided = [
        Forecast.of_confidence(owner, each.of(each.label), each.label is gold)
        for owner, each, gold in zip(owners, labels, golds, strict=True)
        if each.label in DECIDING
    ]
    if len(decided) < _CURVE:
        return ()
    points = thinned(risk_coverage_points(ForecastData(decided)), _POINTS)
    return tuple((each.threshold, each.risk) for each in points)


def write_report(report: Report, settings: Mapping[str, Any], folder: Path) -> None:
    """Write the card, a preset that uses the model, and last the report."""
    (folder / "README.md").write_text("\n".join(_card(report, settings, folder)), encoding="utf-8")
    shipped = files("claimscope.pipeline").joinpath("presets", "claimscope.toml").read_text("utf-8")
    model = json.dumps(str(folder.resolve()))
    preset = shipped.replace(f'model = "{VERIFIER}"', f"model = {model}")
    (folder / PRESET).write_text(preset, encoding="utf-8")
    text = json.dumps(asdict(report), indent=2) + "\n"
    (folder / REPORT).write_text(text, encoding="utf-8")


def _card(report: Report, settings: Mapping[str, Any], folder: Path) -> Iterator[str]:
    yield from header(folder.name, str(settings["start"]), [report.data], "text-classification")
    yield from (f"# {folder.name}", "")
    yield (
        f"The verifier `{settings['start']}`, continued on {report.learnt} labelled claims with "
        "`claimscope train verifier`. Its scaling, prior and thresholds are those it started with."
    )
    yield from ("", "## Data", "", f"`{report.data}`: {licence(report.data)}.", "")
    yield from ("## Measured", "")
    yield (
        f"On {report.after.abstracts} labelled abstracts of {report.after.claims} held-out claims, "
        "in per cent with 95 % intervals over claims:"
    )
    yield from ("", *report.table(), "")
    said = json.dumps(settings, indent=2)
    yield from ("## Settings", "", "```json", said, "```", "")
    names = (MODEL, STANCE, "model.safetensors")
    paths = [folder / name for name in names if (folder / name).is_file()]
    yield from (*checksums({path.name: path for path in paths}), "")


def _words(found: Interval) -> str:
    low, high = 100 * found.low, 100 * found.high
    return f"{100 * found.value:.1f} ({low:.1f}–{high:.1f})"
