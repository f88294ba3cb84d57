"""A process that reads files, and the messages it sends to the one that stores records.

The reading process handles files that nobody vouches for, so its messages can only ever become
plain values: texts, numbers, lists.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, fields
from operator import attrgetter
from pathlib import Path
from typing import IO, Any

from claimscope.ingest.limits import ReadingLimits
from claimscope.ingest.record import Failure, Skipped
from claimscope.types import Document, Metadata, Section


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
    """The received bytes are not a message."""


def encode(message: Message) -> bytes:
    """Write a message as one line."""
    if isinstance(message, Document):
        spans = [place for span in message.spans for place in span]
        body = [[each.heading, each.text, each.spans, each.page] for each in message.body]
        meta = _metadata(message.meta)
        content = [message.id, message.title, message.abstract, spans, meta, body]
        return f"{_dump([_DOCUMENT, *content])}\n".encode("ascii")
    return f"{_dump([type(message).__name__, *astuple(message)])}\n".encode("ascii")


def decode(lines: Sequence[bytes]) -> list[Message]:
    """Read all lines at once, which is faster; malformed lines raise `MessageError`."""
    try:
        values = json.loads(b"[%s]" % b",".join(lines))
        return [_message(*value) for value in values]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise MessageError(str(error)) from error


def _message(kind: str, *values: Any) -> Message:
    if kind != _DOCUMENT:
        return _NAMED[kind](*values)
    name, title, abstract, spans, meta, sections = values
    for place in _LISTS:
        meta[place] = tuple(meta[place])
    offsets = iter(spans)
    pairs = tuple(zip(offsets, offsets, strict=True))
    body = tuple(
        Section(heading, text, tuple((start, end) for start, end in places), page)
        for heading, text, places, page in sections
    )
    return Document(name, title, abstract, pairs, Metadata(*meta), body)


_PIPE_BYTES = 1 << 20
_SMALL_PIECE = 1 << 16
_PAUSE = 0.005
_WAITING_PIECES = 4
_LONGEST_MESSAGE = 100_000_000
"""A record has at most 10 MB in its file; escapes make it a few times as long."""
_log = logging.getLogger("claimscope.ingest")


class ReaderProcess:
    """Reads one file after another; it is ahead of its user by a few megabytes at most."""

    def __init__(self, format_name: str | None, limits: ReadingLimits) -> None:
        options = json.dumps({"format": format_name, "limits": asdict(limits)})
        self._process = subprocess.Popen(
            # Without -P a module in the working folder could take the place of a real one.
            [sys.executable, "-P", "-m", "claimscope.ingest.child", options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if _log.isEnabledFor(logging.DEBUG) else subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": module_paths()},
        )
        self._rest = b""
        self._pieces: queue.Queue[bytes] = queue.Queue(_WAITING_PIECES)
        # Waiting for a pipe with a limit of time takes a thread, on Windows at least.
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def ask(self, path: Path, is_named: bool) -> None:
        """Ask for the records of a file; a process that has ended is noticed by `receive`."""
        request = json.dumps([str(path), is_named])
        try:
            _opened(self._process.stdin).write(f"{request}\n".encode("ascii"))
            _opened(self._process.stdin).flush()
        except OSError as error:
            _log.debug("the reading process is gone", exc_info=error)

    def receive(self, seconds: float) -> list[Message] | None:
        """Wait for messages and give those that came; None when the process has ended.

        A process that writes nonsense raises `MessageError`.
        """
        try:
            piece = self._pieces.get(timeout=seconds)
        except queue.Empty:
            return []
        if not piece:
            self._pieces.put(piece)
            return None
        *lines, self._rest = (self._rest + piece).split(b"\n")
        if len(self._rest) > _LONGEST_MESSAGE:
            raise MessageError("a message has no end")
        return decode(lines)

    def end(self) -> int:
        """Kill the process and give its exit code."""
        self._process.kill()
        code = self._process.wait()
        while self._pieces.get():
            pass
        self._thread.join()
        _opened(self._process.stdout).close()
        try:
            _opened(self._process.stdin).close()
        except OSError as error:
            _log.debug("the reading process had gone", exc_info=error)
        return code

    def _listen(self) -> None:
        output = _opened(self._process.stdout).fileno()
        _widen(output)
        while piece := os.read(output, _PIPE_BYTES):
            self._pieces.put(piece)
            if len(piece) < _SMALL_PIECE:
                # Else every short message would wake this process.
                time.sleep(_PAUSE)
        self._pieces.put(b"")


def _opened(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("The process was started without this stream.")
    return stream


def module_paths() -> str:
    """Give the places where this process finds modules, for the other one to find the same."""
    known = [os.environ.get("PYTHONPATH", ""), *sys.path]
    return os.pathsep.join(dict.fromkeys(filter(None, known)))


def _widen(pipe: int) -> None:
    """Let the pipe hold more, where it can: the two processes then wait less for each other."""
    if sys.platform == "linux":
        import fcntl

        try:
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        except OSError as error:
            _log.debug("the pipe stays small", exc_info=error)
