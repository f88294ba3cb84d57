"""What is known of a model before it is opened: where it is, and what its config cannot say."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
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
    temperature: float = 1.0
    """What label logits are divided by, so that probabilities are calibrated (Guo et al., 2017)."""
    bias: tuple[float, ...] = ()
    """What is then added to each, in the order of the labels; nothing if empty."""
    reread: int = 0
    """How many of a verifier's best sentences are read again, each by itself; 0 for no second
    reading."""
    reread_sentence_weight: float = 0.0
    """Share of the second reading in the score of a sentence."""
    reread_weight: float = 0.5
    reread_least: float = 0.02
    """Share of the second reading in the label, and how likely evidence must be to deserve one."""
    stance_weight: float = 0.0
    """Share of a second network, stance.onnx beside model.onnx, in telling support from refutation;
    0 if there is none."""
    stance_sentences: int = 1
    """How many sentences that one reads, each by itself."""
    first: str = ""
    """Name or folder of a verifier that reads abstracts before this one, which then reads them,
    too; reread_weight, reread_sentence_weight and reread_least are then its own. This one reads
    alone if empty."""
    risk: tuple[tuple[float, float], ...] = ()
    """Share of wrong labels among abstracts taken as evidence with at least a probability, as
    measured on held-out claims: pairs of probability and share, the surest first."""

    @property
    def origin(self) -> str:
        """Where it comes from, in a few words."""
        if self.in_repository:
            return "the folder models of the project's repository"
        start = self.base or "nothing"
        return self.source or f"not published; train it from {start}"


_DESCRIBED = frozenset(
    "shape evidence_first max_length labels template targets temperature bias risk reread "
    "reread_weight reread_least reread_sentence_weight stance_weight stance_sentences first".split()
)


def describe_folder(folder: Path, known: Checkpoint | None = None) -> Checkpoint:
    """Give what is known of the model in a folder; its own description goes before the table's."""
    start = known or Checkpoint(folder.name, _shape_of(folder))
    path = folder / DESCRIPTION
    said = _read(path)
    try:
        values = {key: _value(key, said[key]) for key in said if key in _DESCRIBED}
    except (ValueError, TypeError) as error:
        raise _unreadable(path, error) from None
    return replace(start, **values)


def write_description(checkpoint: Checkpoint, folder: Path) -> None:
    """Write what the model's config cannot say beside its weights."""
    said = {
        item.name: getattr(checkpoint, item.name)
        for item in fields(checkpoint)
        if item.name in _DESCRIBED
    }
    text = json.dumps(said, indent=2, ensure_ascii=False) + "\n"
    (folder / DESCRIPTION).write_text(text, encoding="utf-8")


def _value(key: str, value: Any) -> Any:
    if key == "shape":
        return Shape(value)
    if key == "bias":
        return tuple(map(float, value))
    if key == "risk":
        return tuple((float(least), float(wrong)) for least, wrong in value)
    return tuple(map(str, value)) if key in {"labels", "targets"} else value


def _shape_of(folder: Path) -> Shape:
    """Tell the shape by the config of a model that is in no table."""
    config = _read(folder / "config.json")
    if config.get("is_encoder_decoder"):
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
    except ValueError as error:
        raise _unreadable(path, error) from None
    return said if isinstance(said, dict) else {}


def _unreadable(path: Path, error: Exception) -> ConfigurationError:
    return ConfigurationError(f"{path} cannot be read ({error}); write it anew.")
