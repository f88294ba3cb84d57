"""What becomes of one incoming document: added, updated, unchanged, or merged into another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum
from typing import Protocol

from claimscope.library.composition import Composition
from claimscope.library.identity import Identities, identities, same_paper
from claimscope.library.protocol import AddReport, Merge
from claimscope.library.record import Original, Record, decode, encode
from claimscope.types import Document

_COMPOSITIONS = 256
"""How many papers of several records are kept in memory; the next duplicate is then cheap."""


class Outcome(Enum):
    """What happened to a document."""

    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


class Writer(Protocol):
    """Where documents are kept: a store on this disk, or a collection on a server."""

    def expect(self, ids: Sequence[str]) -> None:
        """Look ids up together, for the questions about each that follow."""

    def expect_identities(self, identities: Iterable[Identities], /) -> None:
        """Look identities up together, for the search for lookalikes of each."""

    def content_hash(self, document_id: str) -> bytes | None:
        """Give the fingerprint of a document, if it is there."""

    def lookalikes(self, identities: Identities, /) -> list[Record]:
        """Give the documents that share an identity."""

    def original(self, record_id: str) -> Original | None:
        """Give a record that was merged."""

    def originals(self, kept_id: str) -> list[Record]:
        """Give the records that make up a document: its own first, then by id."""

    def put_original(self, original: Original) -> None:
        """Keep a record that is one of several of the same paper."""

    def drop_originals(self, kept_id: str) -> None:
        """Forget the records a document was made of."""

    def drop(self, document_id: str) -> bool:
        """Remove a document's newest version and say whether there was one."""

    def put(self, record: Record, identities: Identities, /) -> None:
        """Write a document whose id is not there."""


class Intake:
    """Takes documents in, inside transactions of the store, and counts what became of them."""

    def __init__(self, writer: Writer, merge: bool = True) -> None:
        self._writer = writer
        self._merges_duplicates = merge
        self._counts = dict.fromkeys(Outcome, 0)
        self._without_abstract = 0
        self._merges: list[Merge] = []
        self._compositions: dict[str, Composition] = {}

    @property
    def report(self) -> AddReport:
        """The report on all documents so far."""
        return AddReport(
            self._counts[Outcome.ADDED],
            self._counts[Outcome.UPDATED],
            self._counts[Outcome.UNCHANGED],
            self._without_abstract,
            tuple(self._merges),
        )

    def take(self, documents: Sequence[Document]) -> None:
        """Take in documents one by one; lookups are made for the whole batch."""
        records = [encode(document) for document in documents]
        self._writer.expect([record.id for record in records])
        keys = [self._keys(record, each) for record, each in zip(records, documents, strict=True)]
        self._writer.expect_identities(filter(None, keys))
        for document, record, own in zip(documents, records, keys, strict=True):
            outcome = self._take(document, record, own)
            self._counts[outcome] += 1
            if outcome is not Outcome.UNCHANGED and not document.has_abstract:
                self._without_abstract += 1

    def _keys(self, record: Record, document: Document) -> Identities | None:
        """Give the identities of a document, unless the library has it as it is."""
        if self._writer.content_hash(record.id) == record.content_hash:
            return None
        return identities(document)

    def _take(self, document: Document, record: Record, keys: Identities | None) -> Outcome:
        if known := self._writer.original(record.id):
            return self._again(record, known)
        stored = self._writer.content_hash(record.id)
        if stored == record.content_hash:
            return Outcome.UNCHANGED
        keys = keys or identities(document)
        if stored is not None:
            self._writer.drop(record.id)
        elif self._merges_duplicates and (match := self._match(document, keys)):
            return self._merge(record, *match)
        self._writer.put(record, keys)
        return Outcome.ADDED if stored is None else Outcome.UPDATED

    def _match(self, document: Document, keys: Identities) -> tuple[Record, str] | None:
        for candidate in self._writer.lookalikes(keys):
            if reason := same_paper(decode(candidate), document):
                return candidate, reason
        return None

    def _merge(self, record: Record, kept: Record, reason: str) -> Outcome:
        self._merges.append(Merge(record.id, kept.id, reason))
        if self._writer.original(kept.id) is None:
            self._writer.put_original(Original(kept.id, None, kept))
        self._writer.put_original(Original(kept.id, reason, record))
        return self._compose(kept.id, record)

    def _again(self, record: Record, former: Original) -> Outcome:
        """Take in anew a record that is part of a merged document."""
        if former.reason is not None:
            self._merges.append(Merge(record.id, former.kept_id, former.reason))
        if record.content_hash == former.record.content_hash:
            return Outcome.UNCHANGED
        self._writer.put_original(replace(former, record=record))
        # What the record said before may be in the document, so that all have to be read again.
        self._compositions.pop(former.kept_id, None)
        return self._compose(former.kept_id, record)

    def _compose(self, kept_id: str, new: Record) -> Outcome:
        """Make a document of its records, one of which is new."""
        document = self._composition(kept_id, new).document
        record = encode(document)
        if record.content_hash == self._writer.content_hash(kept_id):
            return Outcome.UNCHANGED
        self._writer.drop(kept_id)
        self._writer.put(record, identities(document))
        return Outcome.UPDATED

    def _composition(self, kept_id: str, new: Record) -> Composition:
        known = self._compositions.pop(kept_id, None)
        if known is None:
            known = Composition(kept_id, map(decode, self._writer.originals(kept_id)))
        else:
            known.add(decode(new))
        # The one used last is the last to go.
        self._compositions[kept_id] = known
        if len(self._compositions) > _COMPOSITIONS:
            del self._compositions[next(iter(self._compositions))]
        return known
