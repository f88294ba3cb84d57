"""How a document is laid out in a row of the store, and the fingerprint of its content."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from typing import Any

from claimscope.errors import InputError
from claimscope.types import Document, Metadata, Span

HASH_BYTES = 16
COLUMNS = "id, title, abstract, spans, meta, source, content_hash"
"""The columns that hold a record, in the order of `Record`."""

_DEFAULTS: dict[str, Any] = asdict(Metadata())
_SEQUENCES = frozenset(field.name for field in fields(Metadata) if _DEFAULTS[field.name] == ())
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


def encode(document: Document) -> Record:
    """Lay out a document; one that cannot be kept faithfully raises `InputError`."""
    check(document)
    spans = _dump([offset for span in document.spans for offset in span])
    meta = _dump(
        {
            name: value
            for name, default in _DEFAULTS.items()
            if name != "source" and (value := getattr(document.meta, name)) != default
        }
    )
    return Record(
        document.id,
        document.title,
        document.abstract,
        spans,
        meta,
        document.meta.source,
        content_hash(document.id, document.title, document.abstract, spans, meta),
    )


def decode(record: Record) -> Document:
    """Make the document again."""
    offsets = json.loads(record.spans)
    known = json.loads(record.meta)
    for name in _SEQUENCES & known.keys():
        known[name] = tuple(known[name])
    return Document(
        record.id,
        record.title,
        record.abstract,
        tuple(zip(offsets[::2], offsets[1::2], strict=True)),
        Metadata(**known, source=record.source),
    )


def content_hash(*parts: str) -> bytes:
    """Fingerprint the texts of a record; where it came from is no part of them."""
    return blake2b(_dump(parts).encode(), digest_size=HASH_BYTES).digest()


def check(document: Document) -> None:
    """Refuse a document whose id is empty, whose spans are wrong or whose text is no Unicode."""
    if not document.id.strip():
        raise InputError(f"A document titled {document.title[:60]!r} has no id; give it one.")
    if not spans_are_sound(document.spans, len(document.abstract)):
        raise InputError(
            f"The sentence offsets of document {document.id[:60]!r} do not fit its abstract; "
            "leave them out or correct them."
        )
    try:
        "".join((document.id, document.title, document.abstract)).encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"The text of document {document.id[:60]!r} holds half a character "
            f"({error.object[error.start]!r}); save its file as UTF-8 again."
        ) from error


def spans_are_sound(spans: tuple[Span, ...], length: int) -> bool:
    """Say whether spans lie in order, without overlap, inside a text of this length."""
    previous = 0
    for start, end in spans:
        if not previous <= start < end:
            return False
        previous = end
    return previous <= length
