"""Cuts a stream of documents into batches that are neither large nor long in the making."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from claimscope.types import Document

_DOCUMENTS = 2_000
_CHARACTERS = 8_000_000
_ROUND_DOCUMENTS = 25_000
_ROUND_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Batch:
    """Documents to write in one transaction, and whether the index is to be committed after it.

    A commit of the index costs far more than one of the store, hence several batches a round.
    """

    documents: list[Document]
    ends_round: bool


def batches(documents: Iterable[Document]) -> Iterator[Batch]:
    """Give the documents in batches; the last one always ends a round.

    A batch ends when it is long, when its text is, or when a round has taken long enough: a slow
    source, such as a folder of PDFs, then loses only seconds of work to an interruption.
    """
    batch: list[Document] = []
    characters = in_round = 0
    begun = time.monotonic()
    for document in documents:
        batch.append(document)
        characters += len(document.abstract)
        late = time.monotonic() - begun > _ROUND_SECONDS
        if late or len(batch) >= _DOCUMENTS or characters >= _CHARACTERS:
            in_round += len(batch)
            ends_round = late or in_round >= _ROUND_DOCUMENTS
            yield Batch(batch, ends_round)
            batch, characters = [], 0
            if ends_round:
                in_round, begun = 0, time.monotonic()
    yield Batch(batch, ends_round=True)
