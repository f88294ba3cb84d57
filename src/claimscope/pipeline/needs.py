"""Says for each preset which models are missing, how large they are and where they go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimscope.errors import InputError, MissingModelError
from claimscope.models.catalogue import CHECKPOINTS
from claimscope.models.locate import Locator, advice, models_folder
from claimscope.pipeline.preset import Preset


@dataclass(frozen=True, slots=True)
class Need:
    """A model that a preset names."""

    model: str
    present: bool
    megabytes: int | None
    folder: Path
    """Where it is, or where it is to be put."""
    advice: str
    """What it is and how to come by it, in words."""


def needs(preset: Preset, locator: Locator | None = None) -> list[Need]:
    """List the models a preset names, in the order of its stages, each once."""
    named = [name for stage in preset.stages for name in _models(stage.parameters)]
    return [_need(name, locator or Locator()) for name in dict.fromkeys(named)]


def _models(parameters: Mapping[str, Any]) -> Iterator[str]:
    """Find the models in a stage's parameters and in those of its members."""
    for key, value in parameters.items():
        if key == "model" and isinstance(value, str):
            yield value
        for member in value if isinstance(value, list) else [value]:
            if isinstance(member, Mapping):
                yield from _models(member)


def _need(name: str, locator: Locator) -> Need:
    row = CHECKPOINTS.get(name)
    try:
        found = locator.find(name)
    except (MissingModelError, InputError) as error:
        words = advice(row) if row else str(error)
        size = row.megabytes if row else None
        return Need(name, False, size, models_folder() / name, words)
    size = row.megabytes if row else None
    return Need(name, True, size, found.folder, f"{found.checkpoint.about or name}, found")
