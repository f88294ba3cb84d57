"""How a paper is laid out as a point of a collection: its records, what finds it, its weights.

All that is known of a paper, and every record it was merged from, lies in one point, which Qdrant
writes whole or not at all. So an interrupted change leaves each paper as it was or as it shall be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from hashlib import blake2b
from typing import Any
from uuid import UUID

from qdrant_client import models

from claimscope._identifiers import find_doi, find_url, parse_pmid
from claimscope.errors import LibraryDamagedError
from claimscope.library.filters import Filter, design_keys, language_key
from claimscope.library.identity import Identities, identities, title_key
from claimscope.library.naming import address
from claimscope.library.qdrant.weights import count_terms, weigh
from claimscope.library.record import Original, Paper, Record, decode
from claimscope.types import Document

BM25 = "bm25"
VECTORS = "vectors"
"""The names of a point's two vectors."""

RECORD, HASH, LENGTH, ORIGINALS = "record", "content_hash", "length", "originals"
NAMES, FORMER_NAMES = "names", "former_names"
YEAR, DESIGNS, LANGUAGE, MARKS = "year", "designs", "language", "marks"
IS_RETRACTED, IS_BARE = "retracted", "without abstract"
"""The marks a paper can have."""

INDEXES: Mapping[str, models.PayloadSchemaType] = {
    NAMES: models.PayloadSchemaType.KEYWORD,
    FORMER_NAMES: models.PayloadSchemaType.KEYWORD,
    YEAR: models.PayloadSchemaType.INTEGER,
    DESIGNS: models.PayloadSchemaType.KEYWORD,
    LANGUAGE: models.PayloadSchemaType.KEYWORD,
    MARKS: models.PayloadSchemaType.KEYWORD,
}
"""The fields that filters and lookups use."""

_LARGEST_YEAR = 1 << 31
_OPTIONAL = frozenset({"source", "body"})
_RECORD_FIELDS = tuple(each.name for each in fields(Record) if each.name != HASH)


@dataclass
class Entry:
    """A paper in a collection, with the records it was merged from, if it was."""

    record: Record
    length: int
    """How many tokens its text has."""
    originals: dict[str, Original] = field(default_factory=dict)

    @classmethod
    def read(cls, payload: Mapping[str, Any] | None, where: str) -> Entry:
        """Read a point; one that Claimscope did not write raises `LibraryDamagedError`."""
        try:
            given = payload or {}
            record = _record(given[RECORD], given[HASH])
            originals = [
                Original(record.id, each["reason"], _record(each[RECORD], each[HASH]))
                for each in given.get(ORIGINALS, ())
            ]
            length = int(given[LENGTH])
        except (KeyError, TypeError, ValueError) as error:
            raise LibraryDamagedError(
                f"The library {where} holds a point that Claimscope did not write ({error}); "
                "remove it, or restore a snapshot."
            ) from error
        return cls(record, length, {each.record.id: each for each in originals})

    @property
    def document(self) -> Document:
        """The paper."""
        return decode(self.record)

    @property
    def paper(self) -> Paper:
        """The paper with its records, its own first."""
        ids = sorted(self.originals, key=lambda name: (name != self.record.id, name))
        return Paper(self.record, tuple(self.originals[name] for name in ids))

    def point(
        self, average: float, terms: Mapping[int, int], vector: Sequence[float] | None
    ) -> models.PointStruct:
        """Lay the paper out."""
        vectors: dict[str, Any] = {}
        if terms:
            vectors[BM25] = sparse(weigh(terms, self.length, average))
        if vector is not None:
            vectors[VECTORS] = list(vector)
        return models.PointStruct(
            id=point_id(self.record.id), vector=vectors, payload=self._payload()
        )

    def _payload(self) -> dict[str, Any]:
        document = self.document
        meta = document.meta
        year = meta.year if meta.year is not None and abs(meta.year) < _LARGEST_YEAR else None
        originals = list(self.originals.values())
        payload = {
            RECORD: _texts(self.record),
            HASH: self.record.content_hash.hex(),
            LENGTH: self.length,
            YEAR: year,
            DESIGNS: design_keys(meta),
            LANGUAGE: language_key(meta),
            MARKS: [
                *([IS_RETRACTED] if meta.retracted else []),
                *([] if document.has_abstract else [IS_BARE]),
            ],
            NAMES: names_of(document),
            ORIGINALS: [
                {
                    "reason": each.reason,
                    RECORD: _texts(each.record),
                    HASH: each.record.content_hash.hex(),
                }
                for each in originals
            ],
            FORMER_NAMES: sorted(
                {
                    name
                    for each in originals
                    for name in (id_name(each.record.id), *names_of(decode(each.record)))
                }
            ),
        }
        return {name: value for name, value in payload.items() if value not in (None, [])}


def count_text(record: Record) -> tuple[Mapping[int, int], int]:
    """Count the terms of a paper's searchable text."""
    return count_terms(f"{record.title} {record.abstract}".strip())


def sparse(weights: Mapping[int, float]) -> models.SparseVector:
    """Give weights as the server takes them."""
    return models.SparseVector(indices=list(weights), values=list(weights.values()))


def point_id(document_id: str) -> str:
    """Give the point of a document: the same on every machine, and no other document's."""
    digest = blake2b(document_id.encode(errors="replace"), digest_size=16, person=b"claimscope")
    return str(UUID(bytes=digest.digest()))


def names_of(document: Document) -> list[str]:
    """Give the names by which a paper is found, each with its kind; its identities are some."""
    url = address(document.meta.url or "")
    names = [*identity_names(identities(document)), *([f"url:{url}"] if url else [])]
    return list(dict.fromkeys((*names, _title_name(document.title))))


def identity_names(keys: Identities) -> list[str]:
    """Give the names that only one paper should have: by DOI first, then PubMed id, then title."""
    named = {"doi": keys.doi, "pmid": keys.pmid, "title": keys.title_key}
    return [f"{kind}:{name}" for kind, name in named.items() if name is not None]


def id_name(document_id: str) -> str:
    """Give the name of a record that was merged into another."""
    return f"id:{document_id}"


def _title_name(title: str) -> str:
    """Give the same for titles that count as the same; of short ones only the very same do."""
    key = title_key(title)
    return f"short title:{title.casefold()}" if key is None else f"title:{key}"


def possible_names(text: str) -> list[str]:
    """Give the names that a text may be, in the order in which they are tried."""
    possible = {
        "doi": find_doi(text),
        "pmid": parse_pmid(text),
        "url": address(text) if find_url(text) == text else None,
    }
    return [*(f"{kind}:{name}" for kind, name in possible.items() if name), _title_name(text)]


def any_of(name: str, values: Sequence[str]) -> models.FieldCondition:
    """Give the condition that a field has one of some values."""
    return models.FieldCondition(key=name, match=models.MatchAny(any=list(values)))


def conditions(where: Filter | None) -> models.Filter | None:
    """Give a filter as the server takes it."""
    if not where:
        return None
    must: list[models.Condition] = []
    if (where.first_year, where.last_year) != (None, None):
        years = models.Range(gte=where.first_year, lte=where.last_year)
        must.append(models.FieldCondition(key=YEAR, range=years))
    if where.designs:
        must.append(any_of(DESIGNS, sorted(where.design_keys)))
    if where.languages:
        must.append(any_of(LANGUAGE, sorted(where.language_keys)))
    is_retracted: list[models.Condition] = [any_of(MARKS, [IS_RETRACTED])]
    return models.Filter(
        must=must + (is_retracted if where.retracted else []),
        must_not=is_retracted if where.retracted is False else [],
    )


def _texts(record: Record) -> dict[str, str]:
    given = ((name, getattr(record, name)) for name in _RECORD_FIELDS)
    return {name: value for name, value in given if value is not None}


def _record(texts: Mapping[str, Any], content_hash: str) -> Record:
    values = {name: texts.get(name) for name in _RECORD_FIELDS}
    if not all(isinstance(value, str) for name, value in values.items() if name not in _OPTIONAL):
        raise TypeError("a text of its record is missing")
    return Record(**values, content_hash=bytes.fromhex(content_hash))  # type: ignore[arg-type]
