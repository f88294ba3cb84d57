"""What a verifier is shown of an abstract, and folds of claims."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.datasets.files import document_of
from claimscope.datasets.record import LabelledClaim
from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.types import Claim, GoldEvidence
from tests.tiny_models import REASON, wordpiece

pytest.importorskip("torch", reason=REASON)

from claimscope.train.claims import fold_of, groups_of
from claimscope.train.verifier.abstracts import (
    IGNORED,
    ExampleMaker,
    Target,
    View,
    fitted,
    target_of,
)

SENTENCES = tuple(f"the risk of heart attack {number}" for number in range(6))
DOCUMENT = document_of("d", "a trial", SENTENCES)
GOLD = GoldEvidence(Label.REFUTES, (frozenset({1, 2}), frozenset({4})))
VIEW = View("aspirin lowers risk", DOCUMENT, GOLD)


def maker(longest: int = 96) -> ExampleMaker:
    return ExampleMaker(wordpiece(), longest)


@pytest.mark.parametrize(
    ("chosen", "target", "stances", "weight"),
    [
        ([0, 4], Target.REFUTES, (2, 1), 1.0),
        ([1, 2], Target.REFUTES, (1, 1), 1.0),
        ([1, 3], Target.REFUTES, (1, 2), 0.5),
        ([0, 3, 5], Target.NOT_ENOUGH_INFO, (2, 2, 2), 1.0),
    ],
)
def test_sentences_decide_if_a_whole_rationale_is_among_them(
    chosen: list[int], target: Target, stances: tuple[int, ...], weight: float
) -> None:
    item = maker().shown(VIEW, chosen)
    assert (item.target, item.stances, item.weight) == (target, stances, weight)
    assert len(item.row.spans) == len(chosen)


def test_an_abstract_that_is_no_evidence_says_nothing() -> None:
    for gold in (None, GoldEvidence(Label.NOT_ENOUGH_INFO), GoldEvidence(None)):
        [item] = maker().whole(View("aspirin", DOCUMENT, gold))
        assert item.target == Target.NOT_ENOUGH_INFO
        assert set(item.stances) == {Target.NOT_ENOUGH_INFO}


def test_windows_hold_every_sentence_once_and_fit() -> None:
    items = maker(24).whole(VIEW)
    assert len(items) > 1
    assert sum(len(item.row.spans) for item in items) == len(SENTENCES)
    assert all(item.length <= 24 for item in items)
    assert [item.target for item in items if 1 in item.stances]


def test_evidence_without_marked_sentences_keeps_its_label_and_teaches_no_sentence() -> None:
    for rationales in ((), (frozenset(),)):
        [item] = maker().whole(View("aspirin", DOCUMENT, GoldEvidence(Label.SUPPORTS, rationales)))
        assert item.target == Target.SUPPORTS
        assert set(item.stances) == {IGNORED}
        assert item.weight < 1


def test_a_label_that_is_no_class_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="cannot be labelled DISPUTED"):
        target_of(Label.DISPUTED)


def test_marked_sentences_are_neither_evidence_nor_unrelated() -> None:
    [item] = maker().whole(replace(VIEW, marked=frozenset({0})))
    assert item.stances == (IGNORED, 1, 1, 2, 1, 2)


@given(
    st.lists(st.lists(st.integers(1, 9), max_size=60).map(tuple), max_size=8), st.integers(8, 90)
)
def test_sentences_are_cut_until_they_fit(sentences: list[tuple[int, ...]], room: int) -> None:
    cut = fitted(sentences, room)
    assert sum(len(each) + 1 for each in cut) <= max(room, len(sentences))
    assert all(
        whole_one[: len(each)] == each for whole_one, each in zip(sentences, cut, strict=True)
    )


def claim(name: int, documents: set[int]) -> LabelledClaim:
    return LabelledClaim(Claim("text", str(name)), {}, cited=tuple(map(str, sorted(documents))))


@given(st.lists(st.sets(st.integers(0, 12), max_size=3), max_size=20))
def test_claims_that_share_a_document_are_in_one_fold(cited: list[set[int]]) -> None:
    groups = groups_of([claim(number, documents) for number, documents in enumerate(cited)])
    for one, first in enumerate(cited):
        for other, second in enumerate(cited):
            if first & second:
                assert groups[str(one)] == groups[str(other)]
    assert all(0 <= fold_of(group, 5) < 5 for group in groups.values())


def test_claims_are_joined_through_other_claims() -> None:
    groups = groups_of([claim(1, {1}), claim(2, {1, 2}), claim(3, {2}), claim(4, {3})])
    assert groups["1"] == groups["3"] != groups["4"]
