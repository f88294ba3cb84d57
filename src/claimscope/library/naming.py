"""Finds the paper that a person names: by id, DOI, PubMed id, address or title.

A merged document is known by all that its records were known by.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence

from claimscope._identifiers import find_doi, find_url, parse_pmid
from claimscope.errors import InputError
from claimscope.library.identity import title_key, title_words
from claimscope.library.store import Store
from claimscope.types import Document

MOST_ALIKE = 10
"""How many papers of similar titles an error names."""

_SCHEME = re.compile(r"^https?://(www\.)?", re.IGNORECASE)


def named(store: Store, text: str) -> list[str]:
    """Give the ids of the documents that a text names, all by the same kind of name."""
    # A terminal may hand over half a character, which SQLite cannot take.
    whole = text.encode(errors="replace").decode().strip()
    for look in (_by_id, _by_doi, _by_pmid, _by_url, _by_title, _by_citation_key):
        if found := look(store, whole):
            return sorted(found)
    return []


def only_one(ids: Sequence[str], words: str, location: str) -> str:
    """Give the id of the one paper that words name, or the words if they name none."""
    if len(ids) > 1:
        shown = ", ".join(repr(name) for name in ids[:MOST_ALIKE])
        raise InputError(
            f"{len(ids)} papers in {location} are named {words[:60]!r}; "
            f"choose one by its id: {shown}."
        )
    return ids[0] if ids else words


def with_title_words(documents: Mapping[str, Document], text: str) -> list[str]:
    """Give the ids of those of these documents whose titles hold every word of a text."""
    words = set(title_words(text))
    return [
        name
        for name, document in documents.items()
        if words and words <= set(title_words(document.title))
    ]


def _by_id(store: Store, text: str) -> set[str]:
    return set(store.get([text])) or set(store.kept_ids([text]).values())


def _by_doi(store: Store, text: str) -> set[str]:
    doi = find_doi(text)
    if doi is None:
        return set()
    known = _ids(store, "SELECT id FROM documents WHERE doi = ?", doi)
    return known | _by_metadata(store, "originals", "doi", doi, find_doi)


def _by_pmid(store: Store, text: str) -> set[str]:
    pmid = parse_pmid(text)
    if pmid is None:
        return set()
    known = _ids(store, "SELECT id FROM documents WHERE pmid = ?", pmid)
    return known | _by_metadata(store, "originals", "pmid", pmid, parse_pmid)


def _by_url(store: Store, text: str) -> set[str]:
    if find_url(text) != text:
        return set()
    wanted = address(text)
    return _by_metadata(store, "documents", "url", wanted, address) | _by_metadata(
        store, "originals", "url", wanted, address
    )


def _by_title(store: Store, text: str) -> set[str]:
    key = title_key(text)
    if key is None:
        # Titles so short have no key, and only the very same one will do.
        return _ids(store, "SELECT id FROM documents WHERE title = ? COLLATE NOCASE", text)
    known = _ids(store, "SELECT id FROM documents WHERE title_key = ?", key)
    merged = store.stream("SELECT kept_id, title FROM originals")
    return known or {kept for kept, title in merged if title_key(title) == key}


def _by_citation_key(store: Store, text: str) -> set[str]:
    if not text or " " in text:
        return set()
    return _by_metadata(store, "documents", "citation_key", text, str)


def _by_metadata(
    store: Store, table: str, field: str, value: str, normal: Callable[[str], str | None]
) -> set[str]:
    """Look through metadata that no index covers; `value` is as `normal` gives it."""
    column = "kept_id" if table == "originals" else "id"
    rows = store.stream(
        f"SELECT {column}, meta FROM {table} WHERE instr(lower(meta), lower(?))", value
    )
    return {name for name, meta in rows if normal(json.loads(meta).get(field) or "") == value}


def _ids(store: Store, statement: str, *values: object) -> set[str]:
    return {name for (name,) in store.rows(statement, *values)}


def address(url: str) -> str:
    """Give a URL without what does not tell papers apart."""
    return _SCHEME.sub("", url).rstrip("/")
