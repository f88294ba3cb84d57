"""Computes the vectors of many papers in parts, and gives them to a library's dense retriever."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from claimscope._parquet import open_parquet, parquet_bytes
from claimscope._version import __version__
from claimscope.batch.engine import Engine
from claimscope.batch.parts import Finished, Part, PartFolder
from claimscope.errors import ClaimscopeError, ClusterError, InputError, MissingModelError
from claimscope.ingest.files import expand
from claimscope.ingest.record import Failure, Skipped
from claimscope.ingest.supervisor import read_in_child
from claimscope.library.protocol import Library
from claimscope.library.writers.json_lines import to_record
from claimscope.models.loader import Models
from claimscope.models.text_encoder import Vectors
from claimscope.stages.retrieve.dense import keep
from claimscope.types import Document

PART_SIZE = 1_000
ENDING = "parquet"
_SCHEMA = {"id": "string", "record": "string", "text": "string"}
_TEXT_BYTES = 16


@dataclass(frozen=True, slots=True)
class EmbedSpec:
    """All that a worker needs to know to compute the same vectors as every other worker."""

    model: str
    weights: str
    version: str = __version__


@dataclass(frozen=True, slots=True)
class EmbedSummary:
    """What became of the papers."""

    papers: int
    resumed: int
    """How many an earlier run had done."""
    failures: tuple[Failure | Skipped, ...]
    paths: Sequence[Path]


def spec_for(model: str) -> EmbedSpec:
    """Describe the work with a model that is on this computer."""
    models = Models()
    models.encoder(model)
    weights = models.sha256(model)
    if weights is None:
        raise MissingModelError(f"The model {model} is not on this computer; get it first.")
    return EmbedSpec(model, weights)


def embed_files(
    paths: Sequence[str],
    spec: EmbedSpec,
    output: Path,
    engine: Engine,
    part_size: int = PART_SIZE,
    on_progress: Callable[[int, int | None], None] = lambda done, total: None,
) -> EmbedSummary:
    """Write papers and vectors to a folder; the same call goes on where it was stopped."""
    folder = PartFolder(output, ENDING)
    folder.begin(
        {
            "work": "embed",
            "files": _files(paths),
            "part_size": part_size,
            "model": spec.model,
            "weights": spec.weights,
            "version": spec.version,
        }
    )
    known = len(folder.done())
    reading = _Reading()
    with closing(reading.documents(paths)) as documents:
        done = resumed = known * part_size
        for finished in engine.run(embed_part, spec, folder.waiting(documents, part_size)):
            if finished.failure is not None:
                raise ClusterError(finished.failure)
            folder.write(finished)
            done += finished.size
            on_progress(done, None)
    resumed = min(resumed, reading.count)
    return EmbedSummary(reading.count, resumed, tuple(reading.failures), folder.paths())


class _Reading:
    """Lets papers pass, counts them and keeps the rest."""

    def __init__(self) -> None:
        self.count = 0
        self.failures: list[Failure | Skipped] = []

    def documents(self, paths: Sequence[str]) -> Generator[Document, None, None]:
        with closing(read_in_child(paths, None, None)) as items:
            for item in items:
                if isinstance(item, Document):
                    self.count += 1
                    yield item
                else:
                    self.failures.append(item)


def _files(paths: Sequence[str]) -> list[list[str | int]]:
    """Name the files with their sizes: reading them twice to compare contents takes too long."""
    found = [item for given in paths for item in expand(given)]
    failed = [item for item in found if isinstance(item, Failure)]
    if failed:
        raise InputError(f"{failed[0].file}: {failed[0].reason}")
    return [[str(path), path.stat().st_size] for path in found if isinstance(path, Path)]


_ENCODING = Lock()


@lru_cache(maxsize=1)
def _models(spec: EmbedSpec) -> Models:
    """Open the model, once in each process."""
    models = Models()
    if spec.version != __version__ or models.sha256(spec.model) != spec.weights:
        raise ClusterError(
            f"A worker has another version of Claimscope or of the model {spec.model}; install "
            "the same everywhere."
        )
    return models


def embed_part(spec: EmbedSpec, part: Part[Document]) -> Finished:
    """Compute the vectors of one part; what is wrong with the worker is a failure in words."""
    texts = [document.text for document in part.items]
    try:
        with _ENCODING:
            vectors = _models(spec).encoder(spec.model).encode(texts)
    except ClaimscopeError as error:
        return Finished(part.index, len(part.items), failure=str(error))
    rows = [
        {
            "id": document.id,
            "record": json.dumps(to_record(document), ensure_ascii=False),
            "text": _digest(text),
        }
        for document, text in zip(part.items, texts, strict=True)
    ]
    data = parquet_bytes(rows, _SCHEMA, ("vector", vectors))
    return Finished(part.index, len(part.items), data)


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=_TEXT_BYTES).hexdigest()


def read_vectors(folder: Path) -> Iterator[tuple[Any, ...]]:
    """Give the vectors of a folder, each with the checksum of the text it stands for."""
    for path in PartFolder(folder, ENDING).paths():
        with open_parquet(path) as table:
            yield from table.rows(["text", "vector"], PART_SIZE)


def load_vectors(folder: Path, library: Library) -> tuple[int, int]:
    """Keep the vectors of a folder for the library's dense retriever.

    Give how many were loaded, and how many had to be computed here because the library has a text
    that is not in the folder, such as that of papers that were merged.
    """
    model = PartFolder(folder, ENDING).manifest().get("model")
    if not isinstance(model, str):
        raise InputError(f"{folder} holds no vectors; make some with 'claimscope library embed'.")
    texts = [document.text for document in library.documents()]
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(_digest(text), []).append(place)
    spec = spec_for(model)
    if PartFolder(folder, ENDING).manifest().get("weights") != spec.weights:
        raise InputError(f"The vectors in {folder} are of other weights than {model} has here.")
    found: dict[int, list[float]] = {}
    for digest, vector in read_vectors(folder):
        found.update(dict.fromkeys(places.get(digest, ()), vector))
    missing = [place for place in range(len(texts)) if place not in found]
    computed = Models().encoder(model).encode([texts[place] for place in missing])
    found.update(zip(missing, computed.tolist(), strict=False))
    matrix: Vectors = np.array([found[place] for place in range(len(texts))], dtype=np.float32)
    keep(texts, spec.weights, matrix)
    return len(texts) - len(missing), len(missing)
