"""Facts about a model before it is opened: its place, and what its config does not hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from claimscope.errors import ConfigurationError

DESCRIPTION = "claimscope.json"
"""A file in a model's folder that says what its config cannot; training writes it."""


class Shape(StrEnum):
    """The shapes of model there are."""

    PAIR = "pair"
    """An encoder that reads two texts and gives n numbers."""
    PROMPT = "prompt"
    """A sequence-to-sequence model that reads a prompt and weighs target words."""
    JOINT = "joint"
    """A verifier that reads a whole abstract and gives a label and a score a sentence."""
    ENCODER = "encoder"
    """An encoder that reads one text and gives a vector, for dense retrieval."""
    BASE = "base"
    """A pretrained network that training starts from; it answers nothing by itself."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One model. Names of classes come from its config; `labels` serve where that has none."""

    name: str
    shape: Shape
    about: str = ""
    source: str | None = None
    """Hub id or address; None if nobody published it, and it is to be trained from `base`."""
    in_repository: bool = False
    """Whether the project's repository has it, in its folder `models`; the package has not."""
    base: str | None = None
    """Hub id that training starts from, or that lends its tokeniser and config."""
    revision: str | None = None
    licence: str = "not stated"
    megabytes: int | None = None
    """About how much its weights weigh."""
    evidence_first: bool = True
    """Whether a pair is (evidence, claim), as for inference models, or (claim, evidence)."""
    max_length: int = 512
    """In tokens; what is too long is cut from the evidence."""
    labels: tuple[str, ...] = ()
    template: str = ""
    targets: tuple[str, ...] = ()
    """The words a prompt scorer weighs."""

    @property
    def origin(self) -> str:
        """Where it comes from, in a few words."""
        if self.in_repository:
            return "the folder models of the project's repository"
        start = self.base or "nothing"
        return self.source or f"not published; train it from {start}"


def example(shape: Shape, outputs: int = 3) -> str:
    """Give a description to write for a model whose config does not say enough."""
    if shape is Shape.PROMPT:
        said: dict[str, Any] = {
            "shape": shape,
            "template": "Query: {claim} Document: {evidence} Relevant:",
            "targets": ["false", "true"],
        }
    else:
        three = ["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO"]
        names = {2: ["irrelevant", "relevant"], 3: three, 4: [*three, "DISPUTED"]}
        labels = names.get(outputs, [f"name of output {number}" for number in range(outputs)])
        said = {"shape": shape, "labels": labels, "evidence_first": True}
    return json.dumps(said)


_DESCRIBED = ("shape", "evidence_first", "max_length", "labels", "template", "targets")


def read_description(folder: Path) -> dict[str, Any]:
    """Read the description in a model's folder; empty if there is none."""
    return _read(folder / DESCRIPTION)


def describe_folder(folder: Path, known: Checkpoint | None = None) -> Checkpoint:
    """Describe the model in a folder; the folder's own description overrides the table's."""
    start = known or _told_by_config(folder)
    said = read_description(folder)
    try:
        values = {key: _value(key, said[key]) for key in _DESCRIBED if key in said}
    except (ValueError, TypeError) as error:
        raise _unreadable(folder / DESCRIPTION, error) from None
    return replace(start, **values)


def write_description(checkpoint: Checkpoint, folder: Path) -> None:
    """Write the settings that the model's config cannot hold beside its weights."""
    write_table({name: getattr(checkpoint, name) for name in _DESCRIBED}, folder)


def write_table(values: Mapping[str, Any], folder: Path) -> None:
    """Write values into the description of a folder; what else it says stays."""
    text = json.dumps({**read_description(folder), **values}, indent=2, ensure_ascii=False)
    (folder / DESCRIPTION).write_text(text + "\n", encoding="utf-8")


def _value(key: str, value: Any) -> Any:
    if key == "shape":
        return Shape(value)
    return tuple(map(str, value)) if key in {"labels", "targets"} else value


def read_config(folder: Path) -> dict[str, Any]:
    """Read a model's config.json; empty if there is none."""
    return _read(folder / "config.json")


def _told_by_config(folder: Path) -> Checkpoint:
    """Tell what a model that is in no table is by its config.

    A pair model with one output is a reranker, and all published ones read the claim first.
    """
    config = read_config(folder)
    shape = _shape_of(config)
    row = Checkpoint(folder.name, shape)
    one = len(config.get("id2label") or ()) == 1 or config.get("num_labels") == 1
    longest = config.get("max_position_embeddings")
    if isinstance(longest, int) and longest < row.max_length:
        row = replace(row, max_length=longest)
    return replace(row, evidence_first=False) if one and shape is Shape.PAIR else row


def _shape_of(config: Mapping[str, Any]) -> Shape:
    if config.get("is_encoder_decoder") or config.get("model_type") == "t5":
        return Shape.PROMPT
    # transformers calls a network without a head BertModel, one with a head BertFor….
    headless = any(str(name).endswith("Model") for name in config.get("architectures") or ())
    return Shape.ENCODER if headless else Shape.PAIR


def _read(path: Path) -> dict[str, Any]:
    """Read a JSON object; a file that is not there says nothing."""
    if not path.is_file():
        return {}
    try:
        said = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, error) from None
    return said if isinstance(said, dict) else {}


def _unreadable(path: Path, error: Exception) -> ConfigurationError:
    return ConfigurationError(f"{path} cannot be read ({error}); write it anew.")
