"""Addresses at which a paper can be read; nothing but http and https ever becomes a link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit


@dataclass(frozen=True, slots=True)
class Link:
    """An address and the words it is shown under."""

    words: str
    address: str


def links(meta: dict[str, Any]) -> list[Link]:
    """Give the links of a paper: its DOI, its PubMed record, and its own address."""
    found = []
    if meta["doi"]:
        found.append(Link(f"doi:{meta['doi']}", f"https://doi.org/{quote(meta['doi'], safe='/')}"))
    if meta["pmid"]:
        number = quote(meta["pmid"], safe="")
        found.append(Link(f"PubMed {meta['pmid']}", f"https://pubmed.ncbi.nlm.nih.gov/{number}/"))
    address = _web_address(meta["url"] or "")
    if address and not found:
        found.append(Link(urlsplit(address).hostname or "link", address))
    return found


def _web_address(text: str) -> str | None:
    """Give an address that a browser may follow, with what could end an attribute encoded."""
    try:
        parts = urlsplit(text.strip())
        has_host = bool(parts.hostname)
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not has_host:
        return None
    return quote(text.strip(), safe=":/?#[]@!$&'()*+,;=%~._-")
