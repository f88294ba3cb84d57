"""The JSON form of labels, and of what language models said, parts of the form of a case."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from claimscope._json_record import JsonRecord, rounded
from claimscope.labels import Label
from claimscope.types import LabelProbabilities, ModelCall, Opinion

_LABELS = (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO)
_EVIDENCE = {label.value: label for label in _LABELS}


def probabilities_dict(labels: LabelProbabilities) -> dict[str, float | None]:
    """Give the probabilities of the labels."""
    return {label.value: rounded(labels.of(label)) for label in _LABELS}


def read_labels(item: JsonRecord) -> LabelProbabilities | None:
    """Read a label with its probabilities from the keys of a record."""
    if item.values.get("label") is None:
        return None
    label = _EVIDENCE[item.choice("label", _EVIDENCE)]
    found = item.child("probabilities")
    likeliest = LabelProbabilities(*(found.get(each.value, float) for each in _LABELS))
    return likeliest if likeliest.label is label else replace(likeliest, decided=label)


def opinion_dict(opinion: Opinion) -> dict[str, Any]:
    """Give an opinion as plain values."""
    labels = opinion.labels
    return {
        "by": opinion.by,
        "label": labels.label.value if labels else None,
        "probabilities": probabilities_dict(labels) if labels else None,
        "sentences": list(opinion.sentences),
        "problem": opinion.problem,
    }


def read_opinion(item: JsonRecord) -> Opinion:
    """Read an opinion from plain values."""
    sentences = item.get("sentences", list, [])
    if not all(isinstance(each, int) for each in sentences):
        raise item.wrong("sentences", "must be a list of whole numbers")
    return Opinion(
        item.get("by", str), read_labels(item), tuple(sentences), item.get("problem", str, "")
    )


def call_dict(call: ModelCall) -> dict[str, Any]:
    """Give a request as plain values."""
    return asdict(call) | {"cost": rounded(call.cost), "seconds": rounded(call.seconds)}


def read_call(item: JsonRecord) -> ModelCall:
    """Read a request from plain values."""
    names = ("attempts", "tokens_in", "tokens_out")
    return ModelCall(
        item.get("model", str),
        item.get("document_id", str, ""),
        *(item.get(name, int, 0) for name in names),
        *(item.get(name, float, 0.0) for name in ("cost", "seconds")),
    )
