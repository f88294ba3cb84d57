"""The Python API: checks claims against a library with a preset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from claimscope._cases import CaseList
from claimscope._version import __version__
from claimscope.claims.reading import read_claim
from claimscope.library.protocol import Library
from claimscope.models.loader import Models
from claimscope.pipeline import preset as presets
from claimscope.pipeline.notices import notices
from claimscope.pipeline.parts import in_parts, joined
from claimscope.pipeline.pipeline import OnStage, Pipeline
from claimscope.pipeline.preset import Preset, with_max_error, with_weights
from claimscope.pipeline.registry import Resources
from claimscope.pipeline.stage import describe
from claimscope.pipeline.why import Why, why
from claimscope.stages.decide.evidence_rule import EvidenceRule
from claimscope.stages.decide.sensitivity import sensitivity
from claimscope.types import Case, Claim, Provenance, Verdict


class Checker:
    """Checks claims against a library; build it once, use it often."""

    def __init__(
        self,
        library: Library,
        preset: str | Preset = presets.DEFAULT_PRESET,
        max_error: float | None = None,
        models: Models | None = None,
        weigh: str | None = None,
        split: bool = True,
    ) -> None:
        """Open a preset; with a tolerated share of errors, abstracts less sure do not count.

        With `weigh="design"` the vote of a study weighs by its design. Compound claims are checked
        part by part unless `split` is false.
        Checkers that are given the same `models` hold each model in memory once.
        """
        self.library, self._split = library, split
        self.preset = presets.load(preset) if isinstance(preset, str) else preset
        self._max_error, self._threshold = max_error, 0.0
        if max_error is not None:
            self.preset, self._threshold = with_max_error(self.preset, max_error)
        if weigh is not None:
            self.preset = with_weights(self.preset, weigh)
        self.pipeline: Pipeline = self.preset.build(
            Resources(library=library) if models is None else Resources(library, models=models)
        )

    def __repr__(self) -> str:
        return f"<Checker {self.preset.name!r} on {self.library!r}>"

    def check(self, claim: str) -> Case:
        """Check one claim."""
        [case] = self.check_many([read_claim(claim)])
        return case

    def check_many(
        self, claims: Sequence[Claim | str], on_stage: OnStage | None = None
    ) -> CaseList:
        """Check claims together, which is faster than one by one."""
        provenance = self.provenance
        asked = [read_claim(claim) if isinstance(claim, str) else claim for claim in claims]
        parts = in_parts(asked) if self._splits else [[claim] for claim in asked]

        def told(stage: str, cases: Sequence[Case]) -> None:
            if on_stage is not None:
                on_stage(stage, joined(asked, parts, cases))

        checked = [
            replace(
                case,
                verdict=self._with_sensitivity(case),
                provenance=provenance,
                notices=notices(case, self.library, self._max_error, self._threshold),
            )
            for case in self.pipeline.run([claim for each in parts for claim in each], told)
        ]
        return CaseList(joined(asked, parts, checked))

    @property
    def _splits(self) -> bool:
        """Whether compound claims are split; parts have no verdicts to join without a rule."""
        return self._split and isinstance(self.pipeline.stages[-1], EvidenceRule)

    def _with_sensitivity(self, case: Case) -> Verdict | None:
        rule = self.pipeline.stages[-1]
        if case.verdict is None or not isinstance(rule, EvidenceRule):
            return case.verdict
        return replace(case.verdict, sensitivity=sensitivity(rule, case))

    def why(self, claim: str, document_id: str) -> Why:
        """Say what became of one document; it must be in the library."""
        asked = read_claim(claim)
        self.library.get([document_id])
        return why(self.pipeline, asked, document_id)

    @cached_property
    def _described(self) -> tuple[dict[str, object], ...]:
        return tuple(describe(stage) for stage in self.pipeline.stages)

    @property
    def provenance(self) -> Provenance:
        """What results depend on: version, preset, stages and the library's revision."""
        return Provenance(__version__, self.preset.name, self._described, self.library.revision)
