"""The joint verifier: a claim and a whole abstract in, a label and a score a sentence out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from claimscope.types import LabelProbabilities, Score

LEAST = 1e-6
"""What a probability counts for at least, so that no single reading can exclude a label."""


@dataclass(frozen=True, slots=True)
class Abstract:
    """A claim beside the abstract it is to be checked against."""

    claim: str
    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """A verifier's answer for one abstract."""

    labels: LabelProbabilities
    sentences: tuple[Score, ...]
    """For each sentence, how likely it carries the evidence."""
    leanings: tuple[float, ...] = ()
    """For each sentence, the log-odds of support against refutation; empty if it has none."""
    in_conflict: bool = False
    """Whether the whole abstract and its best sentence are read as opposite sides."""


class JointVerifier(Protocol):
    """A model that labels abstracts and scores their sentences in one pass."""

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        """Verify abstracts, each with at least one sentence, in their order."""


def leaning(labels: LabelProbabilities) -> float:
    """Give the log-odds of support against refutation."""
    supports, refutes, _ = logarithms(labels)
    return supports - refutes


def logarithms(labels: LabelProbabilities) -> tuple[float, float, float]:
    """Give the logarithms of the probabilities of supports, refutes and neither."""
    values = (labels.supports, labels.refutes, labels.not_enough_info)
    supports, refutes, neither = (math.log(max(value, LEAST)) for value in values)
    return supports, refutes, neither
