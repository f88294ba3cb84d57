"""Sentences of abstracts, found by rules; every offset is exact.

One regular expression finds the places where a sentence could end; a few cheap checks of the
words on either side then refuse abbreviations, initials and species names.
"""

from __future__ import annotations

import re

from claimscope.types import Span

_OPENING = r"""[(\[{"'“‘«¿¡©•\u200e\u200f]*"""
# All alternatives begin with one set of characters: the search then skips quickly to the next.
_CANDIDATE = re.compile(
    rf"""
    [.?!…。！？\n]
    (?:
        (?<!\n)[)\]}}"'”’»*$]*\s+  # closing brackets and quotes stay with the sentence
        (?={_OPENING}[^\W_])      # something that can open a sentence follows
      | (?<=[。！？])(?=\w)       # Chinese and Japanese put no space after the stop
      | (?<=\n)\s*\n\s*          # an empty line ends a sentence, with or without a stop
    )
    """,
    re.VERBOSE,
)
_BEFORE_WORD = re.compile(r"""[\s(\[{"'“‘«/,;–—]""")
_NEXT_WORD = re.compile(rf"{_OPENING}([^\s,;:)\]]+)")
_ITEM = re.compile(r"\(?[a-z]{1,4}\)\s+[A-Z]")
"""The letter or Roman number of an item in a list, such as "(b) We" or "iii) In"."""
_LABEL = re.compile(
    r"(?:\d{1,2}|abstract|aims?|background|conclusions?|context|design|discussion|findings|"
    r"introduction|methods?|objectives?|purpose|results?|setting)\.?\Z",
    re.IGNORECASE,
)
"""What introduces a sentence even with a stop: "2. We", "Results. We"."""
_LONGEST_LABEL = len("introduction.")


def _words(listing: str) -> frozenset[str]:
    return frozenset(listing.split())


_NEVER_LAST = _words(
    "e.g eg i.e ie viz cf vs approx ca resp fig figs eq eqs dr drs prof mr mrs st ref refs"
)
"""Abbreviations that something must follow; all are kept without their last stop."""

_BEFORE_NUMBER = _words("no nos nr p pp v vol vols c tab ver suppl")
"""Abbreviations only when a number follows; "no", "v" and "c" end sentences otherwise."""

_SELDOM_LAST = _words(
    """
    al etc inc ltd co corp jr sr dept univ incl excl ed eds
    sp spp ssp subsp var cv pv serovar biovar gen nov comb
    proc natl acad sci biol chem med phys physiol biochem biophys res rev lett nat int am eur
    exp expt math mol soc appl comput theor mech
    jan feb mar apr jun jul aug sep sept oct nov dec
    """
)
"""Abbreviations that may end a sentence: they do if a word follows that opens sentences."""

_ABBREVIATIONS = _NEVER_LAST | _BEFORE_NUMBER | _SELDOM_LAST

_LETTERED = re.compile(
    r"""(?:vitamins?|hepatitis|influenza|types?|groups?|class|classes|phase|stage|grade|complex|
    cytochrome|immunoglobulin|troponin|meiosis|prophase|metaphase|anaphase|chromosome)
    \s[A-Z]\Z""",
    re.VERBOSE,
)
"""A capital letter that is part of a name, as in "vitamin D", and so no initial."""

_LONGEST = 24
"""How many characters before a stop are looked at; no abbreviation is longer."""

_WIDEST = 150
"""How many characters on either side of a stop are searched for brackets around it."""

_OPENERS = _words(
    """
    a after all also although among an and as at because before between both but by
    compared conclusion conclusions background objective objectives methods method results
    design setting aim aims purpose introduction significance interpretation findings funding
    consequently conversely despite due during each finally first for from further furthermore
    given hence here how however if in indeed instead interestingly is it its knowledge
    many moreover more most nevertheless no nonetheless notably of on one only other our overall
    patients recent recently second several she since so some such taken than that the their then
    there therefore these they this those three through thus to together two under unlike until
    using was we were what when where whereas whether which while who why with within yet
    """
)
"""Words that begin sentences and seldom follow an initial or an abbreviation with a capital."""


def normalise_space(text: str) -> str:
    """Give the text with every run of white space as one space, and none at its ends."""
    return " ".join(text.split())


def split_sentences(text: str) -> tuple[Span, ...]:
    """Find the sentences of an abstract; no span begins or ends with white space.

    Every other character lies in exactly one sentence, and headings such as "METHODS:" in the
    sentence they introduce.
    """
    spans = []
    start = len(text) - len(text.lstrip())
    for match in _CANDIDATE.finditer(text, start):
        stop, following = match.span()
        if text[stop] in ".?!…" and not _ends_sentence(text, start, stop, following):
            continue
        end = following
        while end > start and text[end - 1].isspace():
            end -= 1
        spans.append((start, end))
        start = following
    if start < len(text):
        spans.append((start, len(text.rstrip())))
    return tuple(spans)


def _ends_sentence(text: str, start: int, stop: int, following: int) -> bool:
    """Judge a stop by the words before and after it."""
    first = text[following]
    # A capital or a digit can open a sentence; whatever else follows is looked at in full.
    if (first.islower() or not first.isalnum()) and not (
        _can_open(_next_word(text, following)) or _ITEM.match(text, following)
    ):
        return False
    if text[stop] != ".":
        return True
    reach = max(start, stop - _LONGEST)
    word = text[reach:stop].rpartition(" ")[2]
    if not word.isalnum():
        word = _BEFORE_WORD.split(word)[-1]
    if (
        _may_be_abbreviation(word)
        and _is_abbreviation(word, _next_word(text, following))
        and not _LETTERED.search(text, reach, stop)
    ):
        return False
    is_label = stop - start <= _LONGEST_LABEL and _LABEL.match(text, start, stop)
    return not is_label and not _in_bracket(text, start, stop)


def _next_word(text: str, following: int) -> str:
    found = _NEXT_WORD.match(text, following)
    return found[1] if found else ""


def _in_bracket(text: str, start: int, stop: int) -> bool:
    """Tell whether a stop lies within short brackets, as in "(Phys. Rev. 94, 1980)"."""
    for opening, closing in ("()", "[]"):
        opened = text.rfind(opening, max(start, stop - _WIDEST), stop)
        if opened >= 0 and text.find(closing, opened, stop) < 0:
            closed = text.find(closing, stop + 2, stop + _WIDEST)
            return closed >= 0 and text.find(opening, stop, closed) < 0
    return False


def _can_open(word: str) -> bool:
    """Tell whether a word can open a sentence: one in lower case only as a name, like miR-21."""
    return not word[:1].islower() or not word.islower() or not word.isascii() or _has_digit(word)


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)


def _may_be_abbreviation(word: str) -> bool:
    """Tell cheaply, without the word that follows, that most words are no abbreviations."""
    return len(word) < 2 or "." in word or word.casefold() in _ABBREVIATIONS


def _is_abbreviation(word: str, after: str) -> bool:
    """Tell whether a word's stop marks an abbreviation, given the word that follows it."""
    if _is_initials(word):
        return after.casefold() not in _OPENERS
    if word.isupper():  # CF is cystic fibrosis and NO nitric oxide
        return False
    key = word.casefold()
    if key in _BEFORE_NUMBER:
        return after[:1].isdigit()
    return key in _NEVER_LAST or (key in _SELDOM_LAST and after.casefold() not in _OPENERS)


def _is_initials(word: str) -> bool:
    """Tell whether a word is a capital letter, or letters with stops between, as "J.B.S"."""
    if len(word) == 1:
        return word.isupper()
    return "." in word and all(
        len(part) == 1 and part.isalpha() for part in word.replace("-", "").split(".")
    )
