"""Turns the hits of a search into the candidates of a case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from claimscope.library.protocol import Hit, Library
from claimscope.types import Candidate, Case, Score


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
