"""How a document is laid out in a row of the store, and the fingerprint of its content."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from hashlib import blake2b
from operator import attrgetter
from typing import Any, Self

from claimscope.errors import InputError
from claimscope.types import Document, Metadata, Section, Span

HASH_BYTES = 16
COLUMNS = "id, title, abstract, spans, meta, source, content_hash"
"""The columns that hold a record, in the order of `Record`."""
ORIGINAL_COLUMNS = f"kept_id, reason, {COLUMNS}"
"""The columns that hold a record of a merged document, in the order of `Original`."""

_NAMES = tuple(field.name for field in fields(Metadata) if field.name != "source")
_metadata = attrgetter(*_NAMES)
_DEFAULTS = _metadata(Metadata())
_SEQUENCES = frozenset(
    name for name, default in zip(_NAMES, _DEFAULTS, strict=True) if default == ()
)
_dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Record:
    """A document as the store's columns hold it."""

    id: str
    title: str
    abstract: str
    spans: str
    meta: str
    """JSON of the metadata that are known, without `source`."""
    source: str | None
    content_hash: bytes
    body: str | None = None
    """JSON of the full text, which has a table of its own."""

    @property
    def values(self) -> tuple[str | bytes | None, ...]:
        """The values for `COLUMNS`."""
        return (
            self.id,
            self.title,
            self.abstract,
            self.spans,
            self.meta,
            self.source,
            self.content_hash,
        )


@dataclass(frozen=True, slots=True)
class Original:
    """A record as it came, which makes up a document together with others."""

    kept_id: str
    """The document, which has the id of one of its records."""
    reason: str | None
    """Which identity it shares with that one; None for that one itself."""
    record: Record

    @classmethod
    def from_row(cls, row: tuple[Any, ...]) -> Self:
        """Read the values of `ORIGINAL_COLUMNS`."""
        return cls(row[0], row[1], Record(*row[2:]))

    @property
    def values(self) -> tuple[str | bytes | None, ...]:
        """The values for `ORIGINAL_COLUMNS`."""
        return (self.kept_id, self.reason, *self.record.values)


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper as a library holds it."""

    record: Record
    originals: tuple[Original, ...] = ()
    """The records it was merged from, its own first; empty if there is only one."""

    @property
    def abstract(self) -> str:
        """Its text, by which batches are measured."""
        return self.record.abstract


def encode(document: Document) -> Record:
    """Lay out a document; one that cannot be kept faithfully raises `InputError`."""
    if not document.id.strip():
        raise InputError(f"A document titled {document.title[:60]!r} has no id; give it one.")
    if not spans_are_sound(document.spans, len(document.abstract)):
        raise InputError(
            f"The sentence offsets of document {document.id[:60]!r} do not fit its abstract; "
            "leave them out or correct them."
        )
    spans = ",".join([f"{start},{end}" for start, end in document.spans])
    known = {
        name: value
        for name, value, default in zip(_NAMES, _metadata(document.meta), _DEFAULTS, strict=True)
        if value != default
    }
    body = encode_body(document)
    texts = (document.id, document.title, document.abstract, f"[{spans}]", _dump(known))
    try:
        fingerprint = content_hash(*texts, *([body] if body else ()))
    except UnicodeEncodeError as error:
        raise InputError(
            f"The text of document {document.id[:60]!r} holds half a character "
            f"({error.object[error.start]!r}); save its file as UTF-8 again."
        ) from error
    return Record(*texts, document.meta.source, fingerprint, body)


def encode_body(document: Document) -> str | None:
    """Lay out the full text; offsets that do not fit are an `InputError`."""
    if not document.body:
        return None
    if not all(spans_are_sound(each.spans, len(each.text)) for each in document.body):
        raise InputError(
            f"The sentence offsets of the full text of {document.id[:60]!r} do not fit it; "
            "leave them out or correct them."
        )
    return _dump([[each.heading, each.page, each.text, each.spans] for each in document.body])


def decode_body(body: str | None) -> tuple[Section, ...]:
    """Make the sections again."""
    return tuple(
        Section(heading, text, tuple((start, end) for start, end in spans), page)
        for heading, page, text, spans in json.loads(body or "[]")
    )


def decode(record: Record) -> Document:
    """Make the document again."""
    offsets = json.loads(record.spans)
    return Document(
        record.id,
        record.title,
        record.abstract,
        tuple(zip(offsets[::2], offsets[1::2], strict=True)),
        decode_meta(record.meta, record.source),
        decode_body(record.body),
    )


def decode_meta(meta: str, source: str | None = None) -> Metadata:
    """Make a document's metadata again."""
    known = json.loads(meta)
    for name in _SEQUENCES & known.keys():
        known[name] = tuple(known[name])
    return Metadata(**known, source=source)


def content_hash(*parts: str) -> bytes:
    """Hash the texts of a record, without its source."""
    fingerprint = blake2b(digest_size=HASH_BYTES)
    for part in parts:
        data = part.encode()
        # The length keeps ("ab", "c") apart from ("a", "bc").
        fingerprint.update(len(data).to_bytes(8, "little"))
        fingerprint.update(data)
    return fingerprint.digest()


def spans_are_sound(spans: tuple[Span, ...], length: int) -> bool:
    """Whether spans are in order, do not overlap and fit a text; a span may be empty."""
    previous = 0
    for start, end in spans:
        if not previous <= start <= end:
            return False
        previous = end
    return previous <= length
