"""Makes documents of Zotero's items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from claimscope._identifiers import find_pmid, find_url, find_year, parse_doi
from claimscope.ingest.assemble import assemble
from claimscope.ingest.full_text import Part, make_body
from claimscope.ingest.pdf_sections import find_sections
from claimscope.types import Document, Metadata, Section

OTHER_KINDS = frozenset({"attachment", "note", "annotation"})
"""Items that are no papers."""
_VENUES = ("publicationTitle", "proceedingsTitle", "bookTitle", "conferenceName", "publisher")
_CITATION_KEY = re.compile(r"^citation key:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)
_DOI = re.compile(r"^doi:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)


def to_document(
    data: Mapping[str, Any], name: str, tags: tuple[str, ...], citation_key: str | None
) -> Document:
    """Make a document of an item's data; one without title and abstract is a `RecordError`."""
    extra = str(data.get("extra") or "")
    doi, in_extra = str(data.get("DOI") or ""), _DOI.search(extra)
    cited = citation_key or data.get("citationKey") or _first(_CITATION_KEY, extra)
    meta = Metadata(
        doi=parse_doi(doi or (in_extra[1] if in_extra else "")),
        pmid=find_pmid(extra),
        year=find_year(str(data.get("date") or "")),
        venue=next((str(data[name]) for name in _VENUES if data.get(name)), None),
        authors=tuple(_authors(data)),
        url=find_url(str(data.get("url") or "")),
        language=str(data.get("language") or "") or None,
        publication_types=(str(data.get("itemType") or ""),),
        tags=tuple(dict.fromkeys((*_tags(data), *tags))),
        citation_key=cited or None,
        source="Zotero",
    )
    title, abstract = str(data.get("title") or ""), str(data.get("abstractNote") or "")
    return assemble(meta, title, abstract, identifier=name, notes=(extra, *_tags(data)))


def to_body(text: str) -> tuple[Section, ...]:
    """Divide an attachment's text into sections; pages are parted by form feeds."""
    pages = text.split("\f")
    return make_body(find_sections(pages)) or make_body(
        Part("", page, number) for number, page in enumerate(pages, start=1)
    )


def _authors(data: Mapping[str, Any]) -> Iterator[str]:
    for creator in data.get("creators") or ():
        if creator.get("creatorType") == "author":
            names = (creator.get("lastName"), creator.get("firstName"))
            yield creator.get("name") or ", ".join(filter(None, names))


def _tags(data: Mapping[str, Any]) -> list[str]:
    return [str(each.get("tag") or "") for each in data.get("tags") or ()]


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return match[1] if match else None
