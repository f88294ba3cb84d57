"""What the room to check a claim shows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from claimscope.claims.reading import read_claim
from claimscope.errors import ClaimError
from claimscope.identifiers import find_doi, parse_pmid
from claimscope.library.location import DEMO
from claimscope.pipeline.preset import Preset
from claimscope.render.case_view import CaseView
from claimscope.service.api.searching import find
from claimscope.service.state import Service
from claimscope.types import Document

_SUGGESTIONS = 5
_FILE_NAME = 50


@dataclass(frozen=True, slots=True)
class About:
    """What claims are checked against."""

    documents: int
    preset: str
    summary: str
    is_demo: bool
    presets: tuple[str, ...]
    """What a visitor can choose from."""


@dataclass(frozen=True, slots=True)
class Named:
    """The paper a reader probably means, and others they might."""

    chosen: Document | None
    others: tuple[Document, ...]


def about(service: Service, preset: Preset) -> About:
    """Say what claims are checked against."""
    is_demo = service.settings.library == DEMO
    presets = tuple(service.offered.batchers)
    return About(len(service.library), preset.name, preset.summary, is_demo, presets)


def asked(claim: str, preset: str) -> dict[str, str]:
    """Give what addresses of the answer carry; the first preset need not be named."""
    return {"claim": claim} | ({"preset": preset} if preset else {})


def said(view: CaseView) -> str:
    """Give the sentence that a screen reader speaks when a part of the answer arrives."""
    if view.tone == "reading":
        return f"{view.headline}…"
    sure = "" if view.confidence is None else f", confidence {view.confidence:.2f}"
    return f"{view.headline}{sure}. {view.reason}"


def named(service: Service, words: str) -> Named:
    """Find the paper that words name: an id, a DOI or PubMed id, or words of its title."""
    text = words.strip()
    exact = service.ledger.store.get([text, *_by_identifier(service, text)])
    if exact:
        return Named(exact.get(text) or next(iter(exact.values())), ())
    try:
        found = [document for _, document in find(service, read_claim(text).text, _SUGGESTIONS)]
    except ClaimError:
        found = []
    return Named(found[0] if found else None, tuple(found[1:]))


def _by_identifier(service: Service, text: str) -> list[str]:
    rows = service.ledger.rows(
        "SELECT id FROM documents WHERE doi = ? OR pmid = ? LIMIT 1",
        find_doi(text),
        parse_pmid(text),
    )
    return [name for (name,) in rows]


def file_name(claim: str) -> str:
    """Give a claim as a plain file name."""
    words = re.sub(r"[^a-z0-9]+", "-", claim.lower()).strip("-")
    return words[:_FILE_NAME].strip("-") or "claim"
