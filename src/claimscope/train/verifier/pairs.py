"""A claim beside a piece of evidence, with what the one says of the other."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import IntEnum

from claimscope.errors import ConfigurationError
from claimscope.labels import Label


class Target(IntEnum):
    """What a network is to say; the first three are its classes, in the order of its outputs."""

    SUPPORTS = 0
    REFUTES = 1
    NOT_ENOUGH_INFO = 2
    NOT_SUPPORTED = 3
    """REFUTES or NOT_ENOUGH_INFO, in the sets that do not tell them apart."""
    DECIDED = 4
    """SUPPORTS or REFUTES, where which of them is not to be learnt."""


CLASSES = tuple(target.name for target in Target if target <= Target.NOT_ENOUGH_INFO)
"""The names of a network's outputs."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim, evidence and target; pairs of one group share a source and are held out together."""

    claim: str
    evidence: str
    target: Target
    group: str


def target_of(label: Label) -> Target:
    """Give the class of a label of evidence."""
    try:
        return Target[label.value]
    except KeyError:
        raise ConfigurationError(
            f"Evidence cannot be labelled {label.value}; the verifier knows {', '.join(CLASSES)}."
        ) from None


def bucket(key: str, buckets: int) -> int:
    """Put a key into one of so many buckets, the same on every machine."""
    digest = hashlib.blake2b(key.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % buckets


def plain_words(text: str) -> str:
    """Give a text in lower case with its letters and digits only, words parted by one space."""
    return " ".join("".join(c.lower() if c.isalnum() else " " for c in text).split())


_MILLE = 1000
_GROUPS, _CLAIMS = 30, 5


def is_held_out(pair: Pair) -> bool:
    """Tell whether a pair is kept for measuring: three groups in a hundred, and some claims.

    The claims are held out by their words, so that one that occurs in two sets lies on one side.
    """
    by_group = bucket(pair.group, _MILLE) < _GROUPS
    return by_group or bucket(plain_words(pair.claim), _MILLE) < _CLAIMS
