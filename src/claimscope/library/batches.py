"""Cuts a stream of documents into batches that are neither large nor long in the making."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from claimscope.types import Document

_DOCUMENTS = 4_000
_CHARACTERS = 16_000_000
_SECONDS = 5.0


def batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Give the documents in lists.

    A list ends when it is long, when its text is, or when its documents came slowly: a slow
    source, such as a folder of PDFs, then loses a few seconds of work to an interruption.
    """
    batch: list[Document] = []
    characters = 0
    begun = time.monotonic()
    for document in documents:
        batch.append(document)
        characters += len(document.abstract)
        slow = time.monotonic() - begun > _SECONDS
        if slow or len(batch) >= _DOCUMENTS or characters >= _CHARACTERS:
            yield batch
            batch, characters, begun = [], 0, time.monotonic()
    if batch:
        yield batch
