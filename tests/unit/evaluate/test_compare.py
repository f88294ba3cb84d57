from dataclasses import replace

import pytest

from claimscope.errors import InputError
from claimscope.evaluate.compare import (
    by_system,
    contrast,
    contrast_headlines,
    repeated,
    told_apart,
)
from claimscope.evaluate.folder import RunFolder
from claimscope.evaluate.material import gather
from claimscope.evaluate.scoring import Scores, score
from claimscope.measures import parse_measure

from .conftest import MakeRun
from .small import PERFECT


def _scores(folder: RunFolder, seed: int | None = None) -> Scores:
    made = score(gather(folder), samples=20)
    info = replace(made.material.info, seed=seed)
    return replace(made, material=replace(made.material, info=info))


def test_a_run_does_not_differ_from_itself(majority: RunFolder) -> None:
    one = _scores(majority)
    for each in contrast(one, one, rounds=100):
        assert (each.result.difference, each.result.p_value) == (0, 1)


def test_two_systems_are_compared_by_what_both_have(majority: RunFolder, make_run: MakeRun) -> None:
    one, other = _scores(majority), _scores(make_run(PERFECT, name="perfect"))
    [(names, tests)] = contrast_headlines([one, other], rounds=200)
    assert names == ("majority", "perfect")
    by_name = {str(each.measure): each.result for each in tests}
    assert by_name["abstract-label-only F1"].difference < 0
    assert by_name["R@1"].p_value == 1


def test_runs_over_other_claims_are_not_compared(majority: RunFolder, make_run: MakeRun) -> None:
    with pytest.raises(InputError, match="different claims"):
        contrast(_scores(majority), _scores(make_run(split="many")))


def test_seeds_are_summarised_and_other_runs_stay_apart(majority: RunFolder) -> None:
    seeded = [_scores(majority, seed) for seed in (1, 2, 3)]
    alone = _scores(majority)
    systems = by_system([*seeded, alone, alone])
    assert [len(system) for system in systems] == [3, 1, 1]
    summary = repeated(systems[0])
    assert summary.seeds == (1, 2, 3)
    spreads = dict(summary.spreads)
    value = spreads[parse_measure("R@1")]
    assert (value.mean, value.standard_deviation) == (pytest.approx(0.6), 0)


def test_runs_named_alike_are_told_apart(majority: RunFolder) -> None:
    one = _scores(majority)
    named = told_apart([one, one], ["before", "after"])
    assert [each.material.info.name for each in named] == [
        "majority (before)",
        "majority (after)",
    ]
    assert told_apart([one], ["before"]) == [one]
