"""Judges sentences by their cues and their place, and says why in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.claims.cues import CUES, EXCLUSIONS
from claimscope.text import split_sentences

THRESHOLD = 3
"""Points that make a sentence a claim."""
_FEWEST_WORDS = 3
_LONGEST = 1_000
_ABSTRACT_SENTENCES = 5
_STUDY_CUES = frozenset({"states an aim", "describes a method"})


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its place in the text, and whether it states a checkable claim."""

    start: int
    end: int
    text: str
    is_claim: bool
    points: int
    reason: str
    """Why it is one, or why not."""


def find_claims(text: str) -> list[Sentence]:
    """Cut a text into sentences and judge each; those that are no claims are given as well."""
    spans = split_sentences(text)
    judged = judge([text[start:end] for start, end in spans])
    return [
        Sentence(start, end, text[start:end], *verdict)
        for (start, end), verdict in zip(spans, judged, strict=True)
    ]


def judge(sentences: Sequence[str]) -> list[tuple[bool, int, str]]:
    """Say for each sentence of a text whether it is a claim, with its points and the reason."""
    ruled_out = [_exclusion(sentence) for sentence in sentences]
    is_abstract = len(sentences) >= _ABSTRACT_SENTENCES and bool(_STUDY_CUES & set(ruled_out))
    judged = []
    for place, (sentence, reason) in enumerate(zip(sentences, ruled_out, strict=True)):
        if reason:
            judged.append((False, 0, reason))
            continue
        points, reasons = _points(sentence)
        if is_abstract:
            points += _by_place(place, len(sentences))
        is_claim = points >= THRESHOLD
        judged.append(
            (is_claim, points, reasons[0] if is_claim and reasons else "states no effect")
        )
    return judged


def _exclusion(sentence: str) -> str:
    words = sentence.strip()
    if len(words.split()) < _FEWEST_WORDS:
        return "is too short"
    if len(words) > _LONGEST:
        return "is too long"
    return next((cue.words for cue in EXCLUSIONS if cue.pattern.search(words)), "")


def _points(sentence: str) -> tuple[int, list[str]]:
    found = [cue for cue in CUES if cue.pattern.search(sentence)]
    strongest = sorted(found, key=lambda cue: -cue.points)
    return sum(cue.points for cue in found), [cue.words for cue in strongest if cue.points > 0]


def _by_place(place: int, count: int) -> int:
    """Weigh the place in an abstract: it opens with what is known and ends with what is new."""
    share = (place + 1) / count
    if share > 0.75:
        return 2
    return -3 if share <= 0.4 else -2
