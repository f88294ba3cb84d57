"""What the process that reads files tells the one that stores them: a line of JSON per message.

The reading process handles files that nobody vouches for, so its messages can only ever become
plain values: texts, numbers, lists.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from operator import attrgetter
from typing import Any

from claimscope.ingest.record import Failure, Skipped
from claimscope.types import Document, Metadata


@dataclass(frozen=True, slots=True)
class Begin:
    """The records of a file follow, in this format."""

    format: str


@dataclass(frozen=True, slots=True)
class End:
    """There is no more of the file."""


Message = Document | Failure | Skipped | Begin | End

_PLAIN = (Failure, Skipped, Begin, End)
_NAMED = {kind.__name__: kind for kind in _PLAIN}
_DOCUMENT = Document.__name__
_metadata = attrgetter(*(field.name for field in fields(Metadata)))
_LISTS = tuple(
    place for place, field in enumerate(fields(Metadata)) if isinstance(field.default, tuple)
)
# Escapes keep what UTF-8 cannot hold: bytes of a file's name that are no text.
_dump = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


class MessageError(Exception):
    """What was received is no message."""


def encode(message: Message) -> bytes:
    """Write a message as one line."""
    if isinstance(message, Document):
        spans = [place for span in message.spans for place in span]
        content = [message.id, message.title, message.abstract, spans, _metadata(message.meta)]
        return f"{_dump([_DOCUMENT, *content])}\n".encode("ascii")
    return f"{_dump([type(message).__name__, *astuple(message)])}\n".encode("ascii")


def decode(lines: Sequence[bytes]) -> list[Message]:
    """Read lines, all at once since that is much quicker; nonsense raises `MessageError`."""
    try:
        values = json.loads(b"[%s]" % b",".join(lines))
        return [_message(*value) for value in values]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise MessageError(str(error)) from error


def _message(kind: str, *values: Any) -> Message:
    if kind != _DOCUMENT:
        return _NAMED[kind](*values)
    name, title, abstract, spans, meta = values
    for place in _LISTS:
        meta[place] = tuple(meta[place])
    offsets = iter(spans)
    pairs = tuple(zip(offsets, offsets, strict=True))
    return Document(name, title, abstract, pairs, Metadata(*meta))
