"""The Python entrance: a library and a preset, kept warm, that take claims to verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from claimscope._version import __version__
from claimscope.claims.reading import cautions, read_claim
from claimscope.labels import Label
from claimscope.library.protocol import Library
from claimscope.models.loader import Models
from claimscope.pipeline import preset as presets
from claimscope.pipeline.abstention import with_max_error
from claimscope.pipeline.pipeline import OnStage, Pipeline
from claimscope.pipeline.registry import Resources
from claimscope.pipeline.stage import describe
from claimscope.pipeline.why import Why, why
from claimscope.types import Candidate, Case, Claim, Provenance

_EMPTY = "The library is empty; add papers, or check against the demonstration library."


class Checker:
    """Checks claims against a library; build it once, use it often."""

    def __init__(
        self,
        library: Library,
        preset: str = presets.DEFAULT_PRESET,
        max_error: float | None = None,
        models: Models | None = None,
    ) -> None:
        """Open a preset; with a tolerated share of errors, abstracts less sure do not count.

        Checkers that are given the same `models` hold each model in memory once.
        """
        self.library = library
        self.preset = presets.load(preset)
        self._max_error, self._threshold = max_error, 0.0
        if max_error is not None:
            self.preset, self._threshold = with_max_error(self.preset, max_error)
        self.pipeline: Pipeline = self.preset.build(
            Resources(library=library) if models is None else Resources(library, models=models)
        )

    def check(self, claim: str) -> Case:
        """Check one claim."""
        [case] = self.check_many([read_claim(claim)])
        return case

    def check_many(self, claims: Sequence[Claim], on_stage: OnStage | None = None) -> list[Case]:
        """Check claims together, which is faster than one by one."""
        provenance = self._provenance
        return [
            replace(
                case,
                provenance=provenance,
                notices=(*cautions(case.claim), *self._notices(case), *self._abstained(case)),
            )
            for case in self.pipeline.run(claims, on_stage)
        ]

    def why(self, claim: str, document_id: str) -> Why:
        """Say what became of one document; it must be in the library."""
        asked = read_claim(claim)
        self.library.get([document_id])
        return why(self.pipeline, asked, document_id)

    def _abstained(self, case: Case) -> tuple[str, ...]:
        """Say so where abstracts spoke, but none as surely as the tolerated errors ask for."""
        if self._max_error is None or case.verdict is None:
            return ()
        spoke = [item for item in case.candidates if _decides(item)]
        counted = (*case.verdict.supporting, *case.verdict.refuting)
        if not spoke or counted or case.verdict.label is not Label.NOT_ENOUGH_INFO:
            return ()
        return (
            f"Abstained: for at most {self._max_error:.0%} errors an abstract must speak with "
            f"probability {self._threshold:.2f}, and of {len(spoke)} that spoke none does.",
        )

    def _notices(self, case: Case) -> tuple[str, ...]:
        """Warn of an empty library, of a search without results and of retracted papers."""
        if not case.candidates and not len(self.library):
            return (_EMPTY,)
        if not case.candidates:
            return ("No document of the library shares a searchable word with the claim.",)
        retracted = [item.document for item in case.candidates if item.document.meta.retracted]
        if not retracted:
            return ()
        titles = "; ".join(f"“{paper.title.rstrip('.') or paper.id}”" for paper in retracted)
        these = "this paper" if len(retracted) == 1 else "these papers"
        return (f"The library marks {these} as retracted: {titles}.",)

    @cached_property
    def _described(self) -> tuple[dict[str, object], ...]:
        return tuple(describe(stage) for stage in self.pipeline.stages)

    @property
    def _provenance(self) -> Provenance:
        return Provenance(__version__, self.preset.name, self._described, self.library.revision)


def _decides(candidate: Candidate) -> bool:
    labels = candidate.labels
    return labels is not None and labels.label is not Label.NOT_ENOUGH_INFO
