"""FEVER's pairs as claims, pages and sets of sentences."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.datasets import LabelledClaim, find_definition
from claimscope.datasets.fever import _pages, _Row
from claimscope.datasets.record import Dataset
from claimscope.labels import Label


def opened(folder: Path, *rows: tuple[str, str, str]) -> Dataset:
    lines = [
        json.dumps({"id": f"c{number}", "claim": claim, "evidence": evidence, "label": label})
        for number, (claim, evidence, label) in enumerate(rows)
    ]
    (folder / "dev_pairs.jsonl").write_text("\n".join(lines))
    return Dataset(find_definition("fever"), folder)


def test_evidence_that_shares_a_sentence_is_one_page(tmp_path: Path) -> None:
    data = opened(
        tmp_path,
        ("One", "A Jr. -LRB- x -RRB- . B ?", "SUPPORTS"),
        ("Two", "C .", "REFUTES"),
        ("Three", "B ? D .", "REFUTES"),
    )
    pages = {page.id: page.sentences for page in data.documents()}
    assert pages == {"0": ("A Jr. ( x ) .", "B ?", "D ."), "1": ("C .",)}
    first, second, third = data.claims("dev")
    assert [each.claim.id for each in (first, second, third)] == ["c0", "c1", "c2"]
    assert (first.verdict, third.verdict) == (Label.SUPPORTS, Label.REFUTES)
    assert rationales(first) == {"0": ({0, 1},)}
    assert rationales(third) == {"0": ({1, 2},)}
    assert second.cited == ("1",)


def test_a_row_can_join_two_pages(tmp_path: Path) -> None:
    rows = (("One", "A .", "SUPPORTS"), ("Two", "B .", "SUPPORTS"), ("Three", "B . A .", "REFUTES"))
    data = opened(tmp_path, *rows)
    assert [page.sentences for page in data.documents()] == [("A .", "B .")]
    assert [rationales(each) for each in data.claims("dev")] == [
        {"0": ({0},)},
        {"0": ({1},)},
        {"0": ({0, 1},)},
    ]


def test_rows_of_one_claim_are_its_sets_and_another_label_is_another_claim(tmp_path: Path) -> None:
    rows = [("One", evidence, "SUPPORTS") for evidence in ("A . B .", "B .", "B .")]
    data = opened(tmp_path, *rows, ("One", "A .", "REFUTES"))
    supported, refuted = data.claims("dev")
    assert rationales(supported) == {"0": ({0, 1}, {1})}
    assert refuted.verdict is Label.REFUTES


def rationales(claim: LabelledClaim) -> dict[str, tuple[frozenset[int], ...]]:
    return {page: gold.rationales for page, gold in (claim.evidence or {}).items()}


SENTENCES = st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=3, unique=True)


@settings(deadline=None)
@given(st.lists(SENTENCES))
def test_every_sentence_is_on_one_page_and_a_row_on_one(texts: list[list[str]]) -> None:
    rows = [_Row("", "", tuple(text), Label.SUPPORTS) for text in texts]
    pages = _pages(rows)
    found = [sentence for page in pages.values() for sentence in page]
    assert sorted(found) == sorted({sentence for text in texts for sentence in text})
    for text in texts:
        assert sum(set(text) <= set(page) for page in pages.values()) == 1
