"""What the pages and comment files show of an audit: its sentences with all that was found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from claimscope._wording import counted
from claimscope.audit.report import JUDGED, Audit, Checked, Level, Outcome, Remark, RemarkKind

TONES = {
    Outcome.SUPPORTS: "for",
    Outcome.CONTRADICTS: "against",
    Outcome.LEANS_SUPPORTS: "lean",
    Outcome.LEANS_CONTRADICTS: "lean",
    Outcome.RETRACTED: "against",
}
SIGNS = {"for": "✓", "against": "✕", "lean": "≈", "caution": "!", "quiet": "·"}
_BESIDE = frozenset({RemarkKind.NUMBERS, RemarkKind.WORDING})
"""Remarks that stand under a citation, whose quotes are shown there."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A citation or a remark in words."""

    tone: str
    sign: str
    headline: str
    citation: str
    detail: str
    title: str
    document_id: str
    quotes: tuple[str, ...]
    probability: float | None
    level: str


@dataclass(frozen=True, slots=True)
class SentenceView:
    """A sentence of the manuscript and all findings on it, the most urgent first."""

    place: int
    text: str
    tone: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class AuditView:
    """An audit as pages show it."""

    name: str
    place_name: str
    sentences: tuple[SentenceView, ...]
    totals: str
    """How many sentences and citations there are, and how many were checked, in words."""
    counts: tuple[tuple[str, str, int], ...]
    """Tone, name and number of each outcome."""
    notes: tuple[str, ...]
    version: str
    preset: str
    revision: str


def show(audit: Audit) -> AuditView:
    """Prepare an audit for a page."""
    return AuditView(
        name=audit.name,
        place_name=audit.place_name,
        sentences=tuple(_sentences(audit)),
        totals=_totals(audit),
        counts=tuple(
            (_tone_of(outcome), outcome.value, count) for outcome, count in audit.counts.items()
        ),
        notes=audit.notes,
        version=audit.provenance.version,
        preset=audit.provenance.preset,
        revision=audit.provenance.library_revision[:12],
    )


def _totals(audit: Audit) -> str:
    judged = sum(count for outcome, count in audit.counts.items() if outcome in JUDGED)
    sentences, citations = (
        counted(audit.sentences, "sentence"),
        counted(len(audit.citations), "citation"),
    )
    return f"{sentences}, {citations}, {judged:,} checked."


_URGENCY = {Level.ERROR: 0, Level.WARNING: 1, Level.NOTE: 2, Level.NONE: 3}


def _sentences(audit: Audit) -> Iterator[SentenceView]:
    groups: dict[tuple[int, str], list[Checked | Remark]] = {}
    for item in audit.findings:
        groups.setdefault((item.place, item.sentence), []).append(item)
    for (place, text), items in sorted(groups.items(), key=lambda pair: pair[0][0]):
        items.sort(key=lambda item: _URGENCY[item.level])
        findings = tuple(map(finding, items))
        yield SentenceView(place, text, findings[0].tone, findings)


def _tone_of(outcome: Outcome) -> str:
    if outcome in TONES:
        return TONES[outcome]
    return (
        "caution" if outcome in {Outcome.SILENT, Outcome.NO_ENTRY, Outcome.AMBIGUOUS} else "quiet"
    )


def finding(item: Checked | Remark) -> Finding:
    """Put a citation or a remark into words."""
    if isinstance(item, Checked):
        tone = "quiet" if item.level is Level.NOTE else _tone_of(item.outcome)
        labels = item.probabilities if item.quotes else None
        probability = labels.of(labels.label) if labels else None
        headline, citation, quotes = item.outcome.value, _named(item), item.quotes
    else:
        tone = "caution" if item.level in {Level.WARNING, Level.ERROR} else "quiet"
        probability, headline, citation = None, item.kind.value, ""
        quotes = () if item.kind in _BESIDE else item.quotes
    return Finding(
        tone,
        SIGNS[tone],
        headline[:1].upper() + headline[1:],
        citation,
        item.detail,
        item.document.title if item.document else "",
        item.document.id if item.document else "",
        tuple(quote.text for quote in quotes),
        probability,
        item.level.value,
    )


def _named(item: Checked) -> str:
    """Give the citation as written, and the key where it has several."""
    is_one = item.key in item.label and not any(sign in item.label for sign in ",;")
    return item.label if is_one or item.key == item.label else f"{item.label} {item.key}"
