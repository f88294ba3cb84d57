"""Lets a preset's own judge read claims with their evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.library.local import LocalLibrary
from claimscope.models.loader import Models
from claimscope.pipeline.preset import Preset, StageSetting
from claimscope.pipeline.registry import Resources, build
from claimscope.pipeline.stage import Kind
from claimscope.types import Candidate, Case, Claim, Document, LabelProbabilities
from transfer.material import Pair

_READING = (Kind.SELECT, Kind.JUDGE)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the judge says of a document, or of the claim, and what is right."""

    claim_id: str
    gold: Label | None
    labels: LabelProbabilities


def with_model(preset: Preset, model: str) -> Preset:
    """Give the preset with another verifier in its judge."""
    stages = tuple(
        replace(each, parameters={**each.parameters, "model": model})
        if each.kind is Kind.JUDGE
        else each
        for each in preset.stages
    )
    return replace(preset, stages=stages)


@dataclass(frozen=True)
class Reader:
    """A preset's selection and judgement, and its rule for whole claims."""

    preset: Preset
    models: Models

    def read(self, pairs: Sequence[Pair]) -> list[Reading]:
        """Judge every pair; the stages batch them by length themselves."""
        cases = [Case(each.claim, (Candidate(each.document),)) for each in pairs]
        resources = Resources(models=self.models)
        for setting in self.preset.stages:
            if setting.kind in _READING:
                stage = build(setting.kind, setting.name, setting.parameters, resources)
                cases = stage.run(cases)
        return [
            Reading(pair.claim.id, pair.gold, _labels(case))
            for pair, case in zip(pairs, cases, strict=True)
        ]

    def decide(
        self, pairs: Sequence[Pair], readings: Sequence[Reading], rule: StageSetting | None = None
    ) -> dict[str, Label]:
        """Give the verdict on each claim by a rule, or by the preset's own."""
        judged: dict[Claim, list[Candidate]] = {}
        for pair, reading in zip(pairs, readings, strict=True):
            candidate = Candidate(pair.document, labels=reading.labels)
            judged.setdefault(pair.claim, []).append(candidate)
        setting = rule or self._rule()
        stage = build(setting.kind, setting.name, setting.parameters, Resources())
        return verdicts(stage.run([Case(claim, tuple(found)) for claim, found in judged.items()]))

    def check(
        self, claims: Sequence[Claim], documents: Iterable[Document], rule: StageSetting
    ) -> tuple[int, list[Case]]:
        """Run the whole preset with another rule over a library made for the purpose.

        Gives the number of documents in the library, and the cases.
        """
        own = tuple(rule if each.kind is Kind.DECIDE else each for each in self.preset.stages)
        with ExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory())) / "library"
            library = stack.enter_context(LocalLibrary(folder, create=True))
            library.add(documents)
            pipeline = replace(self.preset, stages=own).build(
                Resources(library, models=self.models)
            )
            return len(library), pipeline.run(claims)

    @property
    def judge(self) -> Mapping[str, Any]:
        """The parameters of the judge."""
        return self._setting(Kind.JUDGE).parameters

    def _rule(self) -> StageSetting:
        return self._setting(Kind.DECIDE)

    def _setting(self, kind: Kind) -> StageSetting:
        found = next((each for each in self.preset.stages if each.kind is kind), None)
        if found is None:
            raise ConfigurationError(f"Preset {self.preset.name} has no stage of kind {kind}.")
        return found


def verdicts(cases: Iterable[Case]) -> dict[str, Label]:
    """Give the label of each case's verdict by claim."""
    return {case.claim.id: case.verdict.label for case in cases if case.verdict}


def _labels(case: Case) -> LabelProbabilities:
    [candidate] = case.candidates
    if candidate.labels is None:
        raise ConfigurationError("The preset has no stage that judges abstracts; choose another.")
    return candidate.labels
