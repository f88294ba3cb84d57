"""Turns scores and hits into the ranked candidates of a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from claimscope.library.protocol import Hit, Library
from claimscope.types import Candidate, Case, Document, Score


def with_hits(
    cases: Sequence[Case], rankings: Sequence[Sequence[Hit]], library: Library, stage: str
) -> list[Case]:
    """Give each case the documents of its hits, in their order, scored under the stage's id."""
    wanted = sorted({hit.document_id for hits in rankings for hit in hits})
    documents = dict(zip(wanted, library.get(wanted), strict=True))
    return [
        replace(
            case,
            candidates=tuple(
                Candidate(documents[hit.document_id], MappingProxyType({stage: Score(hit.score)}))
                for hit in hits
            ),
        )
        for case, hits in zip(cases, rankings, strict=True)
    ]


Ranked = list[tuple[int, float]]
"""Positions of documents with their scores, best first."""


def top(scores: NDArray[np.float64], k: int) -> Ranked:
    """Give the k best positive scores; a tie goes to the document that comes first."""
    found = np.flatnonzero(scores > 0)
    if len(found) > k:
        threshold = np.partition(scores[found], len(found) - k)[len(found) - k]
        found = found[scores[found] >= threshold]
    order = np.argsort(-scores[found], kind="stable")[:k]
    return [(int(position), float(scores[position])) for position in found[order]]


def rank(scores: NDArray[np.float64], position: int) -> int | None:
    """Give the rank of one document, counted from 1, or None if its score is not positive."""
    score = scores[position]
    if score <= 0:
        return None
    before = np.count_nonzero(scores > score) + np.count_nonzero(scores[:position] == score)
    return int(before) + 1


CONTENTS: Mapping[str, Callable[[Document], str]] = MappingProxyType(
    {
        "title-and-abstract": lambda document: document.text,
        "abstract": lambda document: document.abstract,
        # VeriSci and SciFCheX join the two without a space, which fuses two words.
        "title-glued-to-abstract": lambda document: document.title + document.abstract,
    }
)
