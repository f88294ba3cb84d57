"""The perfect retriever: exactly the abstracts annotators found evidence in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from claimscope.library.protocol import Hit, Library
from claimscope.pipeline.stage import Composable, Kind, Part, stage_id
from claimscope.retrieve.ranking import with_hits
from claimscope.types import Case, Gold


@dataclass(frozen=True)
class OracleRetriever(Composable):
    """Takes the gold evidence abstracts, ordered by id; shows what later stages lose."""

    library: Library = field(repr=False)
    gold: Gold = field(repr=False)

    kind: ClassVar[Kind] = Kind.RETRIEVE
    name: ClassVar[str] = "oracle"
    requires: ClassVar[frozenset[Part]] = frozenset()
    provides: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Look up every claim's gold abstracts."""
        rankings = [
            [Hit(name, 1.0) for name in sorted(self.gold.get(case.claim.id, {}))] for case in cases
        ]
        return with_hits(cases, rankings, self.library, stage_id(self))
