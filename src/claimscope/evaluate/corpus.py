"""A library of a data set's documents, built once and kept in the user's cache."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from platformdirs import user_cache_path

from claimscope.datasets.record import Dataset
from claimscope.errors import InputError
from claimscope.library.local import LocalLibrary
from claimscope.library.record import encode
from claimscope.types import Document

_ALIASES = "aliases.json"


@dataclass(frozen=True)
class Corpus:
    """The library claims are checked against."""

    library: LocalLibrary
    aliases: Mapping[str, str]
    """Ids of documents that the library keeps under another id, because they are one paper."""

    def kept_id(self, document_id: str) -> str:
        """Give the id the library keeps a document under."""
        return self.aliases.get(document_id, document_id)

    def find(self, document_id: str) -> Document | None:
        """Give a document, or None if the library does not hold it."""
        try:
            [document] = self.library.get([document_id])
        except InputError:
            return None
        return document


@contextmanager
def open_corpus(dataset: Dataset, cache: Path | None = None) -> Iterator[Corpus]:
    """Open the library of a data set, building it if these very documents have none yet."""
    parent = (cache or user_cache_path("claimscope")) / "evaluation"
    name = re.sub(r"[^\w-]+", "-", dataset.name).strip("-")[-60:]
    folder = parent / f"{name}-{_fingerprint(dataset)}"
    if not folder.is_dir():
        _build(dataset, folder)
    aliases = json.loads((folder / _ALIASES).read_text("utf-8"))
    with LocalLibrary(folder / "library") as library:
        yield Corpus(library, aliases)


def _fingerprint(dataset: Dataset) -> str:
    """Fingerprint the documents one by one; a data set without any is refused."""
    digest = blake2b(digest_size=8)
    empty = True
    for document in dataset.documents():
        digest.update(encode(document).content_hash)
        empty = False
    if empty:
        raise InputError(
            f"{dataset.card.title} comes without documents; choose a library to check its claims "
            "against with --library."
        )
    return digest.hexdigest()


def _build(dataset: Dataset, folder: Path) -> None:
    """Build beside the folder and rename, so that nobody meets a half-built library."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix="building-", dir=folder.parent))
    try:
        with LocalLibrary(fresh / "library", create=True) as library:
            report = library.add(dataset.documents())
        aliases = {merge.incoming_id: merge.kept_id for merge in report.merged}
        (fresh / _ALIASES).write_text(json.dumps(aliases), "utf-8")
        fresh.rename(folder)
    except OSError:
        # Another process was quicker; its library is the same.
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
