"""Pipelines of stages: what a stage is, how stages are joined, and presets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimscope._lazy import lazy

if TYPE_CHECKING:
    from claimscope.pipeline.pipeline import Pipeline
    from claimscope.pipeline.preset import Preset
    from claimscope.pipeline.registry import Resources
    from claimscope.pipeline.stage import (
        Composable,
        Kind,
        Part,
        Stage,
        map_candidates,
        require_positive,
        stage_id,
    )

__all__ = [
    "Composable",
    "Kind",
    "Part",
    "Pipeline",
    "Preset",
    "Resources",
    "Stage",
    "map_candidates",
    "require_positive",
    "stage_id",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Composable": "stage",
        "Kind": "stage",
        "Part": "stage",
        "Pipeline": "pipeline",
        "Preset": "preset",
        "Resources": "registry",
        "Stage": "stage",
        "map_candidates": "stage",
        "require_positive": "stage",
        "stage_id": "stage",
    },
)
