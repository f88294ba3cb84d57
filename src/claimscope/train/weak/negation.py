"""Negation put in or taken out by rules."""

from __future__ import annotations

import re
from typing import NamedTuple

from claimscope.train.weak.words import WORD, conjugate

VERBS = frozenset(
    """
    inhibit promote increase decrease reduce enhance induce mediate regulate control affect improve
    require cause prevent activate suppress stimulate modulate influence predict correlate
    contribute play lead depend protect impair bind interact express drive support provide produce
    result determine confer exhibit encode alter attenuate facilitate occur limit block trigger
    elicit maintain differ respond involve appear remain represent function act enable allow form
    delay accelerate associate display possess contain generate undergo explain reflect share target
    link change benefit offer cross localize develop
    """.split()
)
_SELDOM_NOUNS = (
    "inhibit promote require mediate regulate modulate contribute predict depend correlate exhibit "
    "express differ occur respond"
).split()
"""Verbs whose base form after a plural is hardly ever a noun."""


def _finite_forms() -> dict[str, tuple[str, str]]:
    """Give for a finite form the auxiliary with "not", and the base."""
    forms: dict[str, tuple[str, str]] = {}
    for base in sorted(VERBS):
        verb = conjugate(base)
        forms |= {verb.third: ("does not", base), verb.past: ("did not", base)}
    return {base: ("do not", base) for base in _SELDOM_NOUNS} | forms


FINITE = _finite_forms()
_MAYBE_NOUNS = frozenset(
    "increases decreases controls functions results changes benefits targets forms links acts "
    "leads plays blocks limits influences triggers supports delays drives shares offers "
    "displays".split()
)
_BEFORE_NOUNS = frozenset("the of and with these in significant such".split())
_NOT_BEFORE_VERBS = frozenset(
    "the a an of with to by be been was were is are and in has have had".split()
)
_AFTER_PARTICIPLES = frozenset("by in with to from for and or".split())
_INTRANSITIVE = frozenset(
    "contributed correlated depended resulted led interacted differed occurred responded".split()
)
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|can|could|may|might|will|would|should|has|have|had)\b"
    r"(?! (?:not|no)\b)(?!not)",
    re.IGNORECASE,
)
_PERFECT = re.compile(r"\s+(?:\w+ly\s+)?(?:been|\w+ed|shown)\b")
_POSSESSION = {"has": "does not have", "have": "do not have", "had": "did not have"}
_REMOVALS = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\b(is|are|was|were|may|might|will|would|should|could|has|have|had) not\b", r"\1"),
        (r"\bcannot\b", "can"),
        (r"\bcan not\b", "can"),
        (r"\b(?:is|are) no\b", "is a"),
        (r"\b(was|were) no\b", r"\1 a"),
        (r"\b(?:has|have|had) no\b", "has a"),
        (r"\bfailed to\b", "was able to"),
        (
            r"\bno (significant|difference|effect|association|evidence|correlation|change|"
            r"relationship|increase)\b",
            r"a \1",
        ),
    )
)
_DO_NOT = re.compile(r"\b(does|did|do) not ([a-z]+)\b")


class _Change(NamedTuple):
    start: int
    end: int
    text: str


def flip_negation(text: str) -> str | None:
    """Take a negation out, or else put one in; None if the rules find no place."""
    return remove_negation(text) or add_negation(text)


def remove_negation(text: str) -> str | None:
    """Take out the first negation the rules know."""
    match = _DO_NOT.search(text)
    if match:
        return text[: match.start()] + inflected(match[2], match[1]) + text[match.end() :]
    for pattern, replacement in _REMOVALS:
        if pattern.search(text):
            return pattern.sub(replacement, text, count=1)
    return None


def inflected(base: str, auxiliary: str) -> str:
    """Give the form of a verb that takes the place of "does", "did" or "do" and its base."""
    verb = conjugate(base)
    return {"does": verb.third, "did": verb.past}.get(auxiliary, base)


def add_negation(text: str) -> str | None:
    """Negate the first finite verb the rules know."""
    changes = [change for change in (_at_auxiliary(text), _at_verb(text)) if change]
    if not changes:
        return None
    first = min(changes)
    return text[: first.start] + first.text + text[first.end :]


def _at_auxiliary(text: str) -> _Change | None:
    match = _AUXILIARY.search(text)
    if match is None:
        return None
    word = match[0].lower()
    negated = "cannot" if word == "can" else f"{match[0]} not"
    if word in _POSSESSION and not _PERFECT.match(text, match.end()):
        negated = _POSSESSION[word]
    return _Change(match.start(), match.end(), negated)


def _at_verb(text: str) -> _Change | None:
    for match in WORD.finditer(text):
        if match.start() > 0 and match[0] in FINITE and _is_finite(text, match):
            return _Change(match.start(), match.end(), " ".join(FINITE[match[0]]))
    return None


def _is_finite(text: str, match: re.Match[str]) -> bool:
    """Judge by the words around it whether a form is a finite verb, not a participle or a noun."""
    word = match[0]
    before = next(reversed(text[: match.start()].split()), "").lower()
    after = next(iter(text[match.end() :].split()), "")
    if word.endswith("ed") and word not in _INTRANSITIVE and after in _AFTER_PARTICIPLES:
        return False
    if word.endswith("ed") and not after:
        return False
    if word in _MAYBE_NOUNS and before in _BEFORE_NOUNS:
        return False
    return before not in _NOT_BEFORE_VERBS
