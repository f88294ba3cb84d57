"""Reads JATS XML: full-text articles, as PubMed Central and publishers give them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lxml import etree

from claimscope._identifiers import find_year, parse_doi, parse_pmid
from claimscope.errors import RecordError
from claimscope.ingest.assemble import assemble
from claimscope.ingest.cleaning import clean_text
from claimscope.ingest.full_text import Part, make_body
from claimscope.ingest.record import Item
from claimscope.ingest.xml_stream import read_records, text_of
from claimscope.types import Document, Metadata

_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_UNREAD = ("back", "floats-group", "table-wrap", "fig", "supplementary-material")
_NO_PROSE = frozenset({"title", "label", "object-id", "sec-meta", "disp-formula"})
_FOOTNOTES = frozenset({"xref", "fn", "label"})


def read(path: Path) -> Iterator[Item]:
    """Read every article's front matter and body; references and figures are skipped."""
    return read_records(path, _document, ("article",), unwanted=_UNREAD)


def _document(article: etree._Element, source: str) -> Document:
    front = article.find("{*}front")
    found = None if front is None else front.find("{*}article-meta")
    if front is None or found is None:
        raise RecordError("The article has no front matter (front/article-meta) to read.")
    kind = article.get("article-type", "")
    meta = Metadata(
        doi=parse_doi(_article_id(found, "doi")),
        pmid=parse_pmid(_article_id(found, "pmid")),
        year=_year(found),
        venue=text_of(front.find("{*}journal-meta//{*}journal-title")) or None,
        authors=tuple(_authors(found)),
        language=article.get(_LANGUAGE),
        publication_types=(kind,) if kind else (),
        retracted=kind == "retracted-article" or _was_retracted(found),
        source=source,
    )
    title = _prose(found.find("{*}title-group/{*}article-title"))
    body = article.find("{*}body")
    sections = () if body is None else make_body(_body(body, ""))
    return replace(assemble(meta, title, _abstract(found)), body=sections)


def _body(parent: etree._Element, heading: str) -> Iterator[Part]:
    """Give the text below each heading in order; headings within headings are joined."""
    prose: list[str] = []
    for part in parent.iterchildren(tag=etree.Element):
        name = etree.QName(part).localname
        if name == "sec":
            if prose:
                yield Part(heading, " ".join(prose))
                prose = []
            own = clean_text(_prose(part.find("{*}title")))
            inner = " – ".join(filter(None, (heading, own)))
            yield from _body(part, inner)
        elif name not in _NO_PROSE:
            prose.append(_prose(part).strip())
    if prose:
        yield Part(heading, " ".join(prose))


def _article_id(meta: etree._Element, kind: str) -> str:
    return text_of(meta.find(f"{{*}}article-id[@pub-id-type='{kind}']"))


def _year(meta: etree._Element) -> int | None:
    years = (find_year(text_of(year)) for year in meta.iterfind("{*}pub-date/{*}year"))
    return min((year for year in years if year), default=None)


def _authors(meta: etree._Element) -> Iterator[str]:
    for contributor in meta.iterfind("{*}contrib-group/{*}contrib[@contrib-type='author']"):
        names = (contributor.find(".//{*}surname"), contributor.find(".//{*}given-names"))
        name = ", ".join(filter(None, map(text_of, names)))
        name = name or text_of(contributor.find("{*}collab"))
        if name:
            yield name


def _was_retracted(meta: etree._Element) -> bool:
    links = meta.iterfind("{*}related-article")
    return any(link.get("related-article-type") == "retraction-forward" for link in links)


def _abstract(meta: etree._Element) -> str:
    """Give the main abstract; those with a type are graphical, plain-language and the like."""
    abstracts = meta.findall("{*}abstract")
    main = next((each for each in abstracts if not each.get("abstract-type")), None)
    if main is None and abstracts:
        main = abstracts[0]
    return "" if main is None else " ".join(_sections(main))


def _sections(parent: etree._Element) -> Iterator[str]:
    """Give the parts of an abstract in order, each section as "HEADING: text"."""
    for part in parent.iterchildren(tag=etree.Element):
        name = etree.QName(part).localname
        if name == "sec":
            heading = _prose(part.find("{*}title")).strip().rstrip(":.").upper()
            text = " ".join(_sections(part))
            if text:
                yield f"{heading}: {text}" if heading else text
        elif name not in {"title", "label", "object-id"}:
            yield _prose(part).strip()


def _prose(element: etree._Element | None) -> str:
    """Give an element's text without marks of footnotes and references."""
    if element is None:
        return ""
    if len(element) == 0:
        return element.text or ""
    parts = [element.text or ""]
    for child in element:
        is_mark = isinstance(child.tag, str) and etree.QName(child).localname in _FOOTNOTES
        parts.append("" if is_mark else _prose(child) if isinstance(child.tag, str) else child.text)
        parts.append(child.tail or "")
    return "".join(parts)
