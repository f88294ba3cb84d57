"""The trivial selector: the first or last sentences of an abstract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope.errors import ConfigurationError
from claimscope.pipeline.stage import Composable, Kind, Part, map_candidates, require_positive
from claimscope.types import Candidate, Case, Claim, RationaleSentence, Score


@dataclass(frozen=True)
class Lead(Composable):
    """Takes n sentences from the start, or from the end, where conclusions stand."""

    n: int = 1
    side: str = "start"

    kind: ClassVar[Kind] = Kind.SELECT
    name: ClassVar[str] = "lead"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.RATIONALE})

    def __post_init__(self) -> None:
        require_positive(self, "n")
        if self.side not in {"start", "end"}:
            raise ConfigurationError(
                "Parameter 'side' of stage select.lead must be 'start' or 'end', "
                f"not {self.side!r}."
            )

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Mark the sentences in every candidate."""
        return map_candidates(cases, self._mark)

    def _mark(self, _: Claim, candidate: Candidate) -> Candidate:
        indices = range(len(candidate.document.spans))
        chosen = indices[: self.n] if self.side == "start" else indices[::-1][: self.n]
        return replace(
            candidate,
            rationale=tuple(RationaleSentence(index, Score(1.0)) for index in chosen),
        )
