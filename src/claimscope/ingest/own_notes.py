"""Metadata that our exports write into notes, because the format has no field for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from claimscope.metadata import STUDY
from claimscope.types import Document

_ID = "Claimscope id"
_NOTE = "Claimscope note"
_TYPES = "Claimscope types"
_NOTICE = "Claimscope notice"
_RETRACTED = "Retracted publication"
_STUDY = {each.label: each for each in STUDY}


@dataclass(frozen=True, slots=True)
class OwnNotes:
    """The metadata in the notes of a paper that Claimscope exported."""

    identifier: str = ""
    note: str | None = None
    types: tuple[str, ...] | None = None
    known: dict[str, Any] = field(default_factory=dict)
    """Further fields of the metadata."""


def write_notes(document: Document) -> Iterator[str]:
    """Give the lines of notes for a document."""
    meta = document.meta
    yield f"{_ID}: {document.id}"
    if meta.retracted:
        yield _RETRACTED
    for each in STUDY:
        if value := getattr(meta, each.name):
            yield f"{each.label}: {each.show(value)}"
    yield from (f"{_NOTICE}: {notice}" for notice in meta.notices)
    if meta.note:
        yield f"{_NOTE}: {meta.note}"
    yield f"{_TYPES}: {'; '.join(meta.publication_types)}"


def read_notes(notes: Iterable[str]) -> OwnNotes:
    """Read the lines that `write_notes` wrote; without our id among them, nothing is read."""
    lines = [line.strip() for note in notes for line in note.splitlines()]
    values = {
        name.strip(): value.strip()
        for name, sign, value in (line.partition(":") for line in lines)
        if sign
    }
    if not values.get(_ID):
        return OwnNotes()
    known = {
        each.name: each.read(values[label]) for label, each in _STUDY.items() if label in values
    }
    head = f"{_NOTICE}: "
    if notices := [line.removeprefix(head) for line in lines if line.startswith(head)]:
        known["notices"] = tuple(notices)
    types = values.get(_TYPES)
    kinds = None if types is None else tuple(filter(None, types.split("; ")))
    return OwnNotes(values[_ID], values.get(_NOTE) or None, kinds, known)
