"""Words and phrases as the recipe's rules need them."""

from __future__ import annotations

import re
from typing import NamedTuple

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
_SECTION = re.compile(r"^(?:[A-Z][A-Z /&,-]{3,40}):\s+")
_REPORT = (
    r"(?:suggest|indicate|show|demonstrate|reveal|confirm|"
    r"support the (?:idea|hypothesis|notion|view)|provide evidence|conclude|found|find|report|"
    r"propose|imply|establish|observed|present evidence|hypothesi[sz]e|believe|identified)\w*"
)
_OPENINGS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:in (?:conclusion|summary|addition|contrast|particular|this (?:study|work|paper|"
        r"report))|overall|taken together|together|thus|therefore|hence|moreover|furthermore|"
        r"additionally|collectively|finally|interestingly|importantly|notably|however|"
        r"consequently|similarly|specifically|surprisingly|altogether|conversely|in fact|indeed|"
        r"also|to our knowledge|as a result|on the other hand|by contrast|accordingly|here)"
        r"[,:]?\s+",
        r"^(?:(?:all |both )?(?:of )?(?:these|this|our|the|the present|the current|present|current|"
        r"such)\s+(?:[\w-]+\s+){0,3}?(?:results?|data|findings?|study|studies|observations?|"
        r"evidence|analys[ei]s|experiments?|work|investigation|review|trial|report|paper)"
        r"(?:\s+(?:further|also|clearly|strongly|therefore|thus|together|here|presented|"
        rf"obtained))*\s+{_REPORT}\s+that\s+)",
        rf"^(?:we|it (?:is|was|has been)|the authors)\s+(?:[\w-]+\s+){{0,2}}?{_REPORT}\s+that\s+",
        r"^there (?:is|was) (?:strong |some |clear )?evidence that\s+",
        rf"^(?:results?|data|findings?)\s+(?:also )?{_REPORT}\s+that\s+",
    )
)


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
_STOP = frozenset(
    "the a an of in and to for with by on at is are was were be been that this these those it its "
    "as from or not no we our can may has have had which their than between both but also during "
    "after using used study results data".split()
)
_STEM = 7


def plain_words(text: str) -> str:
    """Give a text in lower case with its letters and digits only, words parted by one space."""
    return " ".join("".join(c.lower() if c.isalnum() else " " for c in text).split())


def content(text: str) -> frozenset[str]:
    """Give the beginnings of a text's words of content."""
    words = plain_words(text).split()
    return frozenset(word[:_STEM] for word in words if word not in _STOP and len(word) > 2)


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Give the share of the smaller set that both have."""
    return len(one & other) / max(1, min(len(one), len(other)))


def capitalised(text: str) -> str:
    """Give a text with its first letter as a capital, the rest as it is."""
    return text[:1].upper() + text[1:]


def strip_openings(sentence: str) -> str:
    """Take away a section's name and phrases such as "In conclusion, our results show that"."""
    text = _SECTION.sub("", sentence).strip()
    for _ in range(3):
        before = text
        for pattern in _OPENINGS:
            text = pattern.sub("", text, count=1)
        if text == before:
            break
    return capitalised(text)


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


def inflected(base: str, auxiliary: str) -> str:
    """Give the form of a verb that takes the place of "does", "did" or "do" and its base."""
    verb = conjugate(base)
    return {"does": verb.third, "did": verb.past}.get(auxiliary, base)
