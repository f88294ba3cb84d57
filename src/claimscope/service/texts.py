"""Reads a text: its sentences, and the claims among them that are checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from claimscope.claims import Sentence, find_claims
from claimscope.claims.reading import read_claim
from claimscope.errors import ClaimError, InputError
from claimscope.types import Claim

LONGEST_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text with its sentences."""

    text: str
    sentences: tuple[Sentence, ...]
    claims: Mapping[int, Claim]
    """What is checked, by the place of the sentence; the id of a claim is that place as well."""

    def to_dict(self) -> dict[str, Any]:
        """Give the sentences as plain values."""
        return {
            "sentences": [
                {
                    "start": sentence.start,
                    "end": sentence.end,
                    "text": sentence.text,
                    "is_claim": sentence.is_claim,
                    "is_checked": place in self.claims,
                    "reason": sentence.reason,
                }
                for place, sentence in enumerate(self.sentences)
            ]
        }


def read_text(text: str, most: int) -> ReadText:
    """Find the claims of a text; the first so many are checked."""
    if not text.strip():
        raise InputError(f"The text is empty; give one of up to {LONGEST_TEXT:,} characters.")
    if len(text) > LONGEST_TEXT:
        raise InputError(
            f"The text has {len(text):,} characters; give at most {LONGEST_TEXT:,} at a time."
        )
    sentences = find_claims(text)
    return ReadText(text, tuple(sentences), _checkable(sentences, most))


def _checkable(sentences: Sequence[Sentence], most: int) -> dict[int, Claim]:
    found: dict[int, Claim] = {}
    for place, sentence in enumerate(sentences):
        if sentence.is_claim and len(found) < most:
            try:
                found[place] = read_claim(sentence.text, str(place))
            except ClaimError:
                # Such as one with characters that no claim has; it is shown as not checked.
                continue
    return found
