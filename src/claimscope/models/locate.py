"""Finds a model's folder on this machine; nothing is downloaded here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from platformdirs import user_cache_path

from claimscope.errors import MissingModelError
from claimscope.models.adopt import PICKLED, SAFE, adopted, converted, has
from claimscope.models.catalogue import CHECKPOINTS, find_checkpoint, named, told_by_name
from claimscope.models.checkpoint import Checkpoint, Shape, describe_folder, read_config

ENVIRONMENT_VARIABLE = "CLAIMSCOPE_MODELS"
CONVERTED = "converted"
"""Where models go that cannot be read as they are, below the user's own folder of models."""
SHIPPED = Path(__file__).parent / "shipped"
"""The models that come with the package."""
WEIGHTS = ("model.onnx", *SAFE)
"""A folder with one of these holds a model that can be read as it is."""


@dataclass(frozen=True)
class Found:
    """A model on this machine: where it is and how it is to be read."""

    folder: Path
    checkpoint: Checkpoint

    @property
    def is_onnx(self) -> bool:
        """Whether ONNX Runtime reads it."""
        return (self.folder / "model.onnx").is_file()


def _no_folders() -> Mapping[str, Path]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Locator:
    """Finds models in the given folders, the environment's and the user's."""

    given: Mapping[str, Path] = field(default_factory=_no_folders)
    """Folders by model name; they go before all others."""

    def find(self, model: str) -> Found:
        """Find a model by its name in the table, its hub id, or the path of its folder."""
        row = named(model)
        if row is None and model not in self.given and _is_path(model):
            return _found_at(Path(model).expanduser())
        name = row.name if row else model
        for folder in self.places(name):
            if holds_model(folder):
                return Found(_converted(folder), describe_folder(folder, row))
        raise missing(find_checkpoint(name))

    def ready(self, model: str) -> Found:
        """Find a model, and convert it if its files cannot be read directly."""
        found = self.find(model)
        return Found(readable(found.folder), found.checkpoint)

    def has(self, model: str) -> bool:
        """Say whether a model of the table is on this machine."""
        return any(holds_model(folder) for folder in self.places(model))

    def places(self, model: str) -> list[Path]:
        """List where a model of the table may be, in the order they are looked at."""
        places = [self.given[model]] if model in self.given else []
        if os.environ.get(ENVIRONMENT_VARIABLE):
            places.append(Path(os.environ[ENVIRONMENT_VARIABLE]).expanduser() / model)
        places += [models_folder() / model, SHIPPED / model]
        row = CHECKPOINTS.get(model)
        source = row.source if row else None
        return [*places, *hub_cache(source, row.revision)] if row and source else places


def models_folder() -> Path:
    """Give the user's own folder of models, whether or not it exists."""
    return user_cache_path("claimscope", appauthor=False) / "models"


def hub_cache(source: str, revision: str | None = None) -> list[Path]:
    """Give the folder in which Hugging Face's own tools keep a model that they have downloaded."""
    if "://" in source:
        return []
    home = Path(os.environ.get("HF_HOME", "~/.cache/huggingface")).expanduser()
    cache = Path(os.environ.get("HF_HUB_CACHE", home / "hub")).expanduser()
    repository = cache / f"models--{source.replace('/', '--')}"
    reference = repository / "refs" / (revision or "main")
    if not reference.is_file():
        return []
    return [repository / "snapshots" / reference.read_text("utf-8").strip()]


def holds_model(folder: Path) -> bool:
    """Say whether a folder holds weights that can be read, or converted so that they can."""
    return has(folder, (*WEIGHTS, *PICKLED))


def readable(folder: Path) -> Path:
    """Give a folder that can be read: this one, or the one it is converted into, once."""
    return adopted(folder, models_folder() / CONVERTED)


def _converted(folder: Path) -> Path:
    """Give the folder a model was converted into, if it was."""
    return converted(folder, models_folder() / CONVERTED) or folder


def missing(row: Checkpoint) -> MissingModelError:
    """Say what is missing, how large it is, where to get it and where to put it."""
    return MissingModelError(f"The model {row.name} is not on this machine: {advice(row)}.")


def advice(row: Checkpoint) -> str:
    """Say in words what a model is, its size, where it comes from and where it goes."""
    size = f", about {row.megabytes:,} MB" if row.megabytes else ""
    target = models_folder() / row.name
    places = f"put it into {target}, or set {ENVIRONMENT_VARIABLE} to the folder above it"
    if row.in_repository:
        origin = f"take it from {row.origin} and"
    elif row.source is None:
        origin = f"nobody published it, so {_training(row)}, or"
    else:
        address = row.source if "://" in row.source else f"https://huggingface.co/{row.source}"
        origin = f"get it from {address} with 'claimscope models get {row.name}', or"
    return f"{row.about}{size}; {origin} {places}"


def _training(row: Checkpoint) -> str:
    if row.shape is Shape.JOINT:
        return "train a verifier in its place with 'claimscope train verifier'"
    start = f" from {row.base}" if row.base else " from scratch"
    return f"train it{start} with 'claimscope train --stage'"


def _is_path(model: str) -> bool:
    return any(mark in model for mark in ("/", "\\", "~")) or Path(model).is_dir()


def _found_at(folder: Path) -> Found:
    if not holds_model(folder):
        raise MissingModelError(
            f"The folder {folder} holds no model; it needs one of {', '.join(WEIGHTS[:2])} and "
            f"{PICKLED[0]} beside its config.json and tokenizer.json."
        )
    return Found(_converted(folder), describe_folder(folder, _row_of(folder)))


def _row_of(folder: Path) -> Checkpoint | None:
    """Tell by the names in a path or a config which model of the table a folder holds."""
    repository = folder.parent.parent.name if folder.parent.name == "snapshots" else ""
    source = repository.removeprefix("models--").replace("--", "/")
    config = read_config(folder)
    row = named(source) or told_by_name(str(config.get("_name_or_path", "")), folder.name)
    prompts = config.get("is_encoder_decoder") or config.get("model_type") == "t5"
    if row is None or (row.shape is Shape.PROMPT) != bool(prompts):
        return None
    return replace(row, name=folder.name)
