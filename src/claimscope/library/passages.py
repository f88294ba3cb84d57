"""Passages of full texts: how a text is divided, and the index in which they are searched.

The index is a table of SQLite beside the documents, so one transaction changes both. A passage is
a row whose number holds the sequence of its document and its place in it; the text itself is only
in the document.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from claimscope.errors import InputError
from claimscope.library.lexical import analyse
from claimscope.library.protocol import PassageHit
from claimscope.library.record import Record, decode_body
from claimscope.library.store import Store
from claimscope.types import Section, Span

_MOST = 4096
"""Passages of one document; the rest of a longer text is kept and not searched."""
_LENGTH = 1_000
"""Characters after which a passage ends with its sentence."""
_MOST_TERMS = 64


@dataclass(frozen=True, slots=True)
class Passage:
    """Some sentences of a section that follow one another."""

    section: int
    start: int
    end: int
    spans: tuple[Span, ...]
    """The sentences, in characters of the section's text."""


def divide(body: Sequence[Section]) -> Iterator[Passage]:
    """Divide a full text into passages; none goes beyond its section."""
    for number, section in enumerate(body):
        spans: list[Span] = []
        for span in section.spans:
            spans.append(span)
            if span[1] - spans[0][0] >= _LENGTH:
                yield _passage(number, spans)
                spans = []
        if spans:
            yield _passage(number, spans)


def _passage(section: int, spans: list[Span]) -> Passage:
    return Passage(section, spans[0][0], spans[-1][1], tuple(spans))


def _rows(sequence: int, record: Record) -> Iterator[tuple[int, str]]:
    body = decode_body(record.body)
    for place, passage in zip(range(_MOST), divide(body), strict=False):
        section = body[passage.section]
        text = f"{section.heading} {section.text[passage.start : passage.end]}"
        yield sequence * _MOST + place, text


def put(connection: sqlite3.Connection, sequence: int, record: Record) -> None:
    """Index the passages of a document."""
    connection.executemany(
        "INSERT INTO passages (rowid, text) VALUES (?, ?)", _rows(sequence, record)
    )


def drop(connection: sqlite3.Connection, sequence: int, record: Record) -> None:
    """Take the passages of a document out; the index has to be told what they were."""
    connection.executemany(
        "INSERT INTO passages (passages, rowid, text) VALUES ('delete', ?, ?)",
        _rows(sequence, record),
    )


def search(
    store: Store, query: str, k: int, within: Iterable[str] | None = None
) -> list[PassageHit]:
    """Give the k best passages for a query, of all documents or of some."""
    if k < 1:
        raise InputError(f"A search needs at least one result to look for, not {k}.")
    words = analyse(query)[:_MOST_TERMS]
    if not words or not store.has_full_texts:
        return []
    wanted = " OR ".join(f'"{word}"' for word in words)
    among, values = "", []
    if within is not None:
        among = " AND documents.id IN (SELECT value FROM json_each(?))"
        values = [json.dumps(list(within))]
    found = store.rows(
        "SELECT documents.id, passages.rowid, -bm25(passages) AS score, body FROM passages"
        f" JOIN documents ON documents.sequence = passages.rowid / {_MOST}"
        " JOIN full_texts USING (content_hash)"
        f" WHERE passages MATCH ?{among} ORDER BY score DESC, documents.id, passages.rowid LIMIT ?",
        *(wanted, *values, k),
    )
    return [_hit(*row) for row in found]


def _hit(document_id: str, row: int, score: float, text: str) -> PassageHit:
    body = decode_body(text)
    passage = next(each for place, each in enumerate(divide(body)) if place == row % _MOST)
    section = body[passage.section]
    return PassageHit(
        document_id,
        round(score, 4),
        passage.section,
        section.heading,
        section.page,
        passage.start,
        section.text[passage.start : passage.end],
    )
