"""The stage protocol: one step on a batch of cases, declared so that pipelines can be checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from claimscope.errors import ConfigurationError
from claimscope.models.loader import Models
from claimscope.types import Candidate, Case, Claim

if TYPE_CHECKING:
    from claimscope.pipeline.pipeline import Pipeline


class Kind(StrEnum):
    """The five jobs, in the order they are usually done."""

    RETRIEVE = "retrieve"
    RERANK = "rerank"
    SELECT = "select"
    JUDGE = "judge"
    DECIDE = "decide"


class Part(StrEnum):
    """The parts of a case that stages fill in and rely on."""

    CANDIDATES = "candidates"
    RATIONALE = "rationale"
    LABELS = "labels"
    VERDICT = "verdict"


@runtime_checkable
class Stage(Protocol):
    """One job on a batch of cases.

    A stage is a dataclass: its plain fields are its parameters, which presets set and
    provenance records.
    """

    kind: ClassVar[Kind]
    name: ClassVar[str]
    requires: ClassVar[frozenset[Part]]
    provides: ClassVar[frozenset[Part]]

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Give a new case for each case, in the same order."""


@runtime_checkable
class KnowsRank(Protocol):
    """A retriever that can give the rank of a document it did not return."""

    def rank_of(self, claim: Claim, document_id: str) -> int | None:
        """Give the rank, counted from 1, or None if the document does not match at all."""


class Composable:
    """Gives a stage its first version, and the `>>` that joins it with the next one."""

    version: ClassVar[int] = 1
    """Raised when the same parameters begin to mean something else."""

    def __rshift__(self, following: Stage | Pipeline) -> Pipeline:
        """Join this stage and the following one into a pipeline."""
        from claimscope.pipeline.pipeline import Pipeline

        return Pipeline.of(self) >> following


def map_candidates(
    cases: Sequence[Case], change: Callable[[Claim, Candidate], Candidate]
) -> list[Case]:
    """Change every candidate of every case by itself, and keep their order."""
    return [
        replace(case, candidates=tuple(change(case.claim, item) for item in case.candidates))
        for case in cases
    ]


def stage_id(stage: Stage) -> str:
    """Name a stage in scores, traces and messages, such as "retrieve.bm25"."""
    return f"{stage.kind}.{stage.name}"


def require_positive(stage: Stage, parameter: str) -> None:
    """Refuse a parameter that counts something and is below one."""
    value = getattr(stage, parameter)
    if value < 1:
        raise ConfigurationError(
            f"Parameter {parameter!r} of stage {stage_id(stage)} must be at least 1, not {value}."
        )


def describe(stage: Stage) -> dict[str, Any]:
    """Give a stage's name and parameters as plain values, for provenance.

    Beside the name of a model stands the SHA-256 of its weights, if it is on this machine.
    """
    described: dict[str, Any] = {"stage": stage_id(stage)}
    if is_dataclass(stage):
        for item in fields(stage):
            value = getattr(stage, item.name)
            if item.repr and (plain := _plain(value)) is not _NOT_PLAIN:
                described[item.name] = plain
    return {**described, **_checksums(stage, described)}


def _checksums(stage: Stage, described: Mapping[str, Any]) -> dict[str, str | None]:
    models = getattr(stage, "models", None)
    if not isinstance(models, Models):
        return {}
    named = [key for key in described if key.endswith("model") and described[key]]
    return {f"{key}_sha256": models.sha256(described[key]) for key in named}


_NOT_PLAIN = object()


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Stage):
        return describe(value)
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    if isinstance(value, list | tuple):
        items = [_plain(item) for item in value]
        return _NOT_PLAIN if any(item is _NOT_PLAIN for item in items) else items
    return _NOT_PLAIN
