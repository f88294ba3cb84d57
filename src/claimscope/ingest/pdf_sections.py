"""Divides the pages of a PDF into sections by their headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from claimscope.ingest.full_text import Part
from claimscope.ingest.pdf_text import readable

_NAMES = (
    r"introduction|background|related work|(?:materials?(?: and |/))?methods?(?: and materials?)?|"
    r"methodology|patients and methods|study design|participants|statistical analysis|"
    r"results?(?: and discussions?)?|findings|discussions?(?: and conclusions?)?|"
    r"conclusions?|limitations|strengths and limitations|experiments?|evaluation|future work|"
    r"funding|acknowledge?ments?|appendix|supplementary material|conflicts? of interest"
)
_NUMBER = r"(?:(?:\d{1,2}(?:\.\d{1,2}){0,2}|[IVX]{1,4}|[A-H])\.?[ \t]+)"
_HEADING = re.compile(rf"{_NUMBER}?(?:{_NAMES})[ \t]*[:.]?", re.IGNORECASE)
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,2}\.?[ \t]+[A-Z][^.!?;=]{2,70}")
_REFERENCES = re.compile(
    rf"{_NUMBER}?(?:references?|bibliography|literature cited|works cited)[ \t]*:?", re.IGNORECASE
)
_PAGE_NUMBER = re.compile(r"(?:page[ \t]*)?[\divx]{1,6}(?:[ \t]*(?:/|of)[ \t]*\d{1,5})?", re.I)
_DIGITS = re.compile(r"\d+")
_ENDS_SENTENCE = re.compile(r"[.!?:]['\")\]”’]*\Z")
_FIRST_SENTENCE = re.compile(r"[^.!?]{0,600}[.!?]['\")\]”’]*(?=\s|\Z)")
_EDGE = 2
"""Lines at a page's head and foot that may repeat on other pages."""
_REPEATS = 3
_LONGEST_HEADING = 90


def find_sections(pages: Sequence[str]) -> Iterator[Part]:
    """Give the text from the first heading on, without what repeats on pages and references.

    A sentence that goes on on the next page belongs to the page on which it begins.
    """
    whole = readable("\f".join(pages)).split("\f")
    lines = [[line.strip() for line in page.split("\n")] for page in whole]
    repeated = _repeated(lines)
    parts = list(_parts(lines, repeated))
    first = next((place for place, part in enumerate(parts) if part.heading), 0)
    yield from _joined(parts[first:])


def _repeated(pages: Sequence[Sequence[str]]) -> frozenset[str]:
    """Give the lines at the edges of pages that are the same on several but for numbers."""
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({_DIGITS.sub("#", line) for line in _edges(page)})
    return frozenset(line for line, count in counts.items() if count >= _REPEATS)


def _edges(page: Sequence[str]) -> list[str]:
    said = [line for line in page if line]
    return [*said[:_EDGE], *said[-_EDGE:]]


def _parts(pages: Sequence[Sequence[str]], repeated: frozenset[str]) -> Iterator[Part]:
    heading, in_references = "", False
    for number, page in enumerate(pages, start=1):
        edges = set(_edges(page))
        prose: list[str] = []
        for line in page:
            is_edge = line in edges and _DIGITS.sub("#", line) in repeated
            if not line or is_edge or _PAGE_NUMBER.fullmatch(line):
                continue
            if _REFERENCES.fullmatch(line):
                in_references = True
            elif _is_heading(line, in_references):
                if prose:
                    yield Part(heading, " ".join(prose), number)
                    prose = []
                heading, in_references = line.rstrip(" :."), False
            elif not in_references:
                prose.append(line)
        if prose:
            yield Part(heading, " ".join(prose), number)


def _is_heading(line: str, in_references: bool) -> bool:
    if len(line) > _LONGEST_HEADING:
        return False
    # A reference may begin with its number, so only a known name ends the list of them.
    return _HEADING.fullmatch(line) is not None or (
        not in_references and _NUMBERED.fullmatch(line) is not None
    )


def _joined(parts: Sequence[Part]) -> Iterator[Part]:
    held: Part | None = None
    for part in parts:
        text = part.text
        if held is not None:
            goes_on = held.heading == part.heading and not _ENDS_SENTENCE.search(held.text)
            end = _FIRST_SENTENCE.match(text) if goes_on else None
            if end is not None:
                held = Part(held.heading, f"{held.text} {end[0]}", held.page)
                text = text[end.end() :].strip()
            yield held
        held = Part(part.heading, text, part.page) if text else None
    if held is not None:
        yield held
