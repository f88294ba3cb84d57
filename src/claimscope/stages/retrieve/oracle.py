"""The perfect retriever: exactly the abstracts annotators found evidence in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from claimscope.library.protocol import Library
from claimscope.pipeline.stage import Composable, Kind, Part
from claimscope.types import Candidate, Case, Gold


@dataclass(frozen=True)
class OracleRetriever(Composable):
    """Takes the gold evidence abstracts, ordered by id; shows what later stages lose.

    They are named rather than found, and so have no score.
    """

    library: Library = field(repr=False)
    gold: Gold = field(repr=False)

    kind: ClassVar[Kind] = Kind.RETRIEVE
    name: ClassVar[str] = "oracle"
    requires: ClassVar[frozenset[Part]] = frozenset()
    provides: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Look up every claim's gold abstracts."""
        names = [sorted(self.gold.get(case.claim.id, {})) for case in cases]
        wanted = sorted({name for each in names for name in each})
        documents = dict(zip(wanted, self.library.get(wanted), strict=True))
        return [
            replace(case, candidates=tuple(Candidate(documents[name]) for name in each))
            for case, each in zip(cases, names, strict=True)
        ]
