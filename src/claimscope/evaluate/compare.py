"""Compares runs: the same measures, paired tests, and the spread over seeds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from claimscope.errors import InputError
from claimscope.evaluate.folder import RunInfo
from claimscope.evaluate.scoring import Scores, headlines
from claimscope.measures import Comparison, Measure, Spread, randomisation_test, spread
from claimscope.measures.intervals import ROUNDS


@dataclass(frozen=True, slots=True)
class Contrast:
    """One measure of two runs, tested claim by claim."""

    measure: Measure
    result: Comparison


@dataclass(frozen=True, slots=True)
class Repeated:
    """A system that was run with several seeds."""

    info: RunInfo
    seeds: tuple[int | None, ...]
    spreads: tuple[tuple[Measure, Spread], ...]


def require_same_claims(scored: Sequence[Scores]) -> None:
    """Refuse to compare runs over different claims."""
    first = scored[0].material.info
    for other in (each.material.info for each in scored[1:]):
        if (other.dataset, other.split, other.claims) != (first.dataset, first.split, first.claims):
            raise InputError(
                f"The runs {first.name} and {other.name} are over different claims; "
                "compare runs on the same split."
            )


def told_apart(scored: Sequence[Scores], places: Sequence[str]) -> list[Scores]:
    """Add the folder to the names of runs that share a name."""
    names = [each.material.info.name for each in scored]
    return [
        _renamed(each, place) if names.count(name) > 1 else each
        for each, name, place in zip(scored, names, places, strict=True)
    ]


def _renamed(scored: Scores, place: str) -> Scores:
    info = scored.material.info
    named = replace(info, preset=f"{info.preset} ({place})")
    return replace(scored, material=replace(scored.material, info=named))


def shared_measures(scored: Sequence[Scores]) -> list[Measure]:
    """Give the measures that every run has, in the first one's order."""
    others = [each.values.keys() for each in scored[1:]]
    return [measure for measure in scored[0].values if all(measure in values for values in others)]


def contrast(
    first: Scores,
    second: Scores,
    measures: Sequence[Measure] | None = None,
    rounds: int = ROUNDS,
) -> tuple[Contrast, ...]:
    """Test two runs against each other by paired randomisation, measure by measure."""
    require_same_claims([first, second])
    chosen = shared_measures([first, second]) if measures is None else measures
    one, other = first.values, second.values
    return tuple(
        Contrast(
            measure,
            randomisation_test(one[measure].contributions, other[measure].contributions, rounds),
        )
        for measure in chosen
    )


def contrast_headlines(
    scored: Sequence[Scores], rounds: int = ROUNDS
) -> list[tuple[tuple[str, str], tuple[Contrast, ...]]]:
    """Test every further run against the first, by the values a reader looks for first."""
    require_same_claims(scored)
    first = scored[0]
    made = []
    for other in scored[1:]:
        measures = [each.measure for each in headlines(first) if each.measure in other.values]
        names = (first.material.info.name, other.material.info.name)
        made.append((names, contrast(first, other, measures, rounds)))
    return made


def by_system(scored: Sequence[Scores]) -> list[list[Scores]]:
    """Group runs that differ only in their seed; a run without a seed stays alone."""
    systems: dict[str, list[Scores]] = {}
    for number, each in enumerate(scored):
        info = each.material.info
        stages = [{**stage, "seed": None} for stage in info.stages]
        alone = number if info.seed is None else None
        key = [info.dataset, info.split, info.mode, info.preset, stages, alone]
        systems.setdefault(json.dumps(key, sort_keys=True), []).append(each)
    return list(systems.values())


def repeated(runs: Sequence[Scores]) -> Repeated:
    """Summarise the runs of one system over its seeds as mean and standard deviation."""
    require_same_claims(runs)
    return Repeated(
        replace(runs[0].material.info, seed=None),
        tuple(each.material.info.seed for each in runs),
        tuple(
            (measure, spread([each.values[measure].interval.value for each in runs]))
            for measure in shared_measures(runs)
        ),
    )
