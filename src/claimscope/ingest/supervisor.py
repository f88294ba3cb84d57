"""Reads files in a separate process, which is killed when it takes too much time or memory.

Readers run native code and regular expressions on files that nobody vouches for. A file that
stops, crashes or blocks its reader is a failure of that file, and a new process reads the next one.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Generator, Iterable
from pathlib import Path

from claimscope.ingest.detect import get_format
from claimscope.ingest.files import OnFile, expand
from claimscope.ingest.limits import ReadingLimits, in_words
from claimscope.ingest.reader_process import Begin, End, MessageError, ReaderProcess
from claimscope.ingest.record import Failure, Skipped
from claimscope.types import Document

GoOn = Callable[[], bool]
Stream = Generator[Document | Skipped | Failure, None, None]

LIMITS = ReadingLimits()
"""The limits where none are given."""
_TICK = 0.25
"""Seconds of waiting after which `go_on` is asked."""


def read_in_child(
    paths: Iterable[str | Path],
    format: str | None = None,  # noqa: A002 - the name that users of the library expect
    on_file: OnFile | None = None,
    go_on: GoOn | None = None,
    limits: ReadingLimits | None = None,
) -> Stream:
    """Read as `files.read` does, in another process; close the stream to end that process.

    `go_on` is asked several times a second while the reader is waited for; False ends the stream.
    """
    if format is not None:
        format = get_format(format).name  # noqa: A001 - an unknown name is refused at once
    reading = _Reading(format, on_file, go_on or (lambda: True), limits or LIMITS)
    return reading.all([str(path) for path in paths])


class _Reading:
    """One import: its reading process, and what its user wants to know."""

    def __init__(
        self, format_name: str | None, on_file: OnFile | None, go_on: GoOn, limits: ReadingLimits
    ) -> None:
        self._format = format_name
        self._on_file = on_file
        self._go_on = go_on
        self._limits = limits
        self._process: ReaderProcess | None = None
        self._is_wanted = True

    def all(self, paths: list[str]) -> Stream:
        try:
            for given in paths:
                for found in expand(given):
                    if isinstance(found, Failure):
                        yield found
                    else:
                        yield from self._file(found, found == Path(given))
                    if not self._is_wanted:
                        return
        finally:
            self._end()

    def _file(self, path: Path, is_named: bool) -> Stream:
        process = self._process = self._process or ReaderProcess(self._format, self._limits)
        process.ask(path, is_named)
        clock = _Clock(self._limits, path)
        while (reason := clock.reason) is None:
            try:
                messages = process.receive(_TICK)
            except MessageError:
                reason = _GARBLED
                break
            if messages is None:
                reason = _explain(self._end(), self._limits)
                break
            clock.heard(bool(messages))
            for message in messages:
                if isinstance(message, End):
                    return
                if not isinstance(message, Begin):
                    yield message
                elif self._on_file is not None:
                    self._on_file(path, get_format(message.format))
            clock.wait()
            if not messages and not self._go_on():
                self._is_wanted = False
                return
        self._end()
        yield Failure(str(path), None, reason)

    def _end(self) -> int:
        process, self._process = self._process, None
        return process.end() if process is not None else 0


class _Clock:
    """The time for which the reader of a file was waited for, at a stretch and altogether."""

    def __init__(self, limits: ReadingLimits, path: Path) -> None:
        self._record = limits.record_seconds * limits.wall_factor
        self._file = limits.of_file(path) * limits.wall_factor
        self._silent = self._waited = 0.0
        self._since = time.monotonic()

    def heard(self, anything: bool) -> None:
        """Note the end of a time of waiting, and whether it was for something."""
        passed = time.monotonic() - self._since
        self._waited += passed
        self._silent = 0.0 if anything else self._silent + passed

    def wait(self) -> None:
        """Note the begin of a time of waiting."""
        self._since = time.monotonic()

    @property
    def reason(self) -> str | None:
        """Why the reader has to be stopped, if it has."""
        if self._silent > self._record:
            return (
                "The reader of the file hung: nothing was read of it for "
                f"{in_words(self._record)}, so the rest of it was skipped."
            )
        if self._waited > self._file:
            return (
                f"Reading the file took more than {in_words(self._file)}, so the rest of it "
                "was not read; split it into smaller files."
            )
        return None


_GARBLED = "The reader of the file wrote nonsense, so the rest of the file was not read."


def _explain(code: int, limits: ReadingLimits) -> str:
    """Say why the reading process has ended."""
    if is_out_of_time(code):
        return (
            f"A record of the file took more than {in_words(limits.record_seconds)} of computing "
            "time, so the rest of the file was not read."
        )
    return (
        f"The file stopped its reader ({how_it_ended(code)}), so the rest of it was not read; it "
        "may be damaged: get a fresh copy of the file."
    )


def is_out_of_time(code: int) -> bool:
    """Whether the system ended a process because its computing time was over."""
    return code < 0 and -code == getattr(signal, "SIGPROF", None)


def how_it_ended(code: int) -> str:
    """Name what an exit code means."""
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
