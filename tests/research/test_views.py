"""Pools of labelled claims, and the ways their abstracts are shown."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.datasets.files import document_of
from claimscope.errors import ConfigurationError, UnknownNameError
from tests.tiny_models import REASON
from tests.unit.train.small_data import own_folder

pytest.importorskip("torch", reason=REASON)

from claimscope.train.verifier.abstracts import Target, View
from recipe.pools import check_data, context_of, open_pool
from recipe.views import KNOWN, glimpse, nearest_singly, trimmed
from tests.unit.train.test_abstracts import VIEW, maker


@given(st.integers(0, 10_000))
def test_a_trimmed_abstract_keeps_a_whole_rationale(seed: int) -> None:
    item = trimmed(VIEW, maker(), random.Random(seed))
    assert item.target == Target.REFUTES
    assert item.weight == 1.0
    assert 1 <= len(item.row.spans) <= 5


def test_a_glimpse_shows_what_looks_most_like_evidence() -> None:
    texts = ("aspirin was given", "nothing else", "aspirin lowers the risk", "aspirin and risk")
    view = View("aspirin lowers risk", document_of("d", "a trial", texts), None)
    alone = maker().shown(view, [2, 3])
    assert glimpse(view, maker()) == alone
    assert alone.target == Target.NOT_ENOUGH_INFO


def test_rationales_and_single_sentences_are_shown_alone() -> None:
    rationales = KNOWN["rationale"](VIEW, maker(), random.Random(0))
    assert [len(each.row.spans) for each in rationales] == [2, 1]
    assert {each.target for each in rationales} == {Target.REFUTES}
    [single] = KNOWN["single"](VIEW, maker(), random.Random(0))
    assert (len(single.row.spans), single.target) == (1, Target.NOT_ENOUGH_INFO)
    [nearest] = nearest_singly(View("heart attack 3", VIEW.document, None), maker(), 1)
    assert nearest.target == Target.NOT_ENOUGH_INFO


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
