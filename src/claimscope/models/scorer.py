"""Scorers of pairs: a claim and a text in, one number per named output out."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from claimscope.errors import ConfigurationError, UnknownLabelError
from claimscope.labels import Label
from claimscope.models.checkpoint import DESCRIPTION, Checkpoint, Shape, example
from claimscope.models.runtime import Progress, Settings, run_in_batches
from claimscope.types import LabelProbabilities, Score

if TYPE_CHECKING:  # Stages are built without the tokenisers.
    from claimscope.models.encoding import Encoded


THREE = frozenset({Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO})
RELEVANT_NAMES = frozenset({"relevant", "true", "rationale", "evidence"})
"""How models call the class that counts."""
_UNNAMED = re.compile(r"LABEL_\d+")
"""What transformers writes when nobody named the classes."""


def class_names(
    id2label: Mapping[int, str] | Mapping[str, str], count: int, checkpoint: Checkpoint
) -> tuple[str, ...]:
    """Name every output, in the order of the outputs."""
    by_number = {int(number): name for number, name in id2label.items()}
    names = tuple(by_number.get(number, f"LABEL_{number}") for number in range(count))
    if count == 1 or not all(map(_UNNAMED.fullmatch, names)):
        return names
    if len(checkpoint.labels) != count:
        raise ConfigurationError(
            f"The model {checkpoint.name} has {count} outputs and does not say what they mean; "
            f"name them in the order of the outputs in {DESCRIPTION} in its folder, such as: "
            f"{example(Shape.PAIR, count)}"
        )
    return checkpoint.labels


def stances(scorer: Scorer, pairs: Sequence[Pair]) -> list[LabelProbabilities]:
    """Give every pair its label probabilities."""
    if not pairs:
        return []
    order = label_order(scorer.labels, THREE)
    return [stance(row, order) for row in probabilities(scorer.logits(pairs)).tolist()]


def stance(row: Sequence[float], order: Sequence[Label]) -> LabelProbabilities:
    """Name the three probabilities of one row."""
    named = dict(zip(order, row, strict=True))
    return LabelProbabilities(
        supports=named[Label.SUPPORTS],
        refutes=named[Label.REFUTES],
        not_enough_info=named[Label.NOT_ENOUGH_INFO],
    )


def label_order(names: Sequence[str], wanted: frozenset[Label]) -> tuple[Label, ...]:
    """Read a model's class names as labels; all that are wanted have to be there, each once."""
    try:
        order = tuple(map(Label.parse, names))
    except UnknownLabelError:
        order = ()
    if len(order) != len(wanted) or set(order) != wanted:
        raise ConfigurationError(
            f"The model's outputs are named {', '.join(names)}, which are not "
            f"{', '.join(sorted(label.value for label in wanted))}; set id2label in its "
            "config.json, or choose a model for this stage."
        )
    return order


def relevance(scorer: Scorer, pairs: Sequence[Pair]) -> list[Score]:
    """Score pairs: the log-probability of the relevant class, or the value of a single output.

    Log-probabilities are what pygaggle gives for monoT5 and monoBERT.
    """
    if not pairs:
        return []
    column = relevant_column(scorer.labels)
    logits = scorer.logits(pairs)
    logs = log_probabilities(logits)
    raw = logits if logits.shape[1] == 1 else logs
    return [
        Score(float(value), math.exp(log))
        for value, log in zip(raw[:, column], logs[:, column], strict=True)
    ]


def relevant_column(labels: Sequence[str]) -> int:
    """Find the output that means relevant."""
    if len(labels) == 1:
        return 0
    found = [place for place, label in enumerate(labels) if label.casefold() in RELEVANT_NAMES]
    if len(found) != 1:
        raise ConfigurationError(
            f"The model's outputs are named {', '.join(labels)}, and one of them has to be "
            f"{' or '.join(sorted(RELEVANT_NAMES))}; set id2label in its config.json."
        )
    return found[0]


Matrix = NDArray[np.float64]


class Pair(NamedTuple):
    """A claim and a text that may say something about it."""

    claim: str
    evidence: str


class Scorer(Protocol):
    """A model that gives every pair one number for each of its outputs."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What each output means; a model with one output gives a score, whatever its name."""

    def logits(self, pairs: Sequence[Pair]) -> Matrix:
        """Give the raw outputs, one row per pair, in the order of the pairs."""


class Encoder(Protocol):
    """Turns pairs into token ids."""

    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        """Encode every pair."""


class BatchedScorer(ABC):
    """Scores encoded pairs in batches."""

    def __init__(
        self,
        labels: tuple[str, ...],
        encoder: Encoder,
        settings: Settings,
        progress: Progress | None,
    ) -> None:
        self.labels = labels
        self._encoder = encoder
        self._settings = settings
        self._progress = progress

    def logits(self, pairs: Sequence[Pair]) -> Matrix:
        """Give the model's outputs, one row per pair."""
        rows = run_in_batches(
            self._encoder.encode(pairs),
            lambda each: len(each.ids),
            self._run,
            self._settings.batch_size,
            self._progress,
        )
        return np.array(rows, dtype=np.float64).reshape(len(pairs), len(self.labels))

    @abstractmethod
    def _run(self, batch: Sequence[Encoded]) -> list[list[float]]:
        """Run one batch."""


def log_probabilities(logits: Matrix) -> Matrix:
    """Normalise each row by softmax; a single output passes through the logistic function."""
    if logits.shape[1] == 1:
        return np.asarray(-np.logaddexp(0.0, -logits))
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def probabilities(logits: Matrix) -> Matrix:
    """Give the normalised outputs as probabilities."""
    return np.asarray(np.exp(log_probabilities(logits)))
