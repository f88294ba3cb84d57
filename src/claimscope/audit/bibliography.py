"""Reads files of references: BibTeX, RIS and CSL JSON, each entry under the key it is cited by."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimscope._identifiers import find_doi, parse_doi, parse_pmid
from claimscope.audit.manuscript import Reference
from claimscope.errors import FormatError, InputError, UnknownNameError
from claimscope.ingest import bibtex, ris
from claimscope.types import Document


def read_bibliography(path: Path) -> tuple[Reference, ...]:
    """Read every entry; entries that are broken are passed over, and so not found when cited."""
    if not path.is_file():
        raise InputError(f"There is no bibliography {path}; check the name.")
    ending = path.suffix.lower()
    if ending in {".bib", ".bibtex"}:
        keyed = bibtex.read_keyed(path)
    elif ending == ".ris":
        keyed = ris.read_keyed(path)
    elif ending == ".json":
        return tuple(_csl(path))
    else:
        raise UnknownNameError("reader for bibliographies", ending or path.name, _ENDINGS)
    return tuple(
        _reference(key or str(place), item)
        for place, (key, item) in enumerate(keyed, start=1)
        if isinstance(item, Document)
    )


_ENDINGS = (".bib", ".bibtex", ".ris", ".json")


def _reference(key: str, document: Document) -> Reference:
    meta = document.meta
    return Reference(
        key,
        title=document.title,
        doi=meta.doi,
        pmid=meta.pmid,
        year=meta.year,
        authors=meta.authors,
    )


def _csl(path: Path) -> Iterator[Reference]:
    try:
        records = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is not JSON ({error}); export it as CSL JSON again.") from None
    if isinstance(records, dict):
        records = records.get("items")
    if not isinstance(records, list):
        raise FormatError(f"{path} is not CSL JSON, which is a list of items; export it again.")
    for place, record in enumerate(records, start=1):
        if isinstance(record, dict):
            yield csl_reference(record, str(place))


def csl_reference(record: dict[str, Any], place: str) -> Reference:
    """Read an item of CSL JSON, as files and Word's fields hold it."""
    doi, pmid = str(record.get("DOI") or ""), str(record.get("PMID") or "")
    return Reference(
        str(record.get("citation-key") or record.get("id") or place),
        title=str(record.get("title") or ""),
        doi=parse_doi(doi) or find_doi(str(record.get("URL") or "")),
        pmid=parse_pmid(pmid) if pmid else None,
        year=_year(record.get("issued")),
        authors=tuple(_authors(record.get("author"))),
    )


def _year(issued: Any) -> int | None:
    try:
        return int(issued["date-parts"][0][0])
    except (IndexError, KeyError, TypeError, ValueError):
        return None


def _authors(names: Any) -> Iterator[str]:
    for name in names if isinstance(names, list) else []:
        if isinstance(name, dict) and (text := name.get("family") or name.get("literal")):
            yield str(text)
