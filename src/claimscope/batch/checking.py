"""Checks a file of claims in parts; a worker opens library and models once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from claimscope._parquet import parquet_bytes
from claimscope._version import __version__
from claimscope.batch.engine import Engine
from claimscope.batch.parts import Finished, Part, PartFolder, fingerprint
from claimscope.checker import Checker
from claimscope.claims.files import read_claims_of
from claimscope.claims.reading import Refusal
from claimscope.errors import ClaimscopeError, ClusterError, FormatError, UnknownNameError
from claimscope.library.location import open_library
from claimscope.pipeline import preset as presets
from claimscope.render.exports import claims_to_csv, outcome_to_dict, outcome_to_row
from claimscope.types import Case, Claim, ClaimOutcome

PART_SIZE = 32
"""Claims of a part: about 20 seconds of one core with the default preset."""

OnProgress = Callable[[int, int], None]
"""Told how many claims are done and how many there are."""


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """All that a worker needs to know to check claims as every other worker does."""

    library: str
    revision: str
    preset: str
    preset_text: str
    max_error: float | None
    format: str
    version: str = __version__


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """What became of a batch."""

    claims: int
    refused: int
    resumed: int
    """How many claims an earlier run of the same batch had done."""
    paths: Sequence[Path]


def check_file(
    path: Path,
    spec: CheckSpec,
    output: Path,
    engine: Engine,
    part_size: int = PART_SIZE,
    on_progress: OnProgress = lambda done, total: None,
) -> BatchSummary:
    """Check the claims of a file into a folder; the same call continues after an interruption."""
    if spec.format not in WRITERS:
        raise UnknownNameError("format of results", spec.format, WRITERS)
    digest, total, refused = _survey(path)
    if not total:
        raise FormatError(f"{path.name} holds no claims; add some.")
    folder = PartFolder(output, spec.format)
    folder.begin(_request(spec, digest, total, part_size))
    done = resumed = sum(min(part_size, total - index * part_size) for index in folder.done())
    on_progress(done, total)
    for finished in engine.run(check_part, spec, folder.waiting(_entries(path), part_size)):
        if finished.failure is not None:
            raise ClusterError(finished.failure)
        folder.write(finished)
        done += finished.size
        on_progress(done, total)
    return BatchSummary(total, refused, resumed, folder.paths())


def _survey(path: Path) -> tuple[str, int, int]:
    """Give a checksum of a file's claims, their number, and how many cannot be checked."""
    refused = 0

    def rows() -> Iterator[tuple[str, str, str | None]]:
        nonlocal refused
        for item in _entries(path):
            refused += item.error is not None
            yield item.claim.id, item.claim.text, item.error

    digest, total = fingerprint(rows())
    return digest, total, refused


def _request(spec: CheckSpec, digest: str, total: int, part_size: int) -> dict[str, Any]:
    """Say what a result depends on; the library's place is not among it."""
    return {
        "work": "check",
        "claims": digest,
        "number_of_claims": total,
        "part_size": part_size,
        "format": spec.format,
        "preset": spec.preset,
        "preset_text": spec.preset_text,
        "max_error": spec.max_error,
        "library_revision": spec.revision,
        "version": spec.version,
    }


def _entries(path: Path) -> Iterator[ClaimOutcome]:
    """Give every entry of a file as an outcome that is still open, or already refused."""
    for line, item in enumerate(read_claims_of(path), start=1):
        if isinstance(item, Refusal):
            yield ClaimOutcome(line, Claim("", item.id or str(line)), None, item.reason)
        else:
            yield ClaimOutcome(line, item, None, None)


def check_part(spec: CheckSpec, part: Part[ClaimOutcome]) -> Finished:
    """Check one part; what is wrong with the worker is a failure in words."""
    try:
        with _CHECKING:
            cases = iter(
                _checker(spec).check_many([each.claim for each in part.items if _open(each)])
            )
    except ClaimscopeError as error:
        # Not raised: not every error survives the way through Dask.
        return Finished(part.index, len(part.items), failure=str(error))
    done = [replace(each, case=next(cases)) if _open(each) else each for each in part.items]
    return Finished(part.index, len(part.items), WRITERS[spec.format](done))


def _open(item: ClaimOutcome) -> bool:
    return item.error is None


_CHECKING = Lock()
"""A worker may have several threads, and a checker serves one at a time."""


@lru_cache(maxsize=1)
def _checker(spec: CheckSpec) -> Checker:
    """Open the library and build the pipeline, once in each process."""
    if spec.version != __version__:
        raise ClusterError(
            f"A worker has Claimscope {__version__} and this computer {spec.version}; install the "
            "same version everywhere."
        )
    library = open_library(spec.library)
    if library.revision != spec.revision:
        raise ClusterError(
            f"A worker finds other papers in the library {spec.library} than this computer; give "
            "all of them the same library."
        )
    preset = presets.parse(spec.preset_text, spec.preset, f"preset {spec.preset}")
    return Checker(library, preset, spec.max_error)


def _json_lines(outcomes: Iterable[ClaimOutcome]) -> bytes:
    lines = (json.dumps(outcome_to_dict(item), ensure_ascii=False) for item in outcomes)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _csv(outcomes: Iterable[ClaimOutcome]) -> bytes:
    return "".join(claims_to_csv(outcomes)).encode("utf-8", "replace")


def _parquet(outcomes: Sequence[ClaimOutcome]) -> bytes:
    rows = [outcome_to_row(item) | {"case": _case_json(item.case)} for item in outcomes]
    return parquet_bytes(rows, _SCHEMA)


def _case_json(case: Case | None) -> str | None:
    from claimscope.case_json import to_json

    return to_json(case) if case else None


_SCHEMA = {
    "line": "int64",
    "id": "string",
    "claim": "string",
    "verdict": "string",
    "confidence": "double",
    "supporting": "string",
    "refuting": "string",
    "rule": "string",
    "error": "string",
    "case": "string",
}
WRITERS: dict[str, Callable[[Sequence[ClaimOutcome]], bytes]] = {
    "jsonl": _json_lines,
    "csv": _csv,
    "parquet": _parquet,
}
"""The formats of results, each with what writes a part."""
