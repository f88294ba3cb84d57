"""The lexical index: BM25 by tantivy over title and abstract as one text.

The index is derived from the store and follows it by the numbers of its changes. Every entry is a
text, with a fingerprint of it, and the sequence of the document version it was made from;
`applied.json`, written after each commit, tells of which library the index is, up to which sequence
it is complete, and what the library's revision was then. When that file is behind (the process died
between the two), the same changes are applied again, which alters nothing.

Tantivy fixes BM25's k1 at 1.2 and b at 0.75. Its term statistics count removed entries until
segments are merged, so scores move slightly with the history of a library; a rebuild or a
compaction makes them a function of the documents alone.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from stat import S_IMODE
from typing import Any

import tantivy

from claimscope.library.applied import (
    MARK_NAME,
    Applied,
    UnusableIndexError,
    fingerprint,
    read_applied,
    write_applied,
)
from claimscope.library.checksums import FAST, damaged_files
from claimscope.library.faults import IndexFailedError, engine_faults, engine_panics
from claimscope.library.lock import lockable

FOLDER_NAME = "lexical"

_TEXT, _SEQUENCE, _FINGERPRINT = "text", "sequence", "fingerprint"
_HEAP_BYTES = 64_000_000
_LONGEST_TOKEN = 40
_TRIES = 50
"""How often opening begins anew because another process committed meanwhile."""
_MOST_TERMS = 512
"""A longer query keeps its rarest terms, which carry nearly all of the score."""
_DIGITS = 4
"""Decimals of a score: fewer than float32 holds, so that the order of summation cannot show."""


Stamp = tuple[int, int, int] | None


class LexicalIndex:
    """Searches the index in a folder, and sees what other processes commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._meta = folder / "meta.json"
        self._lock = threading.Lock()
        read_applied(folder)
        self._open()

    def _open(self) -> None:
        """Open the newest commit; a writer may clear away its files while they are being opened."""
        for _ in range(_TRIES):
            stamp = _stamp(self._meta)
            try:
                self._open_once()
                self._stamp = stamp
                return
            except (OSError, ValueError, IndexFailedError, UnusableIndexError) as error:
                failed = error
            if _stamp(self._meta) == stamp:
                break
        raise UnusableIndexError(f"it cannot be read ({failed})") from failed

    def _open_once(self) -> None:
        if damaged := next(damaged_files(self.folder, FAST), None):
            raise UnusableIndexError(f"its file {damaged.name} is damaged")
        with engine_panics(self.folder.parent), lockable(self.folder) as folder:
            index = tantivy.Index.open(str(folder))
            # Reloading by hand spares a thread that would watch the file.
            index.config_reader("manual")
            index.reload()
            self._index, self._searcher = index, index.searcher()
            self._can_reload = folder == self.folder

    @property
    def applied(self) -> Applied:
        """What the index is known to hold."""
        return read_applied(self.folder)

    def entries(self) -> list[tuple[int, int]]:
        """Give the sequence of every entry, and the fingerprint of its text."""
        searcher = self._current()
        limit = max(1, searcher.num_docs)
        with engine_faults(self.folder.parent):
            hits = searcher.search(tantivy.Query.all_query(), limit=limit, count=False).hits
            sequences = _values(searcher, _SEQUENCE, hits)
            return list(zip(sequences, _values(searcher, _FINGERPRINT, hits), strict=True))

    def hits(self, query: str, limit: int) -> list[tuple[float, int]]:
        """Give the best entries for a text as (score, sequence), best first."""
        searcher = self._current()
        terms = self._rarest(searcher, analyse(query))
        if not terms or limit < 1:
            return []
        schema = self._index.schema
        clauses = [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, _TEXT, term, "freq"))
            for term in terms
        ]
        wanted = tantivy.Query.boolean_query(clauses)
        with engine_faults(self.folder.parent):
            hits = searcher.search(wanted, limit=limit, count=False).hits
            sequences = _values(searcher, _SEQUENCE, hits)
        return [
            (round(score, _DIGITS), sequence)
            for (score, _), sequence in zip(hits, sequences, strict=True)
        ]

    def _rarest(self, searcher: tantivy.Searcher, terms: Sequence[str]) -> Sequence[str]:
        if len(terms) <= _MOST_TERMS:
            return terms
        frequencies = [(searcher.doc_freq(_TEXT, term), term) for term in terms]
        return [term for frequency, term in sorted(frequencies) if frequency][:_MOST_TERMS]

    def _current(self) -> tantivy.Searcher:
        """Give a searcher on the newest commit, also when another process made it."""
        with self._lock:
            stamp = _stamp(self._meta)
            if stamp != self._stamp:
                # While another process replaces the folder, the open files still answer.
                with suppress(ValueError, UnusableIndexError):
                    self._follow(stamp)
            return self._searcher

    def _follow(self, stamp: Stamp) -> None:
        if not self._can_reload:
            self._open()
            return
        self._index.reload()
        self._searcher, self._stamp = self._index.searcher(), stamp


class LexicalWriter:
    """Applies the store's changes to the index; the caller holds the library's writer lock."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._applied = read_applied(folder)
        self.staged, self._revision = self._applied.sequence, self._applied.revision
        with engine_faults(folder.parent):
            index = tantivy.Index.open(str(folder))
            self._schema = index.schema
            self._writer = index.writer(_HEAP_BYTES, 1)
            # A killed process leaves files whose names the same changes would use again.
            self._writer.garbage_collect_files()
            # What a process committed without living to note it is taken out and comes anew.
            self._writer.delete_documents_by_query(
                tantivy.Query.range_query(
                    self._schema,
                    _SEQUENCE,
                    tantivy.FieldType.Unsigned,
                    lower_bound=self.staged,
                    include_lower=False,
                )
            )

    def stage(
        self,
        retired: Iterable[int],
        added: Iterable[tuple[int, str]],
        sequence: int,
        revision: str = "",
    ) -> int:
        """Take entries out and put others in, to be found after `commit`; count those put in.

        `sequence` and `revision` are those of the store after these changes. Tantivy
        analyses them in a thread of its own while the caller goes on.
        """
        count = 0
        with engine_faults(self.folder.parent):
            # Deleting by term would take the number for a signed one and silently match nothing.
            self._writer.delete_documents_by_query(
                tantivy.Query.term_set_query(self._schema, _SEQUENCE, list(retired))
            )
            for number, text in added:
                entry = tantivy.Document(text=text)
                entry.add_unsigned(_SEQUENCE, number)
                entry.add_unsigned(_FINGERPRINT, fingerprint(text))
                self._writer.add_document(entry)
                count += 1
        self.staged, self._revision = sequence, revision
        _share(self.folder)
        return count

    def commit(self) -> None:
        """Commit the staged changes: make them durable and searchable."""
        if self.staged == self._applied.sequence:
            return
        with engine_faults(self.folder.parent):
            self._writer.commit()
        _share(self.folder)
        applied = replace(self._applied, sequence=self.staged, revision=self._revision)
        write_applied(self.folder, applied)
        self._applied = applied

    def close(self) -> None:
        """Let the merging of segments come to its end and free the index for other writers."""
        with engine_faults(self.folder.parent):
            self._writer.wait_merging_threads()
        _share(self.folder)


def create(folder: Path) -> None:
    """Make an empty index in an empty folder."""
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field(_SEQUENCE, indexed=True, fast=True)
    builder.add_unsigned_field(_FINGERPRINT, fast=True)
    builder.add_text_field(_TEXT, tokenizer_name="en_stem", index_option="freq")
    with engine_faults(folder.parent):
        tantivy.Index(builder.build(), path=str(folder))


def _share(folder: Path) -> None:
    """Give the files that tantivy keeps to their owner the permissions of the others."""
    # A file that another user wrote keeps that user's permissions.
    with suppress(OSError):
        mode = (folder / MARK_NAME).stat().st_mode
        for name in ("meta.json", ".managed.json"):
            (folder / name).chmod(S_IMODE(mode))


def analyse(text: str) -> list[str]:
    """Give a text's distinct terms as the index's analyser makes them, in order of appearance."""
    return list(dict.fromkeys(tokens(text)))


def tokens(text: str) -> list[str]:
    """Give every token of a text as the index's analyser makes them."""
    # A terminal may hand over half a character, which tantivy cannot take.
    whole = text.encode(errors="replace").decode()
    found: list[str] = _analyser().analyze(whole)
    return found


@cache
def _analyser() -> tantivy.TextAnalyzer:
    """Make tantivy's `en_stem`, which Python cannot reach by name."""
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(_LONGEST_TOKEN))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


def _values(searcher: tantivy.Searcher, field: str, hits: Sequence[tuple[Any, Any]]) -> list[int]:
    values = searcher.fast_field_values(field, [address for _, address in hits])
    return [int(value) for value in values if value is not None]


def _stamp(path: Path) -> Stamp:
    """Tell whether a file that is only ever replaced was replaced."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
