"""Reads a scorer's outputs as labels, by the names the model itself gives them."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.errors import ConfigurationError, UnknownLabelError
from claimscope.labels import Label
from claimscope.models.scorer import Pair, Scorer, probabilities
from claimscope.types import LabelProbabilities

THREE = frozenset({Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO})


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
