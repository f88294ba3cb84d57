"""The formats that Claimscope reads, and how each is recognised from the content of a file."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import cast

from claimscope.errors import FormatError, UnknownNameError
from claimscope.ingest.json_items import all_keys, keys_of_list
from claimscope.ingest.json_lines import first_keys
from claimscope.ingest.record import Format, Item
from claimscope.ingest.streams import ByteSource, decode, open_source, utf8_chunks
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
_ENDNOTE = re.compile(rb"<records?>\s*<(?:record|database|source-app|rec-number|ref-type)\b")
_ENW = re.compile(rb"^[ \t]*%0[ \t]+[A-Z]", re.MULTILINE)
_WOS = re.compile(rb"^PT [A-Z][ \t]*$", re.MULTILINE)
_WOS_FIELD = re.compile(rb"^(?:AU|TI|SO|UT) \S", re.MULTILINE)
_PUBMED_TEXT = re.compile(rb"\s*[0-9]{1,7}[:.] \S")
_PMID = re.compile(rb"\bPMID: [0-9]{1,8}\b")
_OPENALEX = frozenset({"abstract_inverted_index", "authorships"})
_EUROPE_PMC = frozenset({"resultList", "authorString"})
_CSL = frozenset({"issued", "container-title", "author", "DOI", "title"})
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


def is_parquet(head: bytes, _path: Path) -> bool:
    """Whether the file begins with the mark of Parquet."""
    return head.startswith(b"PAR1")


def is_pubmed_xml(head: bytes, _path: Path) -> bool:
    """Whether the first elements are those of PubMed."""
    return _is_xml(head) and _PUBMED.search(head) is not None


def is_jats(head: bytes, _path: Path) -> bool:
    """Whether the first element is an article, or a set of articles."""
    # Web pages have articles, too.
    return _is_xml(head) and not _HTML.search(head) and _JATS.search(head) is not None


def _is_xml(head: bytes) -> bool:
    return head.lstrip().startswith(b"<")


def is_endnote_xml(head: bytes, _path: Path) -> bool:
    """Whether the first elements are those of EndNote's records."""
    return _is_xml(head) and _ENDNOTE.search(head) is not None


def _is_json(head: bytes) -> bool:
    return head.lstrip().startswith((b"{", b"["))


def is_openalex(head: bytes, _path: Path) -> bool:
    """Whether JSON has keys that only works of OpenAlex have."""
    return _is_json(head) and not _OPENALEX.isdisjoint(all_keys(head))


def is_europe_pmc(head: bytes, _path: Path) -> bool:
    """Whether JSON has keys that only answers of Europe PMC have."""
    return _is_json(head) and not _EUROPE_PMC.isdisjoint(all_keys(head))


def is_csl_json(head: bytes, _path: Path) -> bool:
    """Whether the file is a list of objects with a type and what else references have."""
    keys = keys_of_list(head)
    return "type" in keys and not _CSL.isdisjoint(keys)


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


def is_enw(head: bytes, _path: Path) -> bool:
    """Whether some line has the tag %0 with a type."""
    return _ENW.search(_with_line_feeds(head)) is not None


def is_wos(head: bytes, _path: Path) -> bool:
    """Whether a line has the tag PT with a letter, and another a tag of Web of Science."""
    head = _with_line_feeds(head)
    return _WOS.search(head) is not None and _WOS_FIELD.search(head) is not None


def is_wos_tab(head: bytes, _path: Path) -> bool:
    """Whether the first line names the first columns of Web of Science."""
    return head.lstrip().startswith(b"PT\tAU\t")


def is_pubmed_text(head: bytes, _path: Path) -> bool:
    """Whether the file begins with a numbered record and names PubMed ids."""
    return _PUBMED_TEXT.match(head) is not None and _PMID.search(head) is not None


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


def _read(module: str, path: Path) -> Iterator[Item]:
    """Read with a module that is loaded only now, since some of them load large libraries."""
    reader = import_module(f"claimscope.ingest.{module}")
    return cast(Iterator[Item], reader.read(path))


_TABLE = (
    # The surest marks come first; a table can look like anything, so it comes last.
    Format("pdf", "PDF", is_pdf, partial(_read, "pdf")),
    Format("xlsx", "Excel workbook", is_xlsx, partial(_read, "xlsx")),
    Format("parquet", "Parquet table", is_parquet, partial(_read, "parquet")),
    Format("pubmed", "PubMed XML", is_pubmed_xml, partial(_read, "pubmed_xml")),
    Format("jats", "JATS XML", is_jats, partial(_read, "jats")),
    Format("endnote-xml", "EndNote XML", is_endnote_xml, partial(_read, "endnote_xml")),
    Format("openalex", "OpenAlex JSON", is_openalex, partial(_read, "openalex")),
    Format("europepmc", "Europe PMC JSON", is_europe_pmc, partial(_read, "europepmc")),
    Format("csl-json", "CSL-JSON (Zotero)", is_csl_json, partial(_read, "csl_json")),
    Format("beir", "BEIR corpus", is_beir, partial(_read, "beir")),
    Format("scifact", "SciFact corpus", is_scifact, partial(_read, "scifact")),
    Format("jsonl", "Claimscope JSON lines", is_jsonl, partial(_read, "jsonl")),
    Format("ris", "RIS", is_ris, partial(_read, "ris")),
    Format("nbib", "NBIB (MEDLINE text)", is_nbib, partial(_read, "nbib")),
    Format("enw", "EndNote tagged text", is_enw, partial(_read, "enw")),
    Format("wos", "Web of Science plain text", is_wos, partial(_read, "wos")),
    Format("wos-tab", "Web of Science tab-delimited", is_wos_tab, partial(_read, "wos_tab")),
    Format("pubmed-text", "PubMed text", is_pubmed_text, partial(_read, "pubmed_text")),
    Format("bibtex", "BibTeX", is_bibtex, partial(_read, "bibtex")),
    Format("csv", "CSV or TSV table", is_table, partial(_read, "table")),
)

FORMATS = MappingProxyType({each.name: each for each in _TABLE})
"""Every format, by name."""


def get_format(name: str) -> Format:
    """Give the format with this name."""
    try:
        return FORMATS[name.strip().lower()]
    except KeyError:
        raise UnknownNameError("format", name, FORMATS) from None


HEAD = 64 * 1024
"""Bytes of a file that its format is recognised from."""


class _Head:
    """The first bytes of a source."""

    def __init__(self, source: ByteSource) -> None:
        self._source = source

    def read(self, _size: int, /) -> bytes:
        return self._source.read(HEAD)


def detect(path: Path) -> Format | None:
    """Give a file's format, or None if it is in none known; an empty file is a `FormatError`."""
    with open_source(path) as source:
        head = b"".join(islice(utf8_chunks(_Head(source)), 1))
    if not head.strip(b"\0 \t\r\n"):
        raise FormatError("The file is empty.")
    for candidate in FORMATS.values():
        if candidate.recognises(head, path):
            return candidate
    if is_zip(head):
        raise FormatError("The file is a ZIP archive; unpack it and add the files inside it.")
    return None
