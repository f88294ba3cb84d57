"""Finds citations in running text: pandoc keys, numbers in brackets, authors with years."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from claimscope.audit.manuscript import Block, BlockBuilder, Style
from claimscope.library.identity import title_words

_KEY = r"(?:\{[^{}\s]+\}|[\w](?:[\w:.#$%&+?<>~/-]*\w)?)"
_PANDOC_GROUP = re.compile(rf"\[[^\[\]]*(?<![\w\\])-?@{_KEY}[^\[\]]*\]")
_PANDOC_KEY = re.compile(rf"(?<![\w\\])-?@({_KEY})")
_PANDOC_BARE = re.compile(rf"(?<![\w\\@])@({_KEY})(?:\s*\[[^\[\]@]*\])?")

_NUMBERS = re.compile(r"\[\s*(\d{1,4}(?:\s*[-–—−,;]\s*\d{1,4})*)\s*\]")
_RANGE = re.compile(r"(\d+)(?:\s*[-–—−]\s*(\d+))?")
_LONGEST_RANGE = 60

_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_YEARS = rf"{_YEAR}(?:,\s?{_YEAR}){{0,9}}"
_BRACKETED = re.compile(r"\(([^()]{4,400})\)")
_PART = re.compile(
    rf"(?:(?:but\s)?see(?:\salso)?\s|cf\.\s|e\.g\.,?\s|reviewed\sin\s)?"
    rf"(?P<names>[^\W\d_][^\d;()]{{1,150}}?),?\s(?P<years>{_YEARS})(?:[,:]\s[^;]{{1,40}})?"
)
_ONLY_YEARS = re.compile(_YEARS)
_SURNAME = r"[^\W\d_a-z][\w’'-]{1,40}"
_NARRATIVE = re.compile(
    rf"\b({_SURNAME}(?:(?:,\s{_SURNAME}){{0,4}},?\s(?:and|&)\s{_SURNAME}|\set\sal\.?)?)"
    rf"(?:[’']s)?\s\(({_YEARS})\)"
)
_NO_NAMES = frozenset(
    "january february march april may june july august september october november december "
    "in since until from between before after by during table figure version".split()
)


STUDY = "The study"
"""What stands in a sentence for a paper that it names by its key."""


@dataclass(frozen=True, slots=True)
class Found:
    """A citation in a plain text, by its offsets."""

    start: int
    end: int
    keys: tuple[str, ...]
    style: Style
    stays: str = ""
    """What of it belongs to the sentence, such as the authors' names."""

    @property
    def is_narrative(self) -> bool:
        """Whether the sentence names the paper."""
        return bool(self.stays)


def find_pandoc(text: str) -> Iterator[Found]:
    """Find "[@key, p. 3; @other]" and "@key [p. 3]"."""
    covered = 0
    for match in re.finditer(f"{_PANDOC_GROUP.pattern}|{_PANDOC_BARE.pattern}", text):
        if match.start() < covered:
            continue
        covered = match.end()
        keys = tuple(_plain_key(key) for key in _PANDOC_KEY.findall(match[0]))
        is_bare = not match[0].startswith("[")
        yield Found(match.start(), match.end(), keys, Style.KEY, STUDY if is_bare else "")


def _plain_key(key: str) -> str:
    return key.strip("{}")


def find_numbered(text: str) -> Iterator[Found]:
    """Find "[12]" and "[12, 14-16]"."""
    for match in _NUMBERS.finditer(text):
        if keys := expand_numbers(match[1]):
            yield Found(match.start(), match.end(), keys, Style.NUMBER)


def expand_numbers(text: str) -> tuple[str, ...]:
    """Give every number of a list such as "12, 14-16"; a range that runs backwards is none."""
    numbers: list[str] = []
    for first, last in _RANGE.findall(text):
        low, high = int(first), int(last or first)
        if low <= high <= low + _LONGEST_RANGE:
            numbers += [str(number) for number in range(low, high + 1)]
    return tuple(dict.fromkeys(numbers))


def find_author_year(text: str) -> Iterator[Found]:
    """Find "(Smith et al., 2004; Lee & Kim, 2010)" and "Smith et al. (2004)"."""
    for match in _BRACKETED.finditer(text):
        if keys := _author_years(match[1]):
            yield Found(match.start(), match.end(), keys, Style.AUTHOR_YEAR)
    for match in _NARRATIVE.finditer(text):
        if match[1].casefold() not in _NO_NAMES:
            keys = tuple(f"{match[1]} {year}" for year in re.findall(_YEAR, match[2]))
            yield Found(match.start(), match.end(), keys, Style.AUTHOR_YEAR, match[1])


def _author_years(text: str) -> tuple[str, ...]:
    """Read what stands in brackets; a part that is no citation makes the whole none."""
    names, keys = "", []
    for part in text.split(";"):
        match = _PART.fullmatch(part.strip())
        if match is not None and _are_names(match["names"]):
            names = match["names"]
            keys += [f"{names} {year}" for year in re.findall(_YEAR, match["years"])]
        elif names and _ONLY_YEARS.fullmatch(part.strip()):
            keys += [f"{names} {year}" for year in re.findall(_YEAR, part)]
        else:
            return ()
    return tuple(keys)


def _are_names(text: str) -> bool:
    words = text.split()
    return words[0].casefold() not in _NO_NAMES and any(word[0].isupper() for word in words)


def surname_and_year(key: str) -> tuple[str, str]:
    """Give the first word of the first author's name, folded, and the year of an author-year key.

    "Smith et al. 2004a" gives "smith" and "2004a".
    """
    names, _, year = key.rpartition(" ")
    words = title_words(re.split(r",|\band\b|&|\bet\b", names)[0])
    return " ".join(words), year


def find_all(text: str, with_keys: bool) -> list[Found]:
    """Find every citation in a plain text, in order; of those that overlap, the first found."""
    finders = (find_pandoc, find_numbered, find_author_year)
    found: list[Found] = []
    for finder in finders if with_keys else finders[1:]:
        for item in finder(text):
            place = bisect_left(found, item.end, key=_start)
            # Those in the list do not overlap, so the nearest one reaches furthest.
            if not place or found[place - 1].end <= item.start:
                found.insert(place, item)
    return found


def _start(item: Found) -> int:
    return item.start


def extract(block: Block, with_keys: bool = False) -> Block:
    """Take the citations out of a block's text and give them as marks, beside those it has."""
    found = find_all(block.text, with_keys)
    if not found:
        return block
    builder = BlockBuilder()
    waiting = deque(block.marks)
    reached = 0
    for item in [*found, Found(len(block.text), len(block.text), (), Style.KEY)]:
        while waiting and waiting[0].start <= item.start:
            copy_stretch(builder, block, reached, waiting[0].start)
            reached = max(reached, waiting[0].start)
            mark = waiting.popleft()
            builder.cite(mark.label, mark.keys, mark.style, mark.stays)
        copy_stretch(builder, block, reached, item.start)
        if item.keys:
            label = block.text[item.start : item.end]
            builder.cite(label, item.keys, item.style, item.stays)
            if item.stays:
                builder.add(item.stays, block.place(item.start))
            reached = item.end
    built = builder.build()
    return built or Block("", tuple(builder.marks), ((0, block.place(0)),))


def copy_stretch(builder: BlockBuilder, block: Block, start: int, end: int) -> None:
    """Copy a stretch of text; the places that begin in it come along."""
    first = bisect_right(block.places, (start, 1 << 60))
    last = bisect_left(block.places, (end,), lo=first)
    cuts = [offset for offset, _ in block.places[first:last]]
    for low, high in zip([start, *cuts], [*cuts, end], strict=True):
        if low < high:
            builder.add(block.text[low:high].replace("\n", " "), block.place(low))
