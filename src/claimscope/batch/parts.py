"""The folder of a batch: a manifest, and results in parts that appear whole or not at all.

batch.json          what was asked for; the same request resumes, another one is refused
part-00000.jsonl    results of the first items; parts in order hold all items in order
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path
from typing import Any, Generic, TypeVar
from uuid import uuid4

from claimscope.errors import FormatError, InputError

SCHEMA = "claimscope.batch/1"
_NAME = re.compile(r"part-(\d{5,})\.\w+")
_DIGITS = 5

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Part(Generic[Item]):
    """Items that are worked on together, and their place among all parts."""

    index: int
    items: Sequence[Item]


@dataclass(frozen=True, slots=True)
class Finished:
    """The result of a part: the bytes of its file, or why there is none."""

    index: int
    size: int
    data: bytes = b""
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class PartFolder:
    """The folder that results are written to."""

    path: Path
    ending: str

    def begin(self, request: Mapping[str, Any]) -> None:
        """Start a batch, or go on with the one that was started here with the same request."""
        known = self._manifest()
        if known is None:
            self._require_empty()
            self._write("batch.json", _manifest(request))
        elif known != json.loads(_manifest(request)):
            raise InputError(
                f"The folder {self.path} holds another batch: {_difference(known, request)}; "
                "choose another folder with --output, or delete this one."
            )

    def done(self) -> set[int]:
        """Give the indices of the parts that are finished."""
        found = (_NAME.fullmatch(path.name) for path in self.path.glob(f"*.{self.ending}"))
        return {int(match[1]) for match in found if match}

    def waiting(self, items: Iterable[Item], size: int) -> Iterator[Part[Item]]:
        """Give the parts that are not finished."""
        done, rest = self.done(), iter(items)
        for index in count():
            chosen = tuple(islice(rest, size))
            if not chosen:
                return
            if index not in done:
                yield Part(index, chosen)

    def write(self, part: Finished) -> None:
        """Write a part's file."""
        self._write(self._place(part.index).name, part.data)

    def paths(self) -> list[Path]:
        """Give the files of all finished parts, in order."""
        return [
            self.path / f"part-{index:0{_DIGITS}}.{self.ending}" for index in sorted(self.done())
        ]

    def _place(self, index: int) -> Path:
        return self.path / f"part-{index:0{_DIGITS}}.{self.ending}"

    def manifest(self) -> Mapping[str, Any]:
        """Give what was asked for; a folder without a batch is refused."""
        known = self._manifest()
        if not isinstance(known, dict):
            raise InputError(f"There is no batch in {self.path}; check the name of the folder.")
        return known

    def _manifest(self) -> Any:
        path = self.path / "batch.json"
        try:
            return json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise FormatError(f"{path} cannot be read ({error}); delete the folder.") from error

    def _require_empty(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        if any(self.path.iterdir()):
            raise InputError(
                f"The folder {self.path} is not empty and holds no batch; choose another folder "
                "with --output."
            )

    def _write(self, name: str, data: bytes) -> None:
        """Write beside and rename; the name is unlike that of another process's file."""
        fresh = self.path / f".{name}.{uuid4().hex}"
        try:
            fresh.write_bytes(data)
            fresh.replace(self.path / name)
        finally:
            fresh.unlink(missing_ok=True)


def fingerprint(items: Iterable[Sequence[object]]) -> tuple[str, int]:
    """Give a checksum of all items, and their number."""
    digest, number = blake2b(digest_size=16), 0
    for item in items:
        digest.update(json.dumps(item).encode() + b"\n")
        number += 1
    return digest.hexdigest(), number


def _manifest(request: Mapping[str, Any]) -> bytes:
    text = json.dumps({"schema": SCHEMA, **request}, ensure_ascii=False, indent=2)
    return f"{text}\n".encode()


def _difference(known: Any, request: Mapping[str, Any]) -> str:
    if not isinstance(known, dict) or known.get("schema") != SCHEMA:
        return "it was written by another version"
    names = [name for name, value in request.items() if known.get(name) != value]
    return f"{', '.join(name.replace('_', ' ') for name in names) or 'its settings'} differ"
