from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from claimscope.library.lexical import LexicalWriter
from claimscope.library.local import LocalLibrary
from claimscope.library.verify import Fault

from .papers import paper
from .test_recovery import segment_file


@pytest.fixture
def filled(opened: LocalLibrary) -> LocalLibrary:
    opened.add(paper(name, f"Aspirin {name}.") for name in ("a", "b", "c"))
    return opened


def faults(library: LocalLibrary) -> set[tuple[Fault, str]]:
    return {(problem.fault, problem.subject) for problem in library.verify()}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (
            "UPDATE documents SET title = 'x' WHERE id = 'a'",
            {(Fault.CONTENT, "a"), (Fault.TEXT, "a")},
        ),
        ("UPDATE documents SET meta = '{\"year\":1}' WHERE id = 'a'", {(Fault.CONTENT, "a")}),
        (
            "UPDATE documents SET spans = '[0,99]' WHERE id = 'b'",
            {(Fault.CONTENT, "b"), (Fault.SPANS, "b")},
        ),
        (
            "UPDATE documents SET sequence = 50 WHERE id = 'c'",
            {(Fault.MISSING, "c"), (Fault.EXTRA, "3")},
        ),
    ],
)
def test_a_changed_store_is_named(
    folder: Path, filled: LocalLibrary, statement: str, expected: set[tuple[Fault, str]]
) -> None:
    assert faults(filled) == set()
    with closing(sqlite3.connect(folder / "library.sqlite")) as connection:
        connection.execute(statement)
        connection.commit()
    assert faults(filled) == expected


def test_a_lost_document_is_named(folder: Path, filled: LocalLibrary) -> None:
    with closing(sqlite3.connect(folder / "library.sqlite")) as connection:
        connection.execute("DELETE FROM documents WHERE id = 'b'")
        connection.commit()
    assert faults(filled) == {(Fault.REVISION, filled.revision), (Fault.EXTRA, "2")}


def test_a_lagging_index_is_named(filled: LocalLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimscope.library.recovery.stage", lambda *_: 0)
    filled.add([paper("a", "Ibuprofen.")])
    assert faults(filled) == {
        (Fault.INDEX, "lexical"),
        (Fault.STALE, "a"),
        (Fault.MISSING, "a"),
    }


def test_an_entry_that_is_there_twice_is_named(folder: Path, filled: LocalLibrary) -> None:
    writer = LexicalWriter(folder / "lexical")
    writer.stage([], [(2, "aspirin")], 3)
    writer.staged = 4
    writer.commit()
    writer.close()
    assert (Fault.EXTRA, "b") in faults(filled)


def test_a_flipped_bit_in_the_index_is_named(folder: Path, filled: LocalLibrary) -> None:
    path = segment_file(folder / "lexical", ".idx")
    content = bytearray(path.read_bytes())
    content[3] ^= 1
    path.write_bytes(bytes(content))
    assert (Fault.INDEX, path.name) in faults(filled)


def test_a_damaged_page_of_the_store_is_named(folder: Path, filled: LocalLibrary) -> None:
    filled.compact()
    filled.close()
    path = folder / "library.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_schema SET rootpage ="
            " (SELECT rootpage FROM sqlite_schema WHERE name = 'retired')"
            " WHERE name = 'documents_doi'"
        )
        connection.commit()
    with LocalLibrary(folder) as library:
        assert any(fault is Fault.STORE for fault, _ in faults(library))
