"""Makes claims of the sentences that cite: which words each citation is to answer for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from claimscope.audit.manuscript import Mark, Sentence
from claimscope.claims.detection import EXCLUSIONS, judge

Splitter = Callable[[str], Sequence[str]]
"""Cuts a compound statement into single ones; a simple one is given back alone."""

_SPACE_BEFORE = re.compile(r"\s+(?=[.,;:!?)\]])")
_REPORTING = re.compile(
    r"^(?:(?:in|as|however|moreover|furthermore|similarly|likewise|also|thus|therefore)\b[^.]{0,30}?,?\s)?"
    r"(?:(?:the|this|that|a|an)\s)?(?:[\w’'.&-]+\s(?:and\s|&\s)?){1,8}?"
    r"(?:have\s|has\s|had\s|also\s|recently\s|first\s|further\s|clearly\s){0,3}"
    r"(?:found|show(?:s|ed|n)?|report(?:s|ed)?|demonstrate[sd]?|conclude[sd]?|observe[sd]?|"
    r"suggest(?:s|ed)?|argue[sd]?|note[sd]?|state[sd]?|claim(?:s|ed)?|indicate[sd]?|confirm(?:s|ed)?|"
    r"establish(?:es|ed)?|prove[sdn]?|reveal(?:s|ed)?)\sthat\s",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:however|moreover|furthermore|similarly|likewise|in\scontrast|by\scontrast|in\saddition|"
    r"additionally|consequently|therefore|thus|hence|indeed|nevertheless|nonetheless|finally|"
    r"and|but|yet|whereas|while|although|though|so),?\s",
    re.IGNORECASE,
)
_ADDED = re.compile(
    r"\s*[,;]\s(?:and|but|yet|although|though|while|whereas|however)\b", re.IGNORECASE
)
_FEWEST_WORDS = 4
_NEVER_CLAIMS = frozenset(
    {
        "asks a question",
        "states an aim",
        "says what is not known",
        "tells the reader what to do",
        "says what should be done",
        "predicts the future",
        "describes a method",
        "is too short",
    }
)


@dataclass(frozen=True, slots=True)
class CitedClaim:
    """A statement of a sentence, and the citations that are to support it."""

    text: str
    marks: tuple[Mark, ...]
    reason: str = ""
    """Why it is no claim that papers could support; empty if it is one."""


def cited_claims(sentence: Sentence, split: Splitter) -> list[CitedClaim]:
    """Give the claims of a sentence with the citations of each.

    Citations in the middle of a sentence answer for the words since the citation before, if those
    words make a statement of their own; else all of them answer for the whole sentence. A statement
    that follows the last citation after a conjunction is cited by nothing, and is left out.
    """
    if not sentence.marks:
        return []
    claims = []
    for text, marks in _stretches(sentence):
        clean = plain(text)
        reason = why_no_claim(clean)
        parts = [clean] if reason else [part for part in split(clean) if part.strip()] or [clean]
        claims += [CitedClaim(part, marks, reason) for part in parts]
    return claims


def plain(text: str) -> str:
    """Give the statement without the words that lead up to it, such as "Smith found that"."""
    text = _SPACE_BEFORE.sub("", " ".join(text.split())).strip(" ,;:")
    while match := _LEAD.match(text):
        text = text[match.end() :]
    if match := _REPORTING.match(text):
        text = text[match.end() :]
    text = text.strip()
    if text and text[-1].isalnum():
        text += "."
    return text[:1].upper() + text[1:]


def why_no_claim(text: str) -> str:
    """Say why a cited statement cannot be checked; most that cite can, so few are refused.

    The author vouches for a finding with the citation, so what merely lacks the words of a finding
    is checked all the same.
    """
    if len(text.split()) < _FEWEST_WORDS:
        return "is too short"
    excluded = next((cue.words for cue in EXCLUSIONS if cue.pattern.search(text)), "")
    return excluded if excluded in _NEVER_CLAIMS else ""


def is_claim(text: str) -> bool:
    """Say whether a sentence that cites nothing states a finding."""
    [(found, _, _)] = judge([text])
    return found


def _stretches(sentence: Sentence) -> list[tuple[str, tuple[Mark, ...]]]:
    """Cut a sentence after its citations, if every piece stands by itself."""
    text = sentence.text
    cuts = sorted({mark.start for mark in sentence.marks if not mark.is_narrative})
    if not cuts:
        return [(text, sentence.marks)]
    pieces: list[tuple[str, tuple[Mark, ...]]] = []
    reached = 0
    for cut in cuts:
        pieces.append((text[reached:cut], _marks(sentence, reached, cut)))
        reached = cut
    rest = text[reached:]
    if named := tuple(
        mark for mark in sentence.marks if mark.is_narrative and mark.start >= reached
    ):
        pieces.append((rest, named))
    elif not _is_own_statement(rest):
        pieces[-1] = (pieces[-1][0] + rest, pieces[-1][1])
    if all(is_claim(plain(piece)) for piece, _ in pieces):
        return pieces
    return [(text, sentence.marks)]


def _marks(sentence: Sentence, start: int, end: int) -> tuple[Mark, ...]:
    """Give the papers that a stretch names, and those that are cited at its end."""
    return tuple(
        mark
        for mark in sentence.marks
        if (start <= mark.start < end if mark.is_narrative else mark.start == end)
    )


def _is_own_statement(rest: str) -> bool:
    """Say whether the words after the last citation add another statement, cited by nothing."""
    return bool(_ADDED.match(rest)) and len(plain(rest).split()) >= _FEWEST_WORDS
