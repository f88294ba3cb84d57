"""How records show themselves in Python and notebooks, and turn into plain values and back.

The forms are those of `case_json` and of Claimscope's JSON lines, whose modules are imported when
they are used.
"""

from __future__ import annotations

import json
from html import escape
from importlib import import_module
from typing import Any, Self

_SHORT = 60


def shortened(text: str) -> str:
    """Give the beginning of a text."""
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1].rstrip()}…"


def _later(module: str, name: str) -> Any:
    return getattr(import_module(f"claimscope.{module}"), name)


class CaseDisplay:
    """What a case can do besides holding its values."""

    __slots__ = ()

    def __repr__(self) -> str:
        case: Any = self
        verdict = case.verdict.label.verdict if case.verdict else "not decided"
        return f"<Case {shortened(case.claim.text)!r}: {verdict}, {len(case.candidates)} papers>"

    def _repr_html_(self) -> str:
        case: Any = self
        verdict = case.verdict
        said = f"<strong>{escape(verdict.label.verdict)}</strong>" if verdict else "Not decided"
        why = f"<br>{escape(verdict.rule.statement)}" if verdict else ""
        quotes = "".join(
            f"<li>{escape(item.document.title)}: “{escape(item.quotes[0])}”</li>"
            for item in case.candidates
            if item.quotes
        )
        return f"<p>{escape(case.claim.text)}<br>{said}{why}</p><ul>{quotes}</ul>"

    def to_dict(self) -> dict[str, Any]:
        """Give the case as plain values, as docs/reference/json.md describes them."""
        found: dict[str, Any] = _later("case_json", "to_dict")(self)
        return found

    def to_json(self, indent: int | None = None) -> str:
        """Write the case as JSON."""
        return str(_later("case_json", "to_json")(self, indent=indent))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a case from JSON; one that cannot be read raises `FormatError`."""
        found: Self = _later("case_json", "from_json")(text)
        return found


class DocumentDisplay:
    """What a document can do besides holding its values."""

    def __repr__(self) -> str:
        paper: Any = self
        return f"<Document {paper.id!r}: {shortened(paper.title)!r}, {paper.depth}>"

    def _repr_html_(self) -> str:
        paper: Any = self
        year = f" ({paper.meta.year})" if paper.meta.year else ""
        retracted = "<strong>Retracted.</strong> " if paper.meta.retracted else ""
        title = f"<strong>{escape(paper.title)}</strong>{year}"
        return f"<p>{title}<br>{retracted}{escape(paper.abstract)}</p>"

    def to_dict(self) -> dict[str, Any]:
        """Give the document as plain values, as `library export papers.jsonl` writes them."""
        found: dict[str, Any] = json.loads(self.to_json())
        return found

    def to_json(self) -> str:
        """Write the document as one line of JSON."""
        return str(_later("library.writers.json_lines", "to_json_line")(self)).rstrip("\n")

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a document from JSON; one that cannot be read raises `RecordError`."""
        found: Self = _later("ingest.jsonl", "from_json")(text)
        return found
