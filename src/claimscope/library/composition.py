"""What several records of one paper make together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from claimscope.types import Document, Metadata

_UNITED = ("publication_types", "notices", "tags")
"""Fields that hold what any record has."""
_OWN_RULE = frozenset({"authors", "note", *_UNITED})
_FIRST = tuple(field.name for field in fields(Metadata) if field.name not in _OWN_RULE)
"""Fields of which the first record that has any gives the value."""

_Order = tuple[bool, str]


class Composition:
    """A paper merged from records; adding a record takes constant time.

    Field by field the fuller record wins, and the earlier one where both are as full. The record
    to keep is the first; the others follow by id, in whatever order they are added.
    """

    def __init__(self, kept_id: str, records: Iterable[Document] = ()) -> None:
        """Begin with some records."""
        self._kept_id = kept_id
        self._won: dict[str, tuple[tuple[Any, _Order], Any]] = {}
        self._united: dict[str, dict[str, tuple[_Order, int]]] = {name: {} for name in _UNITED}
        for record in records:
            self.add(record)

    def add(self, record: Document) -> None:
        """Add a record."""
        order, meta = (record.id != self._kept_id, record.id), record.meta
        text = (record.abstract, record.spans, meta.note)
        self._offer("title", (not record.title, order), record.title)
        self._offer("text", (-len(record.abstract), order), text)
        length = sum(len(section.text) for section in record.body)
        self._offer("body", (-length, order), record.body)
        self._offer("authors", (-len(meta.authors), order), meta.authors)
        for name in _FIRST:
            value = getattr(meta, name)
            self._offer(name, (not value, order), value)
        for name, united in self._united.items():
            for place, value in enumerate(getattr(meta, name)):
                united[value] = min((order, place), united.get(value, (order, place)))

    @property
    def document(self) -> Document:
        """The paper, which depends on its records alone."""
        abstract, spans, note = self._value("text")
        united: dict[str, Any] = {
            name: tuple(sorted(places, key=places.__getitem__))
            for name, places in self._united.items()
        }
        meta = Metadata(
            authors=self._value("authors"),
            note=note,
            **united,
            **{name: self._value(name) for name in _FIRST},
        )
        title, body = self._value("title"), self._value("body")
        return Document(self._kept_id, title, abstract, spans, meta, body)

    def _offer(self, name: str, rank: tuple[Any, _Order], value: Any) -> None:
        if name not in self._won or rank < self._won[name][0]:
            self._won[name] = rank, value

    def _value(self, name: str) -> Any:
        return self._won[name][1]


def merge(records: list[Document]) -> Document:
    """Make one document of several records of a paper, the one to keep first."""
    return Composition(records[0].id, records).document
