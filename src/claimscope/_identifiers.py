"""Finds and normalises what papers are known by: DOI, PubMed id, year and address; and counts."""

from __future__ import annotations

import re
from urllib.parse import unquote

LONGEST_DOI = 290
"""Characters of a DOI; the id made of it is then no longer than an id may be."""

_DOI = re.compile('10\\.[0-9]{4,9}/[^\\s"<>\x00-\x1f\x7f-\x9f\ufeff\ud800-\udfff]+')
_STOPS = ".,;:'"
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_PMID = re.compile(r"\b(?:pmid|pubmed[ -]?id)\W{0,6}([0-9]{1,8})(?![0-9])", re.IGNORECASE)
_UNSAFE = re.compile(r"(?:javascript|vbscript|data|file|blob|about):", re.IGNORECASE)
_PUBMED_URL = re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov|/pubmed)/([0-9]{1,8})(?![0-9])")
_YEAR = re.compile(
    r"(?<![0-9])(1[5-9][0-9]{2}|2[01][0-9]{2})(?:(?![0-9])|(?=[01][0-9]{3}(?![0-9])))"
)
_COUNT = re.compile(r"(?:n\s*=\s*)?([0-9]{1,3}(?:[, ][0-9]{3}){1,3}|[0-9]{1,9})(?:\.0)?", re.I)
_URL = re.compile(r"https?://[^\s\"<>]+")


def parse_doi(text: str) -> str | None:
    """Read the value of a DOI field, however long: without its resolver, in lower case."""
    if "%2f" in text.lower():
        text = unquote(text)
    match = _DOI.search(text)
    if match is None:
        return None
    doi = _without_end(match[0]).lower()
    return None if doi.endswith("/") and doi.count("/") == 1 else doi


def find_doi(text: str) -> str | None:
    """Give the first DOI in a text; one that is too long has run together with what follows it."""
    doi = parse_doi(text)
    return doi if doi is not None and len(doi) <= LONGEST_DOI else None


def _without_end(doi: str) -> str:
    """Strip stops, and closing brackets that were not opened in the DOI."""
    surplus = {
        closing: doi.count(closing) - doi.count(opening) for opening, closing in _BRACKETS.items()
    }
    end = len(doi)
    while end and (doi[end - 1] in _STOPS or surplus.get(doi[end - 1], 0) > 0):
        if doi[end - 1] in surplus:
            surplus[doi[end - 1]] -= 1
        end -= 1
    return doi[:end]


def parse_pmid(text: str) -> str | None:
    """Read the value of a PMID field; spreadsheets may have made it "123.0"."""
    digits = text.strip().removesuffix(".0").lstrip("0")
    return digits if digits.isascii() and digits.isdigit() and len(digits) <= 8 else find_pmid(text)


def find_pmid(text: str) -> str | None:
    """Give the PMID that a note or an address names as such."""
    match = _PUBMED_URL.search(text) or _PMID.search(text)
    return match[1].lstrip("0") or None if match else None


def find_year(text: str) -> int | None:
    """Give the first year in a date of any style, from 1500 to 2199."""
    match = _YEAR.search(text)
    return int(match[1]) if match else None


def find_url(text: str) -> str | None:
    """Give the first web address in a text."""
    match = _URL.search(text)
    return match[0] if match else None


def safe_url(text: str | None) -> str | None:
    """Give an address, unless opening it would run a program or show what it contains."""
    bare = "".join(each for each in text or "" if each.isprintable() and not each.isspace())
    return None if _UNSAFE.match(bare) else text


def find_count(text: str) -> int | None:
    """Read a positive whole number, such as "1,204" or "n = 1204"; any other text is none."""
    match = _COUNT.fullmatch(text.strip())
    return int(re.sub(r"\D", "", match[1])) or None if match else None
