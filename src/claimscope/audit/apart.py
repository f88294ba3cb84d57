"""Reads a manuscript in a process of its own, which is killed when it takes too much.

The readers of PDF, Word and XML run native code on a file that may come from a stranger. Run as
`python -m claimscope.audit.apart OPTIONS`, this module is that process; it answers with one JSON
object on standard output, and ends when the process that started it does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from claimscope.audit.manuscript import Block, Manuscript, Mark, Reference, Style
from claimscope.audit.readers import read_manuscript
from claimscope.audit.readers._text import check_size
from claimscope.errors import ClaimscopeError, FormatError
from claimscope.ingest.child import limit_memory, limit_time, own_output
from claimscope.ingest.limits import ReadingLimits, in_words
from claimscope.ingest.reader_process import module_paths
from claimscope.ingest.supervisor import how_it_ended, is_out_of_time


def read_apart(path: Path, limits: ReadingLimits | None = None) -> Manuscript:
    """Read a manuscript as `read_manuscript` does, within limits of time and memory."""
    check_size(path)
    limits = limits or ReadingLimits()
    seconds, is_late = limits.of_file(path), threading.Event()
    options = json.dumps([str(path), seconds, limits.memory_bytes])
    with subprocess.Popen(
        # Without -P a module in the working folder could take the place of a real one.
        [sys.executable, "-P", "-m", "claimscope.audit.apart", options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": module_paths()},
    ) as process:

        def stop() -> None:
            is_late.set()
            process.kill()

        timer = threading.Timer(seconds * limits.wall_factor, stop)
        timer.start()
        try:
            answer = process.stdout.read() if process.stdout else b""
            code = process.wait()
        finally:
            timer.cancel()
            process.kill()
    if is_late.is_set() or is_out_of_time(code):
        raise FormatError(f"{path} took more than {in_words(seconds)} to read; give a part of it.")
    if code:
        raise FormatError(
            f"{path} stopped its reader ({how_it_ended(code)}); it may be damaged: save it again."
        )
    return _received(json.loads(answer))


def main() -> None:
    """Read one manuscript and write it as JSON."""
    path, seconds, memory = json.loads(sys.argv[1])
    output = own_output()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    limit_memory(memory)
    limit_time(seconds)
    try:
        answer = asdict(read_manuscript(Path(path)))
    except ClaimscopeError as error:
        answer = {"error": str(error)}
    output.write(json.dumps(answer).encode("ascii"))


def _end_with_parent() -> None:
    # Python cannot end while a thread waits in one of its own streams.
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


def _received(given: dict[str, Any]) -> Manuscript:
    """Rebuild the manuscript from plain values."""
    if "error" in given:
        raise FormatError(given["error"])
    blocks = tuple(
        Block(each["text"], tuple(map(_mark, each["marks"])), _pairs(each["places"]))
        for each in given["blocks"]
    )
    references = tuple(
        Reference(**{**each, "authors": tuple(each["authors"])}) for each in given["references"]
    )
    lists = {name: tuple(given[name]) for name in ("bibliographies", "notes")}
    return Manuscript(**{**given, **lists, "blocks": blocks, "references": references})


def _mark(given: dict[str, Any]) -> Mark:
    return Mark(**{**given, "keys": tuple(given["keys"]), "style": Style(given["style"])})


def _pairs(given: list[list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((offset, place) for offset, place in given)


if __name__ == "__main__":
    main()
