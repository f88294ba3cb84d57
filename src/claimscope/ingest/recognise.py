"""Tells formats apart by the first bytes of a file, which are decompressed and in UTF-8."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from claimscope.ingest.decoding import decode
from claimscope.ingest.json_lines import first_keys
from claimscope.ingest.table import sniff

_PUBMED = re.compile(
    rb"<(?:PubmedArticleSet|PubmedArticle|PubmedBookArticle|MedlineCitationSet|MedlineCitation)[\s>]"
)
_JATS = re.compile(rb"<(?:\w+:)?article[\s>]|<!DOCTYPE\s+article\b|<pmc-articleset[\s>]")
_RIS = re.compile(rb"^[ \t]*TY[ \t]{0,4}-", re.MULTILINE | re.IGNORECASE)
_NBIB = re.compile(rb"^PMID ?- ?[0-9]", re.MULTILINE)
_HTML = re.compile(rb"<(?:!DOCTYPE\s+)?html\b", re.IGNORECASE)
_BIBTEX = re.compile(
    rb"^[ \t]*@\s*(?:(?:string|preamble|comment)\s*[{(]|[A-Za-z]+\s*[{(]\s*(?:[^\s,{}()]+\s*)?,)",
    re.MULTILINE | re.IGNORECASE,
)
_TABLE_SUFFIXES = frozenset({".csv", ".tsv"})


def is_pdf(head: bytes, _path: Path) -> bool:
    """Whether the mark of PDF stands near the start; some writers put bytes before it."""
    return b"%PDF-" in head[:1024]


def is_zip(head: bytes) -> bool:
    """Whether the file is a ZIP archive."""
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_xlsx(head: bytes, path: Path) -> bool:
    """Whether the file is a ZIP archive with a workbook in it."""
    if not is_zip(head):
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError):
        return False


def is_pubmed_xml(head: bytes, _path: Path) -> bool:
    """Whether the first elements are those of PubMed."""
    return _is_xml(head) and _PUBMED.search(head) is not None


def is_jats(head: bytes, _path: Path) -> bool:
    """Whether the first element is an article, or a set of articles."""
    # Web pages have articles, too.
    return _is_xml(head) and not _HTML.search(head) and _JATS.search(head) is not None


def _is_xml(head: bytes) -> bool:
    return head.lstrip().startswith(b"<")


def is_beir(head: bytes, _path: Path) -> bool:
    """Whether the first JSON object has an _id and a text."""
    return first_keys(head) >= {"_id", "text"}


def is_scifact(head: bytes, _path: Path) -> bool:
    """Whether the first JSON object has a doc_id or a cord_id."""
    return not first_keys(head).isdisjoint({"doc_id", "cord_id"})


def is_jsonl(head: bytes, _path: Path) -> bool:
    """Whether the first JSON object has a title or an abstract."""
    return not first_keys(head).isdisjoint({"title", "abstract", "sentences"})


def is_ris(head: bytes, _path: Path) -> bool:
    """Whether some line has the tag TY."""
    return _RIS.search(_with_line_feeds(head)) is not None


def is_nbib(head: bytes, _path: Path) -> bool:
    """Whether some line has the tag PMID."""
    return _NBIB.search(_with_line_feeds(head)) is not None


def is_bibtex(head: bytes, _path: Path) -> bool:
    """Whether some line begins an entry."""
    return _BIBTEX.search(_with_line_feeds(head)) is not None


def _with_line_feeds(head: bytes) -> bytes:
    return head.replace(b"\r", b"\n")


def is_table(head: bytes, path: Path) -> bool:
    """Whether one of the first rows, under some delimiter, names known columns."""
    _, columns = sniff([decode(line) for line in head.splitlines()[:20]])
    # A line that says only "Abstract" is found in any paper; the file's name must then vouch.
    return columns >= (1 if _TABLE_SUFFIXES.intersection(path.suffixes) else 2)
