"""Finds every disagreement inside the store, and between the store and the index."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from claimscope.errors import LibraryDamagedError
from claimscope.library.applied import UnusableIndexError, fingerprint
from claimscope.library.checksums import damaged_files
from claimscope.library.faults import IndexFailedError
from claimscope.library.lexical import LexicalIndex
from claimscope.library.record import HASH_BYTES, Record, content_hash, spans_are_sound
from claimscope.library.store import Store


class Fault(Enum):
    """The kinds of disagreement."""

    STORE = "store"
    REVISION = "revision"
    CONTENT = "content"
    SPANS = "spans"
    MISSING = "missing"
    STALE = "stale"
    EXTRA = "extra"
    INDEX = "index"
    WEIGHTS = "weights"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Problem:
    """One disagreement, named."""

    fault: Fault
    subject: str
    """The document, the file or the number that is wrong."""
    sentence: str


def verify(store: Store, index: LexicalIndex) -> Iterator[Problem]:
    """Name every disagreement; giving nothing means that all is well."""
    yield from _check_file(store)
    yield from _check_records(store)
    yield from _check_checksums(index.folder)
    yield from _check_index(store, index)


def _check_file(store: Store) -> Iterator[Problem]:
    try:
        rows = store.rows("PRAGMA integrity_check")
    except LibraryDamagedError as error:
        rows = [(str(error),)]
    for (message,) in rows:
        if message != "ok":
            yield Problem(Fault.STORE, store.path.name, f"SQLite reports: {message}.")


def _check_records(store: Store) -> Iterator[Problem]:
    total = 0
    for record in store.records():
        total += int.from_bytes(record.content_hash, "big")
        yield from check_record(record)
    revision = f"{total % (1 << 8 * HASH_BYTES):0{2 * HASH_BYTES}x}"
    if revision != store.revision:
        yield Problem(
            Fault.REVISION,
            store.revision,
            f"The documents add up to revision {revision}, but the store says {store.revision}.",
        )


def check_record(record: Record) -> Iterator[Problem]:
    """Name what is wrong with one record."""
    parts = (record.id, record.title, record.abstract, record.spans, record.meta)
    if content_hash(*parts) != record.content_hash:
        yield Problem(
            Fault.CONTENT,
            record.id,
            f"The content of document {record.id!r} is not what was stored; import it again.",
        )
    offsets = json.loads(record.spans)
    spans = tuple(zip(offsets[::2], offsets[1::2], strict=False))
    if len(offsets) % 2 or not spans_are_sound(spans, len(record.abstract)):
        yield Problem(
            Fault.SPANS,
            record.id,
            f"The sentence offsets of document {record.id!r} do not fit its abstract.",
        )


def _check_index(store: Store, index: LexicalIndex) -> Iterator[Problem]:
    try:
        entries = index.entries()
        applied = index.applied
    except (UnusableIndexError, IndexFailedError) as error:
        yield Problem(Fault.INDEX, index.folder.name, f"The index cannot be used: {error}.")
        return
    if applied.library != store.library_id:
        yield Problem(
            Fault.INDEX,
            index.folder.name,
            "The index belongs to another library; run 'claimscope library rebuild'.",
        )
    if applied.sequence != store.sequence:
        yield Problem(
            Fault.INDEX,
            index.folder.name,
            f"The index stands at change {applied.sequence} and the store at {store.sequence}.",
        )
    yield from _check_entries(store, entries)


def _check_entries(store: Store, entries: list[tuple[int, int]]) -> Iterator[Problem]:
    documents: dict[int, str] = {}
    texts: dict[int, int] = {}
    for sequence, name, text in store.stream(
        "SELECT sequence, id, title || ' ' || abstract FROM documents"
    ):
        documents[sequence], texts[sequence] = name, fingerprint(text)
    retired = dict(store.stream("SELECT sequence, id FROM retired"))
    seen: set[int] = set()
    for entry, text in entries:
        if entry in seen or entry not in documents:
            yield _wrong_entry(entry, documents, retired)
        elif text != texts[entry]:
            name = documents[entry]
            yield Problem(
                Fault.TEXT,
                name,
                f"The index holds another text of document {name!r} than the store; "
                "run 'claimscope library rebuild'.",
            )
        seen.add(entry)
    for sequence in documents.keys() - seen:
        name = documents[sequence]
        yield Problem(Fault.MISSING, name, f"Document {name!r} is not in the index.")


def _wrong_entry(entry: int, documents: dict[int, str], retired: dict[int, str]) -> Problem:
    if entry in documents:
        name = documents[entry]
        return Problem(Fault.EXTRA, name, f"Document {name!r} is in the index twice.")
    if entry in retired:
        name = retired[entry]
        return Problem(Fault.STALE, name, f"The index holds a former version of {name!r}.")
    return Problem(Fault.EXTRA, str(entry), f"Entry {entry} of the index belongs to no document.")


def _check_checksums(folder: Path) -> Iterator[Problem]:
    try:
        names = [path.name for path in damaged_files(folder)]
    except (OSError, ValueError) as error:
        yield Problem(Fault.INDEX, folder.name, f"The index cannot be read: {error}.")
        return
    for name in names:
        yield Problem(
            Fault.INDEX,
            name,
            f"The index file {name} is damaged; run 'claimscope library rebuild'.",
        )
