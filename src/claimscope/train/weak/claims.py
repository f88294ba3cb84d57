"""Claims made from titles and conclusions, each with the sentence that bears it out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from claimscope.train.weak.negation import FINITE
from claimscope.train.weak.words import capitalised, content, jaccard, overlap
from claimscope.types import Document

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
_PARENTHESES = re.compile(r"\s*[(\[][^()\[\]]{0,120}[)\]]")
_HEDGES = re.compile(
    r"\b(?:probably|possibly|perhaps|apparently|presumably|likely|clearly|indeed|also|further|"
    r"furthermore|therefore|thus|however)\b,?\s*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r",\s+(?:suggesting|indicating|implying|which|thereby|thus|demonstrating|although|whereas|"
    r"while|but)\b.*$"
)
_METHODS = re.compile(
    r"\b(?:determined|evaluated|examined|studied|carried out|investigated|recommended|needed|"
    r"discussed|described|reviewed|warranted|presented|reported|should be|measured|developed|"
    r"future|further (?:studies|research|work))\b",
    re.IGNORECASE,
)
_NO_CLAIM = re.compile(
    r"(?:we|i|our|further|more research|future|it|they|this|these|studies|unless|on the|"
    r"effects? of)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|can|may|does|do|not|"
    + "|".join(sorted(word for word in FINITE if len(word) > 3))
    + r")\b"
)
_FEWEST, _MOST = 6, 30


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


def claim_from(sentence: str) -> str:
    """Make a plain statement of a sentence of an abstract."""
    text = _PARENTHESES.sub("", strip_openings(sentence))
    text = _HEDGES.sub("", _TAIL.sub("", text.rstrip(".")))
    return capitalised(" ".join(text.split())).rstrip(" .,;") + "."


def is_claim_like(text: str) -> bool:
    """Tell whether a text states a finding: a verb, of some length, not about methods or plans."""
    return (
        _FEWEST <= len(text.split()) <= _MOST
        and "?" not in text
        and not _METHODS.search(text)
        and not _NO_CLAIM.match(text)
        and bool(_VERB.search(text))
    )


class Origin(IntEnum):
    """Where claim and evidence come from, the most useful first."""

    TITLE = 0
    """The title, borne out by a sentence."""
    OTHER = 1
    """A late sentence, borne out by another that says much the same."""
    SELF = 2
    """A late sentence, borne out by itself."""


@dataclass(frozen=True, slots=True)
class Found:
    """A claim and the number of the sentence that bears it out."""

    claim: str
    sentence: int
    origin: Origin


def claims_of(paper: Document) -> Iterator[Found]:
    """Find claims a paper makes about its own findings."""
    count = len(paper.sentences)
    contents = [content(sentence) for sentence in paper.sentences]
    if is_claim_like(paper.title) and ":" not in paper.title:
        title = content(paper.title)
        late = range(count // 3, count)
        best = max(late, key=lambda place: overlap(title, contents[place]) + 0.02 * place / count)
        if overlap(title, contents[best]) >= 0.6:
            yield Found(f"{paper.title}.", best, Origin.TITLE)
    for place in range(max(0, count - 3), count):
        claim = claim_from(paper.sentences[place])
        if is_claim_like(claim):
            yield from _borne_out(claim, place, contents)


def _borne_out(claim: str, place: int, contents: list[frozenset[str]]) -> Iterator[Found]:
    own = content(claim)
    others = [
        other
        for other, words in enumerate(contents)
        if other != place and jaccard(own, words) >= 0.4
    ]
    if others:
        yield Found(claim, max(others, key=lambda at: overlap(own, contents[at])), Origin.OTHER)
    yield Found(claim, place, Origin.SELF)
