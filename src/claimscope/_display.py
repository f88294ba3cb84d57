"""How records show themselves in Python and notebooks, and turn into plain values and back.

The forms are those of `case_json` and of Claimscope's JSON lines, whose modules are imported when
they are used.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from importlib import import_module
from typing import Any, Self

from claimscope._wording import counted

_SHORT = 60


def shortened(text: str) -> str:
    """Give the beginning of a text."""
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1].rstrip()}…"


def _later(module: str, name: str) -> Any:
    return getattr(import_module(f"claimscope.{module}"), name)


def _quoted(candidates: Iterable[Any]) -> str:
    """List the papers with their labels and their best sentences."""
    items = "".join(
        f"<li>{escape(item.label.value if item.label else '')} {escape(item.document.title)}: "
        f"“{escape(item.quotes[0])}”</li>"
        for item in candidates
        if item.quotes
    )
    return f"<ul>{items}</ul>" if items else ""


class CandidateDisplay:
    """How a paper that was found for a claim shows itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        item: Any = self
        label = item.label.value if item.label else "not judged"
        sure = "" if item.probability is None else f" {item.probability:.2f}"
        quotes = counted(len(item.quotes), "quote")
        return f"<Candidate {item.document.id!r}: {label}{sure}, {quotes}>"


class VerdictDisplay:
    """How a verdict shows itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        verdict: Any = self
        has_one = verdict.confidence is not None and verdict.label.verdict != "DISPUTED"
        sure = f" {verdict.confidence:.2f}" if has_one else ""
        sides = f"{len(verdict.supporting)} for, {len(verdict.refuting)} against"
        return f"<Verdict {verdict.label.verdict}{sure}: {sides}>"


class CaseDisplay:
    """What a case can do besides holding its values."""

    __slots__ = ()

    def __repr__(self) -> str:
        case: Any = self
        verdict = case.verdict.label.verdict if case.verdict else "not decided"
        papers = counted(len(case.candidates), "paper")
        return f"<Case {shortened(case.claim.text)!r}: {verdict}, {papers}>"

    def _repr_html_(self) -> str:
        case: Any = self
        verdict = case.verdict
        said = f"<strong>{escape(verdict.label.verdict)}</strong>" if verdict else "Not decided"
        words = _later("render.wording", "answer")(case).text if verdict else ""
        why = f"<br>{escape(words or verdict.rule.statement)}" if verdict else ""
        papers = "".join(part._repr_html_() for part in case.parts) or _quoted(case.candidates)
        return f"<p>{escape(case.claim.text)}<br>{said}{why}</p>{papers}"

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
