"""The table of formats: each that Claimscope reads, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import cast

from claimscope.errors import UnknownNameError
from claimscope.ingest import recognise
from claimscope.ingest.record import Format, Item


def _read(module: str, path: Path) -> Iterator[Item]:
    """Read with a module that is loaded only now, since some of them load large libraries."""
    reader = import_module(f"claimscope.ingest.{module}")
    return cast(Iterator[Item], reader.read(path))


_TABLE = (
    # The surest marks come first; a table can look like anything, so it comes last.
    Format("pdf", "PDF", recognise.is_pdf, partial(_read, "pdf")),
    Format("xlsx", "Excel workbook", recognise.is_xlsx, partial(_read, "xlsx")),
    Format("pubmed", "PubMed XML", recognise.is_pubmed_xml, partial(_read, "pubmed_xml")),
    Format("jats", "JATS XML", recognise.is_jats, partial(_read, "jats")),
    Format("beir", "BEIR corpus", recognise.is_beir, partial(_read, "beir")),
    Format("scifact", "SciFact corpus", recognise.is_scifact, partial(_read, "scifact")),
    Format("jsonl", "Claimscope JSON lines", recognise.is_jsonl, partial(_read, "jsonl")),
    Format("ris", "RIS", recognise.is_ris, partial(_read, "ris")),
    Format("nbib", "NBIB (MEDLINE text)", recognise.is_nbib, partial(_read, "nbib")),
    Format("bibtex", "BibTeX", recognise.is_bibtex, partial(_read, "bibtex")),
    Format("csv", "CSV or TSV table", recognise.is_table, partial(_read, "table")),
)

FORMATS = MappingProxyType({each.name: each for each in _TABLE})
"""Every format, by name."""


def get_format(name: str) -> Format:
    """Give the format with this name."""
    try:
        return FORMATS[name.strip().lower()]
    except KeyError:
        raise UnknownNameError("format", name, FORMATS) from None
