"""Makes a document from a reader's record: cleaned, named, and marked if it is retracted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any, get_type_hints

from claimscope._languages import normalise_language
from claimscope.errors import RecordError
from claimscope.ingest.cleaning import clean_text, without_controls
from claimscope.ingest.limits import check_list, check_sentences, check_text
from claimscope.text import split_sentences
from claimscope.types import Document, Metadata, Span

_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")


def normalise_title(title: str) -> str:
    """Give a title's letters and digits alone, so that spelling variants of one title agree."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return _NOT_ALPHANUMERIC.sub("", folded) or title


def make_id(doi: str | None, pmid: str | None, title: str, year: int | None) -> str:
    """Give the id of a record whose format has none: its PMID, else its DOI, else its title."""
    if pmid:
        return f"pmid:{pmid}"
    if doi:
        return f"doi:{doi}"
    key = f"{normalise_title(title)}\n{year or ''}"
    return f"title:{blake2b(key.encode(), digest_size=8).hexdigest()}"


# "Retraction: ..." is the title of a notice; "Retracted: ..." that of the paper itself.
_TITLE = re.compile(
    r"\W{0,2}(?:retracted|withdrawn)(?:\s+(?:article|paper|manuscript|publication|chapter))?\s*[:\]\).–—-]",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(
    r"(?:this|the) (?:article|paper|publication) has been (?:retracted|withdrawn)\b", re.IGNORECASE
)
_NOTE = re.compile(
    r"\b(?:retracted (?:publication|article|paper)\b"
    r"|(?:article|paper|publication) (?:is|was|has been) retracted\b|retraction in:)",
    re.IGNORECASE,
)
_NOTICE = re.compile(r"\bretraction (?:of publication|notice)\b|^retraction$", re.IGNORECASE)


def is_retracted(title: str, abstract: str, types: Iterable[str], notes: Iterable[str]) -> bool:
    """Whether a paper was retracted; the notice that retracts another paper was not."""
    is_notice, is_paper = _say(tuple(types))
    if is_notice:
        return False
    return (
        is_paper
        or any(_NOTE.search(text) for text in notes)
        or _TITLE.match(title) is not None
        or _ABSTRACT.match(abstract) is not None
    )


# Papers share few combinations of types.
@lru_cache(maxsize=1024)
def _say(types: tuple[str, ...]) -> tuple[bool, bool]:
    """Whether publication types name a notice of retraction, and a retracted paper."""
    return any(map(_NOTICE.search, types)), any(map(_NOTE.search, types))


_TEXTS = tuple(
    name
    for name, hint in get_type_hints(Metadata).items()
    if hint == str | None and name not in {"doi", "pmid", "source"}
)
_LISTS = ("authors", "publication_types", "notices", "tags")
_NO_ABSTRACT = frozenset(
    {"no abstract available", "no abstract", "abstract not available", "not available", "n/a"}
)
"""What databases write where an abstract is missing, without brackets and stops."""


def assemble(
    meta: Metadata,
    title: str,
    abstract: str = "",
    *,
    sentences: Sequence[str] = (),
    spans: Sequence[Span] = (),
    identifier: str = "",
    notes: Iterable[str] = (),
) -> Document:
    """Make a document; neither title nor abstract, or a field too long, is a `RecordError`.

    An abstract that comes as sentences, or with spans, keeps them and its wording exactly; any
    other is cleaned and split. Notes are free texts in which a retraction may be mentioned.
    """
    _check(meta, title, abstract, sentences)
    meta = _clean_metadata(meta)
    title = clean_text(title)
    if sentences:
        abstract, spans = _join(sentences)
    elif spans:
        abstract = without_controls(abstract)
    else:
        abstract = clean_text(abstract)
        if len(abstract) < 30 and abstract.strip("[]().").lower() in _NO_ABSTRACT:
            abstract = ""
        spans = split_sentences(abstract) if abstract else ()
    if not title and not abstract:
        raise RecordError("The record has neither a title nor an abstract.")
    if not meta.retracted and is_retracted(title, abstract, meta.publication_types, notes):
        meta = replace(meta, retracted=True)
    name = _checked(identifier) or make_id(meta.doi, meta.pmid, title or abstract, meta.year)
    return Document(name, title, abstract, tuple(spans), meta)


def _check(meta: Metadata, title: str, abstract: str, sentences: Sequence[str]) -> None:
    """Refuse a field that is too long before any time is spent on it."""
    check_text("title", title)
    check_text("abstract", abstract)
    check_sentences(sentences)
    for name in ("doi", *_TEXTS):
        check_text(name.replace("_", " "), getattr(meta, name) or "")
    for name in _LISTS:
        check_list(name.replace("_", " "), getattr(meta, name))


def _clean_metadata(meta: Metadata) -> Metadata:
    changed: dict[str, Any] = {}
    for name in _TEXTS:
        text = getattr(meta, name)
        if text is not None and (clean := clean_text(text) or None) != text:
            changed[name] = clean
    if (language := normalise_language(changed.get("language", meta.language))) != meta.language:
        changed["language"] = language
    for name in _LISTS:
        texts = getattr(meta, name)
        if (several := tuple(filter(None, map(clean_text, texts)))) != texts:
            changed[name] = several
    # A file's name is kept as it is but for bytes that were no text.
    if meta.source is not None and (name := without_controls(meta.source)) != meta.source:
        changed["source"] = name
    return replace(meta, **changed) if changed else meta


def _join(sentences: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """Join sentences with spaces; an empty one keeps its place, since gold labels count places."""
    sentences = [without_controls(sentence).strip() for sentence in sentences]
    if not any(sentences):
        return "", ()
    spans = []
    start = 0
    for sentence in sentences:
        spans.append((start, start + len(sentence)))
        start += len(sentence) + 1
    return " ".join(sentences), tuple(spans)


def _checked(identifier: str) -> str:
    identifier = clean_text(identifier)
    check_text("id", identifier)
    return identifier
