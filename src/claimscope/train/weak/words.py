"""Words as the rules need them: forms of verbs, and which words of a text carry its content."""

from __future__ import annotations

import re
from typing import NamedTuple

from claimscope.train.verifier.pairs import plain_words

WORD = re.compile(r"[A-Za-z][A-Za-z-]*")


class Verb(NamedTuple):
    """The forms of a verb: increase, increases, increased, increasing."""

    base: str
    third: str
    past: str
    present: str


_IRREGULAR = {
    verb.base: verb
    for verb in (
        Verb("bind", "binds", "bound", "binding"),
        Verb("drive", "drives", "drove", "driving"),
        Verb("lead", "leads", "led", "leading"),
        Verb("lose", "loses", "lost", "losing"),
        Verb("shrink", "shrinks", "shrank", "shrinking"),
        Verb("undergo", "undergoes", "underwent", "undergoing"),
    )
}
_DOUBLED = {"confer", "control", "occur"}


def conjugate(base: str) -> Verb:
    """Give the forms of a verb."""
    if base in _IRREGULAR:
        return _IRREGULAR[base]
    if base in _DOUBLED:
        return Verb(base, f"{base}s", f"{base}{base[-1]}ed", f"{base}{base[-1]}ing")
    if base.endswith("e"):
        return Verb(base, f"{base}s", f"{base}d", f"{base[:-1]}ing")
    if base.endswith(("ss", "sh", "ch")):
        return Verb(base, f"{base}es", f"{base}ed", f"{base}ing")
    if base.endswith("y") and base[-2] not in "aeiou":
        return Verb(base, f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing")
    return Verb(base, f"{base}s", f"{base}ed", f"{base}ing")


def capitalised(text: str) -> str:
    """Give a text with its first letter as a capital, the rest as it is."""
    return text[:1].upper() + text[1:]


def in_case_of(word: str, example: str) -> str:
    """Give a word a capital if the example has one."""
    return capitalised(word) if example[:1].isupper() else word


_STOP = frozenset(
    "the a an of in and to for with by on at is are was were be been that this these those it its "
    "as from or not no we our can may has have had which their than between both but also during "
    "after using used study results data".split()
)
_STEM = 7


def content(text: str) -> frozenset[str]:
    """Give the beginnings of a text's words of content."""
    words = plain_words(text).split()
    return frozenset(word[:_STEM] for word in words if word not in _STOP and len(word) > 2)


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Give the share of the smaller set that both have."""
    return len(one & other) / max(1, min(len(one), len(other)))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Give the share of all words that both have."""
    return len(one & other) / max(1, len(one | other))
