from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.errors import InputError
from claimscope.library.lexical import LexicalWriter
from claimscope.library.local import LocalLibrary

from .papers import paper


def ids(library: LocalLibrary, query: str, k: int = 10) -> list[str]:
    return [hit.document_id for hit in library.search([query], k)[0]]


@pytest.mark.parametrize(
    "query",
    [
        'aspirin AND "heart" (OR NOT: title:x',
        "text:aspirin",
        "+aspirin -heart ^2 ~ * ? [a TO b] {",
        "aspirin\x00heart",
        "ASPIRINS",
        "\u202easpirin\u202c 💊",
    ],
)
def test_a_query_is_text_and_has_no_syntax(opened: LocalLibrary, query: str) -> None:
    opened.add([paper("a", "Aspirin and the heart."), paper("b", "Statins and bones.")])
    assert ids(opened, query)[0] == "a"


@pytest.mark.parametrize("query", ["", " \n\t", "!?() \x00", "💊", "x" * 100_000])
def test_a_query_without_terms_finds_nothing(opened: LocalLibrary, query: str) -> None:
    opened.add([paper("a", "Aspirin.")])
    assert opened.search([query], 5) == [[]]


@settings(max_examples=50, deadline=None)
@given(st.text())
def test_no_text_breaks_a_search(library: LocalLibrary, query: str) -> None:
    assert len(library.search([query], 3)[0]) <= 3


def test_title_and_abstract_are_one_text(opened: LocalLibrary) -> None:
    opened.add([paper("a", "Bones.", title="Aspirin"), paper("b", "Aspirin.", title="Bones")])
    first, second = opened.search(["aspirin"], 2)[0]
    assert first.score == second.score


def test_an_empty_library_answers(opened: LocalLibrary) -> None:
    assert opened.search(["aspirin", "heart"], 3) == [[], []]


def test_the_number_of_results_must_be_positive(opened: LocalLibrary) -> None:
    with pytest.raises(InputError, match="at least one"):
        opened.search(["aspirin"], 0)


def test_ties_are_broken_by_id_also_across_the_cut(opened: LocalLibrary) -> None:
    names = [f"d{number:03}" for number in range(200)]
    for part in (names[150:], names[:50], names[50:150]):
        opened.add(paper(name, "Aspirin.", title="Same") for name in part)
    assert ids(opened, "aspirin", 5) == names[:5]
    assert ids(opened, "aspirin", 120) == names[:120]


def test_a_very_long_query_answers_and_keeps_its_rare_words(opened: LocalLibrary) -> None:
    opened.add(paper(f"d{number}", f"word{number} common.") for number in range(1500))
    query = " ".join(f"word{number} unknown{number} common" for number in range(700, 1500))
    assert len(query) > 20_000
    assert len(ids(opened, query, 20)) == 20
    opened.add([paper("rare", "Zebra common.")])
    assert ids(opened, query + " zebra") != []


def test_searches_may_run_in_threads(library: LocalLibrary) -> None:
    queries = ["aspirin heart attack", "measles autism", "ice"] * 30
    expected = library.search(queries, 4)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda query: library.search([query], 4)[0], queries))
    assert found == expected


def test_a_reader_sees_what_another_commits_without_reopening(
    folder: Path, opened: LocalLibrary
) -> None:
    with LocalLibrary(folder) as reader:
        assert ids(reader, "aspirin") == []
        opened.add([paper("a", "Aspirin.")])
        assert ids(reader, "aspirin") == ["a"]
        opened.remove(["a"])
        assert ids(reader, "aspirin") == []
        opened.add([paper("b", "Aspirin.")])
        opened.rebuild()
        assert ids(reader, "aspirin") == ["b"]
        opened.add([paper("c", "Aspirin.")])
        assert ids(reader, "aspirin") == ["b", "c"]


def test_an_index_entry_without_a_document_never_surfaces(
    folder: Path, opened: LocalLibrary
) -> None:
    opened.add([paper("a", "Aspirin.")])
    writer = LexicalWriter(folder / "lexical")
    writer.stage([], [(99, "aspirin aspirin aspirin")], 99)
    writer.commit()
    writer.close()
    assert ids(opened, "aspirin", 1) == ["a"]


def test_an_updated_document_stays_findable_while_the_index_lags(
    folder: Path, opened: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.add([paper("a", "Aspirin.")])
    monkeypatch.setattr("claimscope.library.recovery.stage", lambda *_: 0)
    opened.add([paper("a", "Ibuprofen.")])
    assert ids(opened, "aspirin") == ["a"]
    opened.remove(["a"])
    assert ids(opened, "aspirin") == []


def test_scifact_recall_and_no_wrong_merge(data_folder: Path, folder: Path) -> None:
    """The figures of BM25 on SciFact dev, evidence abstracts, macro, as the issue asks them."""
    import json

    from claimscope.types import Document

    corpus = data_folder / "scifact" / "corpus.jsonl"
    claims = data_folder / "scifact" / "claims_dev.jsonl"
    with LocalLibrary(folder, create=True) as library:
        with corpus.open(encoding="utf-8") as lines:
            records = map(json.loads, lines)
            report = library.add(
                Document(str(record["doc_id"]), record["title"], " ".join(record["abstract"]))
                for record in records
            )
        assert (report.added, report.merged) == (5183, ())
        with claims.open(encoding="utf-8") as lines:
            gold = [claim for claim in map(json.loads, lines) if claim["evidence"]]
        rankings = library.search([claim["claim"] for claim in gold], 20)
    for k, least in {1: 71.0, 3: 85.5, 5: 88.0, 10: 93.5, 20: 95.0}.items():
        recalls = [
            sum(hit.document_id in claim["evidence"] for hit in ranking[:k])
            / len(claim["evidence"])
            for claim, ranking in zip(gold, rankings, strict=True)
        ]
        assert 100 * sum(recalls) / len(recalls) >= least
