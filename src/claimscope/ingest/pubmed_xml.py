"""Reads PubMed and MEDLINE XML, as downloaded from PubMed or as its yearly baseline files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from claimscope._identifiers import find_year, parse_doi, parse_pmid
from claimscope.ingest.assemble import assemble
from claimscope.ingest.record import Item
from claimscope.ingest.streams import ByteSource
from claimscope.ingest.xml_stream import WithoutElements, first_children, read_records, text_of
from claimscope.types import Document, Metadata

Children = dict[str, etree._Element]
"""The first child of every name."""

_RECORDS = ("PubmedArticle", "PubmedBookArticle", "MedlineCitation")
_UNREAD = ("ReferenceList", "AffiliationInfo", "History", "MeshHeadingList", "ChemicalList")
_NO_TITLE = frozenset({"", "[Not Available].", "[Not Available]", "Not Available"})
_NO_LABEL = frozenset({"", "UNLABELLED", "UNLABELED"})


def read(path: Path) -> Iterator[Item]:
    """Read every citation."""
    return read_records(path, _document, _RECORDS, trim=_trim)


def _trim(source: ByteSource) -> ByteSource:
    return WithoutElements(source, _UNREAD, boundary=b"</MedlineCitation>")


def _document(record: etree._Element, source: str) -> Document:
    parts = first_children(record)
    citation = parts.get("MedlineCitation", parts.get("BookDocument", record))
    of_citation = first_children(citation)
    article = of_citation.get("Article", citation)
    fields = of_citation if article is citation else first_children(article)
    journal = _children(fields.get("Journal"))
    types = tuple(filter(None, map(text_of, article.iter("PublicationType"))))
    meta = Metadata(
        doi=_doi(parts, article),
        pmid=parse_pmid(_text(of_citation.get("PMID")) or ""),
        year=_year(fields, journal),
        venue=_venue(fields, journal),
        authors=tuple(_authors(article)),
        language=_text(fields.get("Language")),
        publication_types=types,
        retracted=_is_retracted(of_citation, types),
        source=source,
    )
    return assemble(meta, _title(fields), _abstract(citation, fields))


def _children(parent: etree._Element | None) -> Children:
    return {} if parent is None else first_children(parent)


def _text(element: etree._Element | None) -> str | None:
    """Give the text at the start of an element; None if there is no element."""
    return None if element is None else element.text or ""


def _title(fields: Children) -> str:
    for name in ("ArticleTitle", "VernacularTitle"):
        title = text_of(fields.get(name))
        if title not in _NO_TITLE:
            return title
    title = text_of(_children(fields.get("Book")).get("BookTitle"))
    return "" if title in _NO_TITLE else title


def _abstract(citation: etree._Element, fields: Children) -> str:
    own = fields.get("Abstract")
    if own is not None:
        return _sections(own)
    others = (other for other in citation.iter("OtherAbstract"))
    english = next((other for other in others if other.get("Language", "eng") == "eng"), None)
    return "" if english is None else _sections(english)


def _sections(abstract: etree._Element) -> str:
    parts = []
    for section in abstract.iter("AbstractText"):
        label = section.get("Label", "").strip().rstrip(":").upper()
        text = text_of(section).strip()
        if text:
            parts.append(text if label in _NO_LABEL else f"{label}: {text}")
    return " ".join(parts)


def _doi(parts: Children, article: etree._Element) -> str | None:
    for element in article.iterchildren("ELocationID"):
        if element.get("EIdType") == "doi" and (doi := parse_doi(text_of(element))):
            return doi
    for holder in ("PubmedData", "PubmedBookData", "BookDocument"):
        ids = _children(parts.get(holder)).get("ArticleIdList", ())
        for element in ids:
            if element.get("IdType") == "doi" and (doi := parse_doi(text_of(element))):
                return doi
    return None


def _year(fields: Children, journal: Children) -> int | None:
    dates = (
        _children(journal.get("JournalIssue")).get("PubDate"),
        _children(fields.get("Book")).get("PubDate"),
        fields.get("ArticleDate"),
    )
    for date in dates:
        if date is not None:
            parts = first_children(date)
            return find_year(_text(parts.get("Year")) or _text(parts.get("MedlineDate")) or "")
    return None


def _venue(fields: Children, journal: Children) -> str | None:
    names = (journal.get("Title"), journal.get("ISOAbbreviation"))
    for name in filter(None, map(text_of, names)):
        return name
    return text_of(_children(fields.get("Book")).get("BookTitle")) or None


def _authors(article: etree._Element) -> Iterator[str]:
    for list_of_authors in article.iterchildren("AuthorList"):
        for author in list_of_authors.iterchildren("Author"):
            parts = first_children(author)
            names = (_text(parts.get("LastName")), _text(parts.get("ForeName")))
            name = ", ".join(filter(None, names)) or text_of(parts.get("CollectiveName"))
            if name:
                yield name


def _is_retracted(of_citation: Children, types: tuple[str, ...]) -> bool:
    if "Retracted Publication" in types:
        return True
    notes = of_citation.get("CommentsCorrectionsList", ())
    return any(note.get("RefType") == "RetractionIn" for note in notes)
