"""What the joint stage shows of a claim: with or without stance, whole and by the sentence."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from claimscope.errors import ConfigurationError
from claimscope.train.verifier.items import Item, ItemMaker
from claimscope.train.verifier.pairs import Target
from claimscope.train.verifier.pools import open_pool
from tests.tiny_models import REASON, wordpiece
from tests.unit.train.test_abstracts import own_folder

pytest.importorskip("torch", reason=REASON)

from claimscope.train.feed import Turn
from claimscope.train.optimiser import LoopSettings
from claimscope.train.verifier.joint_stage import (
    AbstractMixture,
    JointSettings,
    PoolSettings,
    items_of_claims,
)

NOTHING = Target.NOT_ENOUGH_INFO


@pytest.fixture
def settings(tmp_path: Path) -> PoolSettings:
    return PoolSettings(str(own_folder(tmp_path)), refute_power=0.0)


def items(settings: PoolSettings, times: int = 1) -> list[Item]:
    pool, maker = open_pool(settings.data, 20), ItemMaker(wordpiece(), 96)
    claims = list(pool.claims) * times
    return items_of_claims(claims, pool, settings, 1.0, maker, random.Random(1))


@pytest.mark.parametrize("stance", [0.0, 0.5, 1.0])
def test_a_share_of_the_claims_comes_without_stance(settings: PoolSettings, stance: float) -> None:
    found = items(replace(settings, stance=stance), times=40)
    told = [item.target != Target.DECIDED for item in found if item.target != NOTHING]
    assert told
    assert sum(told) / len(told) == pytest.approx(stance, abs=0.2)


def test_a_share_of_stance_beyond_one_is_refused(settings: PoolSettings) -> None:
    with pytest.raises(ConfigurationError, match=r"'stance' of .* between 0 and 1, not 1\.5"):
        replace(settings, stance=1.5)


def test_single_sentences_of_negatives_are_shown_if_asked(settings: PoolSettings) -> None:
    def silent_singles(negative_plain: int) -> int:
        found = items(replace(settings, plain=0, negatives=2, negative_plain=negative_plain))
        return sum(len(item.sentences) == 1 and item.target == NOTHING for item in found)

    pool = open_pool(settings.data, 20)
    negatives = sum(min(2, len(pool.negatives(claim, 10))) for claim in pool.claims)
    assert negatives > 0
    assert silent_singles(1) - silent_singles(0) == negatives


def test_short_items_with_evidence_weigh_what_is_asked(settings: PoolSettings) -> None:
    def weights(bearing: float) -> list[tuple[float, bool]]:
        found = items(replace(settings, negatives=0, abstracts=0.0, bearing=bearing))
        return [(item.weight, item.target == NOTHING) for item in found]

    plain = weights(1.0)
    assert {silent for _, silent in plain} == {True, False}
    assert weights(3.0) == [(w if silent else 3 * w, silent) for w, silent in plain]


def test_the_nearest_sentences_of_negatives_are_shown_if_asked(settings: PoolSettings) -> None:
    def singles(negative_near: int) -> int:
        found = items(replace(settings, plain=0, negatives=1, negative_near=negative_near))
        return sum(len(item.sentences) == 1 and item.target == NOTHING for item in found)

    pool = open_pool(settings.data, 20)
    negatives = sum(bool(pool.negatives(claim, 10)) for claim in pool.claims)
    assert singles(1) - singles(0) == negatives > 0


@pytest.mark.parametrize("decided_only", [False, True])
def test_a_network_of_stances_is_shown_nothing_without_evidence(
    settings: PoolSettings, decided_only: bool
) -> None:
    joint = JointSettings(
        LoopSettings(steps=1), (settings,), weak_papers=0, decided_only=decided_only
    )
    pool, maker = open_pool(settings.data, 20), ItemMaker(wordpiece(), 96)
    drawn = AbstractMixture([(pool, settings)], [], joint, maker)(Turn())
    targets = {item.target for batch in drawn.batches for item in batch}
    assert Target.SUPPORTS in targets
    assert (NOTHING in targets) is not decided_only


def test_claims_without_negatives_that_are_not_measured_need_no_search(
    settings: PoolSettings,
) -> None:
    assert settings.needs_candidates
    without = replace(settings, negatives=0, hold_out=False)
    assert not without.needs_candidates
    assert replace(without, glimpses=1).needs_candidates
    pool = open_pool(settings.data, 0)
    assert pool.claims
    assert not any(pool.negatives(claim, 10) for claim in pool.claims)
