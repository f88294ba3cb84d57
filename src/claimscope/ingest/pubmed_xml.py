"""Reads PubMed and MEDLINE XML, as downloaded from PubMed or as its yearly baseline files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from claimscope._identifiers import find_year, parse_doi, parse_pmid
from claimscope.ingest.assemble import assemble
from claimscope.ingest.record import Item
from claimscope.ingest.streams import ByteSource
from claimscope.ingest.xml_cut import WithoutElements
from claimscope.ingest.xml_stream import first_child, read_records, text_of
from claimscope.types import Document, Metadata

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
    citation = _child(record, "MedlineCitation", "BookDocument")
    article = _child(citation, "Article")
    types = tuple(filter(None, (text_of(name) for name in article.iter("PublicationType"))))
    meta = Metadata(
        doi=_doi(record, article),
        pmid=parse_pmid(_text(citation, "PMID") or ""),
        year=_year(article),
        venue=_venue(article),
        authors=tuple(_authors(article)),
        language=_text(article, "Language"),
        publication_types=types,
        retracted=_is_retracted(citation, types),
        source=source,
    )
    return assemble(meta, _title(article), _abstract(citation, article))


def _child(parent: etree._Element, *names: str) -> etree._Element:
    """Give the first child of one of these names, else the parent, which then plays its part."""
    children = (first_child(parent, name) for name in names)
    return next((child for child in children if child is not None), parent)


def _below(parent: etree._Element, *path: str) -> Iterator[etree._Element]:
    """Give the elements at the end of a path of names, in the order of the file."""
    if len(path) == 1:
        yield from parent.iterchildren(path[0])
    else:
        for child in parent.iterchildren(path[0]):
            yield from _below(child, *path[1:])


def _text(parent: etree._Element, name: str) -> str | None:
    """Give the text at the start of the first child of this name; None if there is no child."""
    child = first_child(parent, name)
    return None if child is None else child.text or ""


def _title(article: etree._Element) -> str:
    for path in (("ArticleTitle",), ("VernacularTitle",), ("Book", "BookTitle")):
        title = text_of(next(_below(article, *path), None))
        if title not in _NO_TITLE:
            return title
    return ""


def _abstract(citation: etree._Element, article: etree._Element) -> str:
    own = first_child(article, "Abstract")
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
    for element in article.iterchildren("ELocationID"):
        if element.get("EIdType") == "doi" and (doi := parse_doi(text_of(element))):
            return doi
    for holder in ("PubmedData", "PubmedBookData", "BookDocument"):
        for element in _below(record, holder, "ArticleIdList", "ArticleId"):
            if element.get("IdType") == "doi" and (doi := parse_doi(text_of(element))):
                return doi
    return None


def _year(article: etree._Element) -> int | None:
    for path in (("Journal", "JournalIssue", "PubDate"), ("Book", "PubDate"), ("ArticleDate",)):
        date = next(_below(article, *path), None)
        if date is not None:
            return find_year(_text(date, "Year") or _text(date, "MedlineDate") or "")
    return None


def _venue(article: etree._Element) -> str | None:
    for path in (("Journal", "Title"), ("Journal", "ISOAbbreviation"), ("Book", "BookTitle")):
        name = text_of(next(_below(article, *path), None))
        if name:
            return name
    return None


def _authors(article: etree._Element) -> Iterator[str]:
    for author in _below(article, "AuthorList", "Author"):
        names = (_text(author, "LastName"), _text(author, "ForeName"))
        name = ", ".join(filter(None, names)) or text_of(first_child(author, "CollectiveName"))
        if name:
            yield name


def _is_retracted(citation: etree._Element, types: tuple[str, ...]) -> bool:
    if "Retracted Publication" in types:
        return True
    notes = _below(citation, "CommentsCorrectionsList", "CommentsCorrections")
    return any(note.get("RefType") == "RetractionIn" for note in notes)
