"""Looks at the words of a sentence beside its source: quotations, numbers, strength of wording."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from claimscope.types import Document

_QUOTED = re.compile(r"[“\"]([^“”\"]{15,1000})[”\"]|‘([^‘’]{15,1000})’(?!\w)")
_FEWEST_WORDS = 4
_ELLIPSIS = re.compile(r"\s*(?:\[?(?:…|\.\s?\.\s?\.)\]?|\[[^\]]*\])\s*")
_FOLD = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "−": "-"})
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:[,\u2009\u202f ]\d{3})*(?:\.\d+)?(?![\w.]*\w)%?")
_NAMES_WITH_NUMBERS = re.compile(r"\b[^\W\d_]+-?\d+(?:-\d+)?\b|\b\d{4}\b")
_CLOSE = 0.75
"""From which likeness a sentence of the source counts as the one that was meant."""

_STRONG = re.compile(
    r"\b(?:prove[sdn]?|cures?|cured|eliminates?|eliminated|eradicates?d?|completely|entirely|always|"
    r"never|all|every|everyone|any|guarantees?|definitively|conclusively|undoubtedly|"
    r"certainly|beyond\sdoubt|without\sexception|dramatically|only)\b",
    re.IGNORECASE,
)


def quotations(sentence: str) -> Iterator[str]:
    """Give the quoted passages of a sentence that are long enough to be a source's own words."""
    for match in _QUOTED.finditer(sentence):
        text = (match[1] or match[2]).strip()
        if len(text.split()) >= _FEWEST_WORDS:
            yield text


def is_verbatim(quotation: str, document: Document) -> bool:
    """Say whether every part of a quotation is in the title or abstract, in order.

    Case, white space, kinds of quotation marks and dashes, and a last stop do not count; an
    ellipsis and words in square brackets stand for what was left out.
    """
    text = _folded(f"{document.title} \n {document.abstract}")
    reached = 0
    for part in _ELLIPSIS.split(quotation):
        words = _folded(part).strip(" .,;:")
        reached = text.find(words, reached)
        if reached < 0:
            return False
        reached += len(words)
    return True


def closest(quotation: str, document: Document) -> int | None:
    """Give the index of the sentence that a quotation changes, if one is like it."""
    wanted = _folded(quotation)
    best, place = _CLOSE, None
    for index, sentence in enumerate(document.sentences):
        likeness = _likeness(wanted, _folded(sentence))
        if likeness >= best:
            best, place = likeness, index
    return place


def _likeness(wanted: str, sentence: str) -> float:
    """Give the share of a quotation's words that a sentence has in the same order."""
    words = wanted.split()
    matcher = SequenceMatcher(None, words, sentence.split(), autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / max(len(words), 1)


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).translate(_FOLD).casefold()
    return " ".join(plain.split())


def numbers(text: str) -> list[str]:
    """Give the numbers of a text; years and the numbers in names such as "5-HT2" are left out."""
    return [_value(number) for number in _written(text)]


def _written(text: str) -> list[str]:
    """Give the numbers of a text as it writes them."""
    plain = _NAMES_WITH_NUMBERS.sub(" ", text.translate(_FOLD))
    return [match[0] for match in _NUMBER.finditer(plain)]


def _value(number: str) -> str:
    return re.sub(r"[^\d.%+-]", "", number).lstrip("+")


def numbers_not_in(claim: str, sources: Sequence[str]) -> list[str]:
    """Give the numbers of a claim that no source has, as the claim writes them."""
    known = {number.rstrip("%") for source in sources for number in numbers(source)}
    return [
        number
        for number in dict.fromkeys(_written(claim))
        if _value(number).rstrip("%") not in known
    ]


def stronger_words(claim: str, sources: Sequence[str]) -> list[str]:
    """Give the absolute words of a claim, such as "proves" or "all", that no source has."""
    said = " ".join(sources).casefold()
    found = dict.fromkeys(match[0].casefold() for match in _STRONG.finditer(claim))
    return [word for word in found if not re.search(rf"\b{re.escape(word)}\b", said)]
