"""Reads PubMed and MEDLINE XML, as downloaded from PubMed or as its yearly baseline files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from claimscope.identifiers import find_year, parse_doi, parse_pmid
from claimscope.ingest.assemble import assemble
from claimscope.ingest.record import Item
from claimscope.ingest.xml_stream import read_records, text_of
from claimscope.types import Document, Metadata

_RECORDS = ("PubmedArticle", "PubmedBookArticle", "MedlineCitation")
_NO_TITLE = frozenset({"", "[Not Available].", "[Not Available]", "Not Available"})
_NO_LABEL = frozenset({"", "UNLABELLED", "UNLABELED"})


def read(path: Path) -> Iterator[Item]:
    """Read every citation."""
    return read_records(path, _document, _RECORDS)


def _document(record: etree._Element, source: str) -> Document:
    citation = _child(record, "MedlineCitation", "BookDocument")
    article = _child(citation, "Article")
    types = tuple(filter(None, (text_of(name) for name in article.iter("PublicationType"))))
    meta = Metadata(
        doi=_doi(record, article),
        pmid=parse_pmid(citation.findtext("PMID") or ""),
        year=_year(article),
        venue=_venue(article),
        authors=tuple(_authors(article)),
        language=article.findtext("Language"),
        publication_types=types,
        retracted=_is_retracted(citation, types),
        source=source,
    )
    return assemble(meta, _title(article), _abstract(citation, article))


def _child(parent: etree._Element, *names: str) -> etree._Element:
    """Give the first child of one of these names, else the parent, which then plays its part."""
    children = (parent.find(name) for name in names)
    return next((child for child in children if child is not None), parent)


def _title(article: etree._Element) -> str:
    for path in ("ArticleTitle", "VernacularTitle", "Book/BookTitle"):
        title = text_of(article.find(path))
        if title not in _NO_TITLE:
            return title
    return ""


def _abstract(citation: etree._Element, article: etree._Element) -> str:
    own = article.find("Abstract")
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


def _doi(record: etree._Element, article: etree._Element) -> str | None:
    for element in article.iterfind("ELocationID[@EIdType='doi']"):
        if doi := parse_doi(text_of(element)):
            return doi
    for holder in ("PubmedData", "PubmedBookData", "BookDocument"):
        for element in record.iterfind(f"{holder}/ArticleIdList/ArticleId[@IdType='doi']"):
            if doi := parse_doi(text_of(element)):
                return doi
    return None


def _year(article: etree._Element) -> int | None:
    for path in ("Journal/JournalIssue/PubDate", "Book/PubDate", "ArticleDate"):
        date = article.find(path)
        if date is not None:
            return find_year(date.findtext("Year") or date.findtext("MedlineDate") or "")
    return None


def _venue(article: etree._Element) -> str | None:
    for path in ("Journal/Title", "Journal/ISOAbbreviation", "Book/BookTitle"):
        name = text_of(article.find(path))
        if name:
            return name
    return None


def _authors(article: etree._Element) -> Iterator[str]:
    for author in article.iterfind("AuthorList/Author"):
        names = (author.findtext("LastName"), author.findtext("ForeName"))
        name = ", ".join(filter(None, names)) or text_of(author.find("CollectiveName"))
        if name:
            yield name


def _is_retracted(citation: etree._Element, types: tuple[str, ...]) -> bool:
    if "Retracted Publication" in types:
        return True
    notes = citation.iterfind("CommentsCorrectionsList/CommentsCorrections")
    return any(note.get("RefType") == "RetractionIn" for note in notes)
