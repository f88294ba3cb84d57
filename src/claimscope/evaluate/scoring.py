"""Scores a saved run: the measures that apply to it, each with its bootstrap interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.evaluate.material import SELECTION, Material
from claimscope.labels import Label
from claimscope.measures import (
    Contributions,
    Interval,
    Measure,
    contributions,
    parse_measure,
    scifact_measures,
)
from claimscope.measures.intervals import SAMPLES, bootstrap
from claimscope.measures.measure import (
    AnswerData,
    EvidenceData,
    ForecastData,
    LabelData,
    RankingData,
    StanceData,
)
from claimscope.pipeline.stage import Part

_DEPTHS = (1, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
_TITLES = (
    _CHOSEN := "Measures",
    _LEADERBOARD := "Evidence (SciFact leaderboard)",
    _REPOSITORY := "Evidence (SciFact repository)",
    _CLIMATE := "Climate task",
    _VERDICTS := "Verdicts on claims",
    _LABELS := "Labels of abstracts",
    _SEARCH := "Search",
    _CONFIDENCE := "Confidence",
)
_HEADLINES = (
    "abstract-label-only F1",
    "abstract-rationalized F1",
    "sentence-selection F1",
    "sentence-label F1",
    "climate-H",
    "accuracy",
    "R",
    "RR",
    "retrieval F1",
)
_MOST_HEADLINES = 6
_NAMED = tuple(parse_measure(f"abstract-selection {part}") for part in ("P", "R", "F1"))
"""What a search is worth once the judge has said which of the found are evidence."""
_SENTENCE_MEASURES = ("sentence-selection", "sentence-label", "abstract-rationalized")


@dataclass(frozen=True)
class Group:
    """Measures that belong together in a table."""

    title: str
    measures: tuple[Measure, ...]


@dataclass(frozen=True)
class Scored:
    """A measure's value for a run, its interval, and what each claim contributed to it."""

    measure: Measure
    interval: Interval
    contributions: Contributions


@dataclass(frozen=True)
class Scores:
    """All values of a run, in groups."""

    material: Material
    groups: tuple[tuple[str, tuple[Scored, ...]], ...]

    @property
    def values(self) -> dict[Measure, Scored]:
        """The values by measure."""
        return {each.measure: each for _, group in self.groups for each in group}


def titles_of(scored: Sequence[Scores]) -> list[str]:
    """Give the groups that any of the runs has, in the order of a report."""
    found = {title for each in scored for title, _ in each.groups}
    return [title for title in _TITLES if title in found]


def score(
    material: Material,
    measures: Sequence[Measure] = (),
    repository: bool = False,
    samples: int = SAMPLES,
) -> Scores:
    """Score a run by the named measures, or by all that apply; one that does not fit fails."""
    chosen = [Group(_CHOSEN, tuple(measures))] if measures else groups(material, repository)
    return Scores(
        material,
        tuple(
            (group.title, tuple(_scored(material, each, samples) for each in group.measures))
            for group in chosen
        ),
    )


def _scored(material: Material, measure: Measure, samples: int) -> Scored:
    found = contributions(measure, material.of(measure))
    return Scored(measure, bootstrap(found, samples), found)


def groups(material: Material, repository: bool = False) -> list[Group]:
    """Give the measures that mean something for a run, in the order of a report."""
    records = material.records
    made: list[Group] = []
    if EvidenceData in records:
        made.append(Group(_LEADERBOARD, _evidence(material, False)))
        if repository:
            made.append(Group(_REPOSITORY, _evidence(material, True)))
    if AnswerData in records:
        made.append(Group(_CLIMATE, _climate(material)))
    if LabelData in records:
        title = _LABELS if material.info.mode.silent else _VERDICTS
        made.append(Group(title, _labels(records[LabelData])))
    if RankingData in records:
        named = _NAMED if EvidenceData in records else ()
        made.append(Group(_SEARCH, (*_ranking(records[RankingData]), *named)))
    if ForecastData in records:
        names = ["ECE", "Brier", "AURC"]
        if StanceData in records:
            names.append("label-aware-AP")
        made.append(Group(_CONFIDENCE, _parsed(names)))
    return made


def _parsed(names: Sequence[str]) -> tuple[Measure, ...]:
    return tuple(map(parse_measure, names))


def _evidence(material: Material, repository: bool) -> tuple[Measure, ...]:
    """Give the official twelve, or the three that need no rationales where there are none."""
    return tuple(
        measure
        for measure in scifact_measures(repository)
        if (material.has_rationales or not measure.base.endswith(_SENTENCE_MEASURES))
        and (not material.selection_only or measure.base.endswith(SELECTION))
    )


def _climate(material: Material) -> tuple[Measure, ...]:
    judged = Part.LABELS in material.info.provides
    return _parsed(["climate-F", "climate-A", "climate-H"] if judged else ["climate-F"])


def _labels(data: LabelData) -> tuple[Measure, ...]:
    occurring = {*data.gold.values(), *data.predicted.values()}
    of_one = [
        f"{label.value} {part}"
        for label in Label
        if label in occurring
        for part in ("P", "R", "F1")
    ]
    return _parsed(["accuracy", "macro-F1", *of_one])


def _ranking(data: RankingData) -> tuple[Measure, ...]:
    depths = depths_of(data)
    names = [f"{base}@{k}" for base in ("R", "macro-R") for k in depths]
    hits = [k for k in depths if k in (1, 3, 5, 10, 20)] or depths[:1]
    names += [f"{base}@{k}" for base in ("hit-one", "hit-all") for k in hits]
    names += [f"evidence-{base}@{k}" for base in ("hit-one", "hit-all") for k in hits]
    names += [f"nDCG@{max(k for k in depths if k <= 10)}", "RR"]
    names += [f"retrieval {part}" for part in ("P", "R", "F1")]
    return _parsed(names)


def depths_of(data: RankingData) -> list[int]:
    """Give the usual depths up to the first that holds the longest ranking."""
    longest = max((len(ranked) for ranked in data.run.values()), default=0)
    return [k for k, before in zip(_DEPTHS, (0, *_DEPTHS), strict=False) if before < longest] or [1]


def headlines(run: Scores) -> list[Scored]:
    """Choose the values a reader looks for first: those named, or else the usual ones.

    Of recall the deepest is chosen.
    """
    values = list(run.values.values())
    if [title for title, _ in run.groups] == [_CHOSEN]:
        return values[:_MOST_HEADLINES]
    by_name = {str(each.measure): each for each in values}
    by_name |= {each.measure.base: each for each in values if each.measure.cutoff}
    found = [by_name[name] for name in _HEADLINES if name in by_name]
    return found[:_MOST_HEADLINES]
