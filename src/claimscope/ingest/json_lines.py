"""Reads files that hold one JSON object a line; the formats differ only in its keys."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from claimscope.errors import RecordError
from claimscope.ingest.record import OVERSIZE, Failure, Item
from claimscope.ingest.streams import decode, open_source, read_lines
from claimscope.types import Document

JsonObject = Mapping[str, Any]

_KEY = re.compile(r'"(\w+)"\s*:')


def read_objects(path: Path, make: Callable[[JsonObject, str], Document]) -> Iterator[Item]:
    """Make a document of every line; a line that cannot be used is a failure."""
    with open_source(path) as source:
        for number, text in read_lines(source):
            if text is None:
                yield Failure(str(path), number, OVERSIZE)
            elif text and not text.isspace():
                try:
                    yield make(parse(text), path.name)
                except RecordError as error:
                    yield Failure(str(path), number, str(error))


def parse(text: str) -> JsonObject:
    """Read a JSON object from a line; anything else is a `RecordError`."""
    try:
        record = json.loads(text)
    except RecursionError:
        raise RecordError("The line's JSON is nested too deeply to be a record.") from None
    except ValueError as error:
        raise RecordError(f"The line is not JSON: {error}.") from None
    if not isinstance(record, dict):
        raise RecordError("The line is JSON, but not an object with keys such as title.")
    return record


def first_keys(head: bytes) -> frozenset[str]:
    """Give the keys of the first usable object in a file's first bytes; none if it is not JSON."""
    if not head.lstrip().startswith(b"{"):
        return frozenset()
    lines = [line for line in head.splitlines() if line.strip()]
    for line in lines[:20]:
        try:
            return frozenset(parse(decode(line)))
        except RecordError:
            continue
    # The first line is longer than the head, or broken.
    return frozenset(_KEY.findall(decode(lines[0])))


def text_value(record: JsonObject, key: str) -> str:
    """Give a text; numbers are taken as such, an absent key or null as empty."""
    value = record.get(key)
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise RecordError(f"The value of '{key}' must be a text, not {_kind(value)}.")


def texts_value(record: JsonObject, key: str) -> tuple[str, ...]:
    """Give a list of texts; a single text is a list of one, an absent key or null is empty."""
    value = record.get(key)
    if isinstance(value, list):
        for each in value:
            if not isinstance(each, str):
                raise RecordError(f"'{key}' must hold texts only, not {_kind(each)}.")
        return tuple(value)
    single = text_value(record, key)
    return (single,) if single else ()


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", bool: "true or false"}
    return kinds.get(type(value), f"a {type(value).__name__}")
