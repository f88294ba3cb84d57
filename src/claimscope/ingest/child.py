"""The program that reads files for another process; `supervisor` starts it and may kill it.

Run as `python -m claimscope.ingest.child OPTIONS`. It takes requests, one JSON line per file, from
standard input and answers with messages on standard output. It ends with its input, so that it
does not outlive the process that started it.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from claimscope.ingest import reader_process as messages
from claimscope.ingest.detect import get_format
from claimscope.ingest.files import read_file
from claimscope.ingest.limits import ReadingLimits, in_words
from claimscope.ingest.reader_process import Begin, End, Message
from claimscope.ingest.record import Failure, Format


def main() -> None:
    """Read files until there are no more requests."""
    options = json.loads(sys.argv[1])
    limits = ReadingLimits(**options["limits"])
    forced = get_format(options["format"]) if options["format"] else None
    output = own_output()
    limit_memory(limits.memory_bytes)
    # Ctrl-C in a terminal reaches this process as well; the one that started it decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for path, is_named in _requests():
        limit_time(limits.record_seconds)
        for message in _answer(Path(path), is_named, forced, limits):
            output.write(messages.encode(message))
            limit_time(limits.record_seconds)


def _answer(
    path: Path, is_named: bool, forced: Format | None, limits: ReadingLimits
) -> Iterator[Message]:
    begun: list[Begin] = []
    seconds = limits.of_file(path)
    until = time.process_time() + seconds
    for item in read_file(path, is_named, forced, lambda _, found: begun.append(Begin(found.name))):
        if begun:
            yield begun.pop()
        yield item
        if time.process_time() > until:
            yield Failure(str(path), None, _too_long(seconds))
            break
    yield End()


def _too_long(seconds: float) -> str:
    return (
        f"Reading the file took more than {in_words(seconds)} of computing time, so the rest of "
        "it was not read; split it into smaller files."
    )


def _requests() -> Iterator[tuple[str, bool]]:
    """Give the requests; a thread waits for them, and for the end of the other process."""
    waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin.buffer:
            waiting.put(json.loads(line))
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        yield waiting.get()


def own_output() -> BinaryIO:
    """Take standard output for messages alone; whatever else is printed goes to the errors.

    Each message is written at once: what was read before a crash is then not lost.
    """
    sys.stdout.flush()
    own = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return os.fdopen(own, "wb", buffering=0)


def limit_memory(most: int) -> None:
    """Bound the address space of this process, where the system can."""
    if sys.platform == "win32":
        return
    import resource

    # Systems that cannot bound it say so here.
    with suppress(ValueError, OSError):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def limit_time(seconds: float) -> None:
    """Begin to count computing time anew; the system ends the process after so much."""
    if sys.platform != "win32":
        # Its signal has no handler in Python, which code in C could keep from running.
        signal.setitimer(signal.ITIMER_PROF, seconds)


if __name__ == "__main__":
    main()
