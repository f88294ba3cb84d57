"""The ways to evaluate a pipeline: whole, search only, or with gold parts."""

from __future__ import annotations

import inspect
from dataclasses import replace
from enum import StrEnum

from claimscope.errors import ConfigurationError
from claimscope.pipeline.pipeline import Pipeline
from claimscope.pipeline.preset import Preset, StageSetting
from claimscope.pipeline.registry import available
from claimscope.pipeline.stage import Kind, Part, stage_id

_RANKING = (Kind.RETRIEVE, Kind.RERANK)


class Mode(StrEnum):
    """Which part of a pipeline is evaluated (Wadden et al. 2020, section 5)."""

    OPEN = "open"
    """The full pipeline."""
    RETRIEVAL = "retrieval"
    """Retrievers and rerankers, and what stands between them, such as ComboScorer's verifier."""
    ORACLE_ABSTRACTS = "oracle-abstracts"
    """The gold abstracts are given."""
    ORACLE_RATIONALES = "oracle-rationales"
    """The gold abstracts and their gold sentences are given."""
    SELECTOR_ALONE = "selector-alone"
    """The selector on the gold abstracts; no judge drops abstracts (VeriSci's evaluation script,
    VerT5erini's table 7)."""
    LABELLER_TFIDF = "labeller-tfidf"
    """The judge on each pair of claim and abstract: gold sentences where there are any, and for a
    claim without evidence the two sentences of its first cited abstract that are most similar by
    TF-IDF (VeriSci's evaluation script, VerT5erini's table 8)."""
    LABELLER_BM25 = "labeller-bm25"
    """The same with BM25 in the place of TF-IDF (the BERT-T5 study, table 5)."""

    @property
    def is_oracle(self) -> bool:
        """Whether the right abstracts are given, so that there is no search to measure."""
        return self not in (Mode.OPEN, Mode.RETRIEVAL)

    @property
    def silent(self) -> str:
        """How sentences are chosen where there are no gold ones; empty if none are."""
        return _SILENT.get(self, "")


_SILENT = {Mode.LABELLER_TFIDF: "tfidf", Mode.LABELLER_BM25: "bm25"}


def adapt(preset: Preset, mode: Mode) -> Preset:
    """Make the pipeline of a mode from a preset's own."""
    later = tuple(stage for stage in preset.stages if stage.kind not in _RANKING)
    given = StageSetting(Kind.RETRIEVE, "oracle", {})
    if mode is Mode.OPEN:
        return preset
    if mode is Mode.RETRIEVAL:
        return replace(preset, stages=_ranking(preset))
    if mode is Mode.ORACLE_ABSTRACTS:
        return replace(preset, stages=(given, *later))
    selectors = tuple(stage for stage in later if stage.kind is Kind.SELECT)
    judges = tuple(stage for stage in later if stage.kind is Kind.JUDGE)
    if mode is Mode.SELECTOR_ALONE:
        return replace(preset, stages=(given, *selectors, StageSetting(Kind.JUDGE, "oracle", {})))
    if mode.silent:
        marked = StageSetting(Kind.SELECT, "oracle", {"silent": mode.silent})
        return replace(preset, stages=(given, marked, *judges))
    unselected = tuple(stage for stage in later if stage.kind is not Kind.SELECT)
    marked = StageSetting(Kind.SELECT, "oracle", {})
    return replace(preset, stages=(given, marked, *unselected))


def _ranking(preset: Preset) -> tuple[StageSetting, ...]:
    """Take the stages up to the last that ranks."""
    places = [place for place, stage in enumerate(preset.stages) if stage.kind in _RANKING]
    return preset.stages[: places[-1] + 1] if places else ()


def check_mode(pipeline: Pipeline, mode: Mode) -> None:
    """Refuse a mode that needs a separate selector or judge if the preset has none."""
    kinds = {stage.kind for stage in pipeline.stages}
    if mode is Mode.SELECTOR_ALONE and Kind.SELECT not in kinds:
        raise ConfigurationError(
            "This pipeline has no stage that only selects sentences, so none can be evaluated "
            "alone; evaluate it with the mode oracle-abstracts."
        )
    if mode.silent and Kind.JUDGE not in kinds:
        raise ConfigurationError(
            "This pipeline has no stage that judges abstracts, so none can be evaluated alone; "
            "evaluate it with the mode oracle-abstracts."
        )
    if mode is not Mode.ORACLE_RATIONALES and not mode.silent:
        return
    for stage in pipeline.stages:
        if stage.kind is Kind.JUDGE and Part.RATIONALE in stage.provides:
            raise ConfigurationError(
                f"Stage {stage_id(stage)} selects sentences while it judges, so gold sentences "
                "cannot be given to it; evaluate it with the mode oracle-abstracts."
            )


def with_seed(preset: Preset, seed: int) -> Preset:
    """Give a seed to every stage that takes one; a preset without any is refused."""
    stages = tuple(
        replace(stage, parameters={**stage.parameters, "seed": seed})
        if _takes_seed(stage)
        else stage
        for stage in preset.stages
    )
    if stages == preset.stages and not any(map(_takes_seed, preset.stages)):
        raise ConfigurationError(
            f"No stage of preset {preset.name} takes a seed, so every run would be the same; "
            "leave the seeds out, or give the runs to compare."
        )
    return replace(preset, stages=stages)


def _takes_seed(setting: StageSetting) -> bool:
    point = available(setting.kind).get(setting.name)
    return point is not None and "seed" in inspect.signature(point.load()).parameters
