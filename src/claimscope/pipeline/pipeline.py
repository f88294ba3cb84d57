"""A checked sequence of stages that takes claims to cases and keeps a trace."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from claimscope.errors import ConfigurationError
from claimscope.pipeline.stage import Part, Stage, stage_id
from claimscope.types import Case, Claim, StageTrace, TraceEntry

OnStage = Callable[[str, Sequence[Case]], None]
"""Told the stage's id and its cases each time a stage has run."""


@dataclass(frozen=True)
class Pipeline:
    """Stages that run one after another; one that cannot work is refused when it is built."""

    stages: tuple[Stage, ...]

    def __post_init__(self) -> None:
        if not self.stages:
            raise ConfigurationError("A pipeline needs at least one stage; add a retriever.")
        _check(self.stages)

    @classmethod
    def of(cls, stage: object) -> Pipeline:
        """Make a pipeline of one stage."""
        if not isinstance(stage, Stage):
            raise ConfigurationError(
                f"{type(stage).__name__} is not a stage; it needs kind, name, requires, "
                "provides and run()."
            )
        return cls((stage,))

    def __rshift__(self, following: Stage | Pipeline) -> Pipeline:
        """Join with a following stage or pipeline."""
        more = following.stages if isinstance(following, Pipeline) else (following,)
        return Pipeline((*self.stages, *more))

    def run(self, claims: Sequence[Claim], on_stage: OnStage | None = None) -> list[Case]:
        """Take claims through every stage."""
        cases = [Case(claim) for claim in claims]
        for stage in self.stages:
            started = time.perf_counter()
            results = stage.run(cases)
            seconds = time.perf_counter() - started
            if len(results) != len(cases):
                raise ConfigurationError(
                    f"Stage {stage_id(stage)} returned {len(results)} cases for {len(cases)}; "
                    "it must return one for each."
                )
            cases = [
                replace(
                    after, trace=(*after.trace, _trace(stage, before, after, seconds)), calls=()
                )
                for before, after in zip(cases, results, strict=True)
            ]
            if on_stage is not None:
                on_stage(stage_id(stage), cases)
        return cases


def _check(stages: Sequence[Stage]) -> None:
    """Refuse a sequence in which a stage lacks something, or comes twice."""
    available: set[Part] = set()
    seen: set[str] = set()
    for stage in stages:
        name = stage_id(stage)
        if name in seen:
            raise ConfigurationError(
                f"Stage {name} stands twice in the pipeline; its scores would overwrite each other."
            )
        seen.add(name)
        missing = stage.requires - available
        if missing:
            raise ConfigurationError(
                f"Stage {name} needs {', '.join(sorted(missing))}, which no stage before it "
                "provides; put one before it that does."
            )
        available |= stage.provides


def _trace(stage: Stage, before: Case, after: Case, seconds: float) -> StageTrace:
    name = stage_id(stage)
    entries = []
    for rank, candidate in enumerate(after.candidates, start=1):
        score = candidate.scores.get(name)
        entries.append(
            TraceEntry(candidate.document.id, rank, None if score is None else score.raw)
        )
    received = tuple(candidate.document.id for candidate in before.candidates)
    return StageTrace(name, received, tuple(entries), seconds, after.calls)
