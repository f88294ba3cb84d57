"""Writes verdicts as notes on papers, in files that Zotero and other reference managers import."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from claimscope.library.writers.csl_json import to_csl
from claimscope.library.writers.ris import to_ris
from claimscope.render.content import STANCES, evidence_candidates, evidence_of, verdict_words
from claimscope.types import Case, Document

TAG = "Claimscope verdict"
"""The keyword of every record, by which they are found after an import."""
Notes = Mapping[str, tuple[Document, list[str]]]
"""Papers with their notes, by id."""


def notes_of(cases: Iterable[Case]) -> Notes:
    """Give the papers that verdicts rest on, each with a note for every claim."""
    found: dict[str, tuple[Document, list[str]]] = {}
    for case in cases:
        stances = evidence_of(case)
        for item in evidence_candidates(case):
            stance = stances[item.document.id]
            said = STANCES[stance] if stance else "Quoted, not judged"
            quotes = " ".join(f"“{quote}”" for quote in item.quotes)
            note = f"{said}: “{case.claim.text}” (verdict: {verdict_words(case)}). {quotes}"
            found.setdefault(item.document.id, (item.document, []))[1].append(note.strip())
    return found


def to_ris_notes(notes: Notes) -> str:
    """Write a RIS record for every paper; its notes become notes of the item."""
    return "".join(_ris(document, several) for document, several in notes.values())


def _ris(document: Document, notes: Iterable[str]) -> str:
    kept, end = to_ris(document).split("ER  - ", maxsplit=1)
    lines = [f"KW  - {TAG}", *(f"N1  - {' '.join(note.split())}" for note in notes)]
    return kept + "\n".join(lines) + "\nER  - " + end


def to_csl_notes(notes: Notes) -> str:
    """Write CSL-JSON, whose notes Zotero puts into the field Extra."""
    items = [
        to_csl(document) | {"note": "\n".join(several), "keyword": TAG}
        for document, several in notes.values()
    ]
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


FORMATS: Mapping[str, Callable[[Notes], str]] = MappingProxyType(
    {"ris": to_ris_notes, "json": to_csl_notes}
)
"""How notes are written, by the ending of the file."""
