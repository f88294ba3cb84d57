"""Mutated files of every format for the readers; `attack.py` runs it.

A file that stops or blocks its reader is a finding, and so is an error that no reader foresaw,
although an import goes on after both. An input that makes a reader answer in a new way joins those
that are mutated, so that mutations reach further than one step.
"""

# The path of the tests is set before these are imported.
# ruff: noqa: E402

from __future__ import annotations

import io
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from tests.unit.ingest.test_detect import SAMPLES
from tests.unit.test_linear_time import FRAGMENTS, files

from claimscope.ingest import FORMATS, Failure, Skipped, read
from claimscope.library.export import FORMATS as EXPORTS
from claimscope.types import Document, Metadata

TELL = 500
"""Files after which a process tells how far it is."""
HANGS = 120.0
"""Seconds of computing time that these files may take; the system then ends the process."""
SLEEPS = 3_600.0
"""Seconds that they may take on a busy computer."""
SLOW = 2.0
"""Seconds of computing time that a file of some kilobytes may take."""
WRONG = "!"
LONGEST = 6_000
MOST_KEPT = 5_000
TEXT = "Aspirin lowers risk. It was 3 in 10 (95% CI 1 to 4). {\\'e} <b>x</b> &amp; é."
PAPERS = [
    Document(
        "doi:10.1000/a(b)",
        "Aspirin & risk",
        TEXT,
        ((0, 20),),
        Metadata(year=2001, authors=("Doe, J.", "van Öst, A."), doi="10.1000/a(b)", venue="J"),
    ),
    Document("pmid:7", "RETRACTED: <i>Title</i>", "", (), Metadata(pmid="7", retracted=True)),
]
UNFORESEEN = re.compile(
    r"^(?!The workbook is damaged).*\((?:Type|Attribute|Index|Key|Assertion|ZeroDivision|"
    r"UnboundLocal|Name|Overflow|Recursion|Runtime|NotImplemented|Memory|StopIteration|System)"
    r"(?:Error)?[:)]"
)
"""What a reader should never say of a file of some kilobytes."""


def seeds() -> list[bytes]:
    """Make a file of every format, and exports of papers."""
    exports = ["".join(each.write(PAPERS)).encode() for each in EXPORTS.values()]
    samples = [each if isinstance(each, bytes) else each.encode() for each in SAMPLES.values()]
    return [*samples, *exports, *files(TEXT).values()]


def mutated(chance: random.Random, corpus: Sequence[bytes]) -> bytes:
    """Change a file of the corpus, or one part of a workbook, which is packed again."""
    content = chance.choice(corpus)
    found = parts(content)
    if not found or chance.random() < 0.1:
        return changed(chance, content, corpus)[:LONGEST]
    name = chance.choice(list(found))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as target:
        for each, part in (found | {name: changed(chance, found[name], corpus)}).items():
            target.writestr(each, part)
    return made.getvalue()


def parts(content: bytes) -> dict[str, bytes]:
    """Give the parts of a workbook, and none of any other file or a damaged one."""
    damages = (zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError, RuntimeError)
    with suppress(*damages), zipfile.ZipFile(io.BytesIO(content)) as source:
        return {name: source.read(name) for name in source.namelist()}
    return {}


def changed(chance: random.Random, given: bytes, corpus: Sequence[bytes]) -> bytes:
    """Cut, repeat and change bytes, and mix in text made to be slow and parts of other files."""
    content = bytearray(given)
    for _ in range(chance.randrange(1, 8)):
        place = chance.randrange(len(content) + 1)
        match chance.randrange(6):
            case 0:
                del content[place : place + chance.randrange(1, 40)]
            case 1:
                content[place:place] = chance.choice(FRAGMENTS).encode() * chance.randrange(1, 20)
            case 2:
                content[place:place] = chance.randbytes(chance.randrange(1, 9))
            case 3:
                other = chance.choice(corpus)
                start = chance.randrange(len(other) + 1)
                content[place:place] = other[start : start + 200]
            case 4:
                content[place:place] = content[place : place + chance.randrange(1, 200)]
            case _ if content:
                content[place % len(content)] ^= 1 << chance.randrange(8)
    return bytes(content)


class Fuzzer:
    """Reads mutated files and keeps those that make a reader answer in a new way."""

    def __init__(self, seed: str, path: Path) -> None:
        self._chance = random.Random(seed)
        self._path = path
        self._corpus = seeds()
        self._seen: set[tuple[object, ...]] = set()

    def one(self) -> str | None:
        """Read a file as one of the formats, or as what it seems to be, and give what is wrong."""
        forced = self._chance.choice([None, None, *FORMATS])
        content = mutated(self._chance, self._corpus)
        # Some file systems write a file that is made shorter to the disk at once.
        self._path.unlink(missing_ok=True)
        self._path.write_bytes(content)
        began = time.process_time()
        try:
            answer = tuple(in_words(item) for item in read([self._path], format=forced))
        except Exception as error:  # noqa: BLE001 - any error at all is a finding
            answer = (f"raised ({type(error).__name__}: {error})", WRONG)
        taken = time.process_time() - began
        self._learn(content, (forced, *answer[:5]))
        wrong = [each for each in answer if each == WRONG or UNFORESEEN.search(each)]
        if taken > SLOW:
            wrong.append(f"{taken:.1f} s")
        return f"{forced or 'any'}: {answer[0]} {wrong} {content!r}" if wrong else None

    def _learn(self, content: bytes, answer: tuple[object, ...]) -> None:
        """Keep an input whose answer is new."""
        if answer not in self._seen and len(self._seen) < MOST_KEPT:
            self._seen.add(answer)
            self._corpus.append(content)


def in_words(item: Document | Skipped | Failure) -> str:
    """Say what an item is, without numbers and quoted text."""
    if isinstance(item, Document):
        return "paper"
    return re.sub(r"['\"].*['\"]|\d+", "#", item.reason)


def fuzz(count: int, seed: str) -> Iterator[tuple[int, list[str]]]:
    """Read that many files in other processes; give how many were read since, and findings."""
    done = 0
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        path = Path(folder) / "file"
        while done < count:
            words = [str(count - done), f"{seed}-{done}", str(path)]
            with subprocess.Popen(
                [sys.executable, __file__, *words], stdout=subprocess.PIPE, text=True
            ) as process:
                for line in process.stdout or ():
                    number, findings = json.loads(line)
                    done += number
                    yield number, findings
            if process.returncode:
                done += 1
                killed = f"the reader ended with {process.returncode} on {path.read_bytes()!r}"
                yield 1, [killed]


def child(count: int, seed: str, path: Path) -> None:
    """Read files; tell now and then how many, and what was wrong."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    fuzzer = Fuzzer(seed, path)
    for start in range(0, count, TELL):
        number = min(TELL, count - start)
        # A reader that does not come back is killed by the system.
        signal.setitimer(signal.ITIMER_PROF, HANGS)
        signal.setitimer(signal.ITIMER_REAL, SLEEPS)
        findings = [found for _ in range(number) if (found := fuzzer.one())]
        print(json.dumps([number, findings]), flush=True)


if __name__ == "__main__":
    child(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
