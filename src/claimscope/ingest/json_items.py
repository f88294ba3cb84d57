"""Reads JSON files that hold records in a list, or one after another, a record at a time.

A file is a list, an object that holds the list under a known key, or objects in sequence.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from claimscope.errors import RecordError
from claimscope.ingest.json_lines import JsonObject
from claimscope.ingest.record import OVERSIZE, RECORD_LIMIT, Failure, Item
from claimscope.ingest.streams import open_source, utf8_chunks
from claimscope.types import Document

_KEY = re.compile(r'"([^"\\]{1,60})"\s{0,20}:')
_BETWEEN = re.compile(r"[\s,]*")
_LONGEST_HEADER = 64 * 1024
"""Characters in which the list of records must begin."""
_BROKEN = "The JSON is broken here ({error}), so the rest of the file was not read."
_CUT_OFF = "The JSON ends in the middle of a record; get a fresh copy of the file."


def keys_of_list(head: bytes) -> frozenset[str]:
    """Give the keys at the start of a file that is a list of objects; none for other files."""
    text = head.lstrip()
    if not text.startswith(b"[") or not text[1:].lstrip().startswith(b"{"):
        return frozenset()
    return all_keys(head)


def all_keys(head: bytes) -> frozenset[str]:
    """Give every key in a file's first bytes, whatever it is a key of."""
    return frozenset(_KEY.findall(head.decode(errors="replace")))


def read_items(
    path: Path, make: Callable[[JsonObject, str], Document], lists: Collection[str] = ()
) -> Iterator[Item]:
    """Make a document of every object; `lists` names the keys that may hold the list of them.

    An object that cannot be used is a failure. Broken JSON ends the file with a failure, after
    the records before it.
    """
    with open_source(path) as source:
        text = _Text(_decoded(utf8_chunks(source)))
        text.enter_list(lists)
        while text.has_more():
            line = text.line
            try:
                found = text.take()
            except RecordError as error:
                yield Failure(str(path), line, str(error))
                return
            try:
                yield make(_object(found), path.name)
            except RecordError as error:
                yield Failure(str(path), line, str(error))


def _object(value: Any) -> JsonObject:
    if not isinstance(value, dict):
        raise RecordError("The list holds something that is no object with keys such as title.")
    return value


def object_in(record: JsonObject, key: str) -> JsonObject:
    """Give the object under a key; an empty one where there is none."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def objects_in(record: JsonObject, key: str) -> list[JsonObject]:
    """Give the objects of the list under a key; none where there is no list."""
    value = record.get(key)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def text_in(record: JsonObject, key: str) -> str:
    """Give the text or whole number under a key, or the first of a list; else an empty text."""
    value = record.get(key)
    if isinstance(value, list):
        value = next(iter(value), "")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else ""


def _decoded(chunks: Iterator[bytes]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    for chunk in chunks:
        yield decoder.decode(chunk)


class _Text:
    """The text of a file, of which a record at a time is held."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = pieces
        self._held = ""
        self._place = 0
        self.line = 1
        self._decode = json.JSONDecoder().raw_decode

    def enter_list(self, keys: Collection[str]) -> None:
        """Go to the first record."""
        self._skip()
        if self._starts_with("["):
            self._advance(self._place + 1)
            return
        self._more(_LONGEST_HEADER)
        if keys:
            names = "|".join(map(re.escape, keys))
            start = re.search(rf'"(?:{names})"\s*:\s*\[', self._held[:_LONGEST_HEADER])
            if start is not None:
                self._advance(start.end())

    def has_more(self) -> bool:
        """Go to the next value and say whether there is one in the list or the file."""
        self._skip()
        return self._place < len(self._held) and not self._starts_with("]")

    def take(self) -> Any:
        """Give the next value; broken JSON is a `RecordError`."""
        while True:
            try:
                value, end = self._decode(self._held, self._place)
            except RecursionError:
                raise RecordError("The JSON is nested too deeply to be a record.") from None
            except ValueError as error:
                self._grow(error)
            else:
                self._advance(end)
                return value

    def _grow(self, error: ValueError) -> None:
        """Read as much again, since the value may go on; so the time stays linear."""
        wanted = 2 * (len(self._held) - self._place)
        if wanted > 2 * RECORD_LIMIT:
            raise RecordError(f"{OVERSIZE[:-1]} with the rest of the file.")
        end = len(self._held.rstrip())
        if not self._more(wanted - len(self._held) + self._place):
            is_cut = "Unterminated" in str(error) or getattr(error, "pos", 0) >= end
            raise RecordError(_CUT_OFF if is_cut else _BROKEN.format(error=error))

    def _starts_with(self, sign: str) -> bool:
        return self._held.startswith(sign, self._place)

    def _skip(self) -> None:
        """Pass over white space and commas."""
        while True:
            match = _BETWEEN.match(self._held, self._place)
            self._advance(match.end() if match else self._place)
            if self._place < len(self._held) or not self._more():
                return

    def _advance(self, place: int) -> None:
        self.line += self._held.count("\n", self._place, place)
        self._place = place

    def _more(self, characters: int = 1) -> bool:
        """Read at least so many characters, if there are any more."""
        pieces = [self._held[self._place :]]
        while characters > 0 and (piece := next(self._pieces, None)) is not None:
            pieces.append(piece)
            characters -= len(piece)
        self._held, self._place = "".join(pieces), 0
        return len(pieces) > 1
