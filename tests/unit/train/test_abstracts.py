"""Views of abstracts, folds of claims, and the claims of a folder of one's own."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.datasets.files import document_of
from claimscope.datasets.record import LabelledClaim
from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.labels import Label
from claimscope.train.folds import fold_of, groups_of
from claimscope.train.verifier.abstracts import View, glimpse, short, shown, trimmed, whole
from claimscope.train.verifier.context import context_of
from claimscope.train.verifier.items import IGNORED, ItemMaker, fitted, without_stance
from claimscope.train.verifier.pairs import Target
from claimscope.train.verifier.pools import check_data, open_pool
from claimscope.train.weak.abstract_items import items_of
from claimscope.types import Claim, GoldEvidence
from tests.tiny_models import wordpiece

SENTENCES = tuple(f"the risk of heart attack {number}" for number in range(6))
DOCUMENT = document_of("d", "a trial", SENTENCES)
GOLD = GoldEvidence(Label.REFUTES, (frozenset({1, 2}), frozenset({4})))
VIEW = View("aspirin lowers risk", DOCUMENT, GOLD)


def maker(longest: int = 96) -> ItemMaker:
    return ItemMaker(wordpiece(), longest)


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
    item = shown(VIEW, chosen, maker())
    assert (item.target, item.stances, item.weight) == (target, stances, weight)
    assert len(item.sentences) == len(chosen)


def test_an_abstract_that_is_no_evidence_says_nothing() -> None:
    for gold in (None, GoldEvidence(Label.NOT_ENOUGH_INFO), GoldEvidence(None)):
        [item] = whole(View("aspirin", DOCUMENT, gold), maker())
        assert item.target == Target.NOT_ENOUGH_INFO
        assert set(item.stances) == {Target.NOT_ENOUGH_INFO}


def test_windows_hold_every_sentence_once_and_fit() -> None:
    items = whole(VIEW, maker(24))
    assert len(items) > 1
    assert sum(len(item.sentences) for item in items) == len(SENTENCES)
    assert all(item.length <= 24 for item in items)
    assert [item.target for item in items if 1 in item.stances]


@given(st.integers(0, 10_000))
def test_a_trimmed_abstract_keeps_a_whole_rationale(seed: int) -> None:
    item = trimmed(VIEW, maker(), random.Random(seed))
    assert item.target == Target.REFUTES
    assert item.weight == 1.0
    assert 1 <= len(item.sentences) <= 5


def test_a_glimpse_shows_what_looks_most_like_evidence() -> None:
    texts = ("aspirin was given", "nothing else", "aspirin lowers the risk", "aspirin and risk")
    view = View("aspirin lowers risk", document_of("d", "a trial", texts), None)
    alone = shown(view, [2, 3], maker())
    assert glimpse(view, maker()) == alone
    assert alone.target == Target.NOT_ENOUGH_INFO


def test_short_views_are_rationales_and_single_sentences() -> None:
    items = short(VIEW, maker(), random.Random(0), plain=2)
    assert sum(item.target == Target.REFUTES for item in items) >= 2
    silent = [item for item in items if item.target == Target.NOT_ENOUGH_INFO]
    assert [len(item.sentences) for item in silent] == [1, 1]


def test_sentences_of_a_rationale_of_several_are_shown_singly_if_asked() -> None:
    together = short(VIEW, maker(), random.Random(0), plain=0)
    singly = short(VIEW, maker(), random.Random(0), plain=0, singly=True)
    new = [item for item in singly if item not in together]
    several = [each for each in VIEW.sets if len(each) > 1]
    assert len(new) == sum(map(len, several)) == 2
    assert all(len(item.sentences) == 1 for item in new)
    assert all(item.target == Target.REFUTES and item.weight < 1 for item in new)


@given(
    st.lists(st.lists(st.integers(1, 9), max_size=60).map(tuple), max_size=8), st.integers(8, 90)
)
def test_sentences_are_cut_until_they_fit(sentences: list[tuple[int, ...]], room: int) -> None:
    cut = fitted(sentences, room)
    assert sum(len(each) + 1 for each in cut) <= max(room, len(sentences))
    assert all(
        whole_one[: len(each)] == each for whole_one, each in zip(sentences, cut, strict=True)
    )


def test_marked_sentences_are_neither_evidence_nor_unrelated() -> None:
    view = replace(VIEW, marked=frozenset({0}))
    [item] = whole(view, maker())
    assert item.stances == (IGNORED, 1, 1, 2, 1, 2)
    for seed in range(10):
        plain = short(view, maker(), random.Random(seed), plain=9)
        assert all(stance != IGNORED for item in plain[3:] for stance in item.stances)
    silent = View("aspirin", DOCUMENT, GoldEvidence(Label.NOT_ENOUGH_INFO), frozenset({3}))
    [near] = short(silent, maker(), random.Random(0), plain=0)
    assert (near.target, near.stances) == (Target.NOT_ENOUGH_INFO, (2,))


def test_check_covid_marks_sentences(tmp_path: Path) -> None:
    rows = [
        {
            "id": number,
            "cord_id": "c",
            "label": label,
            "evidence_set": [
                {"sent_index": 1, "type": "PRIMARY"},
                {"sent_index": 4, "type": "SUPPLEMENTARY"},
            ],
        }
        for number, label in enumerate(("SUPPORT", "NOTENOUGHINFO"))
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "claims_train.jsonl").write_text(text)
    found = context_of("check-covid", tmp_path, "train")
    assert found == {("0", "c"): frozenset({4}), ("1", "c"): frozenset({1})}
    assert not context_of("scifact", tmp_path, "train")


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


def own_folder(folder: Path) -> Path:
    documents = [
        {"doc_id": n, "title": f"trial {n}", "abstract": [f"aspirin trial {n}", "heart attack"]}
        for n in range(6)
    ]
    claims = [
        {
            "id": n,
            "claim": f"aspirin {n}",
            "evidence": {str(n): [{"sentences": [0], "label": ("SUPPORT", "CONTRADICT")[n % 2]}]},
            "cited_doc_ids": [n],
        }
        for n in range(5)
    ]
    for name, rows in (("corpus", documents), ("claims_train", claims)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text)
    return folder


def test_a_folder_of_ones_own_is_read(tmp_path: Path) -> None:
    pool = open_pool(str(own_folder(tmp_path)), candidates=4)
    assert len(pool.claims) == 5
    first = pool.claims[0]
    assert [view.target for view in pool.known(first)] == [Target.SUPPORTS]
    negatives = pool.negatives(first, 3)
    assert negatives
    assert "0" not in {view.document.id for view in negatives}
    learnt, held = pool.divided(0, 2)
    names = {each.claim.id for each in pool.claims}
    assert {each.claim.id for each in (*learnt.claims, *held.claims)} == names
    assert len(pool.divided(None, 2)[0].claims) == 5


def test_data_to_be_measured_on_is_refused() -> None:
    check_data("scifact")
    with pytest.raises(ConfigurationError, match="for measuring only"):
        check_data("healthver")
    with pytest.raises(UnknownNameError, match="scifact"):
        check_data("nowhere")


def test_weak_items_mark_the_edited_sentence() -> None:
    paper = document_of(
        "p",
        "Aspirin in men",
        (
            "We gave tea to many mice.",
            "Rats were fed with plain rice.",
            "Nothing else was done here.",
            "Thus aspirin increases the risk of bleeding in older adults.",
        ),
    )
    other = document_of("o", "Tea", ("Tea lowers iron.", "It was a trial."))
    for seed in range(20):
        items = items_of(paper, other, maker(200), random.Random(seed))
        assert [item.target for item in items[:2]] == [Target.SUPPORTS, Target.REFUTES]
        for item in items[:2]:
            assert [stance for stance in item.stances if stance != 2] == [item.target]
        assert all(item.target == Target.NOT_ENOUGH_INFO for item in items[2:])


@given(st.lists(st.sampled_from([*Target, IGNORED]), min_size=1, max_size=5))
def test_an_item_without_stance_keeps_what_is_evidence_and_what_is_not(stances: list[int]) -> None:
    item = replace(shown(VIEW, [0], maker()), stances=tuple(stances), target=stances[0])
    plain = without_stance(item)
    assert not {Target.SUPPORTS, Target.REFUTES} & {*plain.stances, plain.target}
    for before, after in zip((*stances, item.target), (*plain.stances, plain.target), strict=True):
        assert (after == Target.DECIDED) == (before in {0, 1, Target.DECIDED})
        assert after in {before, Target.DECIDED}
