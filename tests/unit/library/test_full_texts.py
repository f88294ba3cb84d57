from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from claimscope.errors import InputError
from claimscope.ingest import jsonl
from claimscope.library import migrations
from claimscope.library.export import export_to
from claimscope.library.local import LocalLibrary
from claimscope.library.protocol import PassageSearch
from claimscope.text import split_sentences
from claimscope.types import Document, Section

from .papers import paper


def section(heading: str, text: str, page: int | None = None) -> Section:
    return Section(heading, text, tuple(split_sentences(text)), page)


RESULTS = section("Results", "Forty adults slept. Caffeine delayed sleep by an hour.", 4)
BODY = (section("Methods", "We gave caffeine or water to adults.", 2), RESULTS)


def whole(name: str, body: tuple[Section, ...] = BODY, **meta: object) -> Document:
    return replace(paper(name, "Nothing is said here.", **meta), body=body)


def count(folder: Path, table: str) -> int:
    with closing(sqlite3.connect(folder / "library.sqlite")) as connection:
        return int(connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


def test_a_full_text_comes_back_as_it_was(opened: LocalLibrary) -> None:
    opened.add([whole("a"), paper("b", "Text."), paper("c")])
    assert opened.get(["a"]) == [whole("a")]
    assert [item.depth for item in opened.documents()] == ["full text", "abstract", "title"]


def test_the_full_text_is_part_of_the_revision(opened: LocalLibrary) -> None:
    opened.add([replace(whole("a"), body=())])
    before = opened.revision
    assert opened.add([whole("a")]).updated == 1
    assert opened.revision != before
    assert opened.add([whole("a")]).unchanged == 1
    opened.add([replace(whole("a"), body=())])
    assert opened.revision == before


def test_passages_are_found_with_their_place(opened: LocalLibrary) -> None:
    assert isinstance(opened, PassageSearch)
    opened.add([whole("a"), whole("b", (section("", "Tea is a drink."),))])
    [hits, none, tea] = opened.search_passages(["sleeping delays", "zebra", "teas"], 5)
    assert [(hit.document_id, hit.heading, hit.page) for hit in hits] == [("a", "Results", 4)]
    assert RESULTS.text[hits[0].start :].startswith(hits[0].text)
    assert none == []
    assert [hit.document_id for hit in tea] == ["b"]
    assert opened.search_passages(["caffeine"], 5, within=["b"]) == [[]]
    with pytest.raises(InputError):
        opened.search_passages(["x"], 0)


@pytest.mark.parametrize("query", ['"', "NEAR(", "a AND", "text:x*", "(", "", "'; DROP TABLE x"])
def test_a_query_is_words_and_no_language(opened: LocalLibrary, query: str) -> None:
    opened.add([whole("a")])
    assert len(opened.search_passages([query], 3)) == 1


def test_what_is_removed_or_replaced_is_found_no_more(opened: LocalLibrary, folder: Path) -> None:
    opened.add([whole("a"), whole("b")])
    opened.add([whole("a", (section("", "Tea is a drink."),))])
    opened.remove(["b"])
    assert opened.search_passages(["caffeine"], 5) == [[]]
    assert [hit.document_id for hit in opened.search_passages(["tea"], 5)[0]] == ["a"]
    opened.undo()
    assert [hit.document_id for hit in opened.search_passages(["caffeine"], 5)[0]] == ["b", "b"]
    assert opened.get(["b"]) == [whole("b")]
    opened.remove(["b"])
    opened.compact()
    assert count(folder, "full_texts") == 1


def test_records_of_one_paper_keep_the_longest_full_text(opened: LocalLibrary) -> None:
    title = "Caffeine and the sleep of healthy adults"
    opened.add([paper("a", "Coffee delays sleep.", title, doi="10.1000/x")])
    copy = replace(whole("b", doi="10.1000/x"), title=title)
    assert opened.add([copy]).merged
    assert opened.get(["a"])[0].body == BODY
    assert opened.search_passages(["caffeine"], 5)[0][0].document_id == "a"
    opened.undo()
    assert opened.get(["a"])[0].body == ()
    assert opened.search_passages(["caffeine"], 5) == [[]]


def test_an_export_makes_the_identical_library(opened: LocalLibrary, tmp_path: Path) -> None:
    opened.add([whole("a")])
    file = tmp_path / "out.jsonl"
    export_to(opened, str(file))
    with LocalLibrary(tmp_path / "again", create=True) as again:
        again.add(item for item in jsonl.read(file) if isinstance(item, Document))
        assert again.revision == opened.revision


def test_an_older_library_gains_full_texts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:6])
        with LocalLibrary(folder, create=True):
            pass
    assert count(folder, "sqlite_schema WHERE name = 'full_texts'") == 0
    with LocalLibrary(folder) as library:
        library.add([whole("a")])
        assert library.get(["a"]) == [whole("a")]


def test_offsets_that_do_not_fit_are_refused(opened: LocalLibrary) -> None:
    with pytest.raises(InputError, match="full text"):
        opened.add([whole("a", (Section("", "Short.", ((0, 99),)),))])
