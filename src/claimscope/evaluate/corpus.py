"""A library of a data set's documents, built once and kept in the user's cache."""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path

from platformdirs import user_cache_path

from claimscope.datasets.record import Dataset
from claimscope.errors import InputError
from claimscope.library.local import LocalLibrary
from claimscope.library.location import FORM, build_library
from claimscope.library.record import encode


def open_corpus(dataset: Dataset, cache: Path | None = None) -> LocalLibrary:
    """Open the library of a data set; build it if these documents have none yet."""
    parent = (cache or user_cache_path("claimscope")) / "corpora"
    name = re.sub(r"[^\w-]+", "-", dataset.name).strip("-")[-60:]
    folder = parent / f"{name}-{_fingerprint(dataset)}-{FORM}"
    if not folder.is_dir():
        build_library(folder, dataset.documents())
    return LocalLibrary(folder)


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
