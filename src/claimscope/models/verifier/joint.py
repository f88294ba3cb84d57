"""The joint verifier: a claim and a whole abstract in, a label and a score a sentence out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from claimscope.types import LabelProbabilities, Score


@dataclass(frozen=True, slots=True)
class Abstract:
    """A claim beside the abstract it is to be checked against."""

    claim: str
    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """What a verifier says of an abstract."""

    labels: LabelProbabilities
    sentences: tuple[Score, ...]
    """For each sentence, how likely it carries the evidence."""


class JointVerifier(Protocol):
    """A model that labels abstracts and scores their sentences in one pass."""

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        """Verify abstracts, each with at least one sentence, in their order."""
