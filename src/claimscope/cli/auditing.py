"""Shows an audit in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from claimscope._wording import counted
from claimscope.audit import Audit, Checked, Level, Remark
from claimscope.audit.report import JUDGED, Quote, RemarkKind
from claimscope.cli.styles import clean

_STYLES = {
    Level.ERROR: "bold red",
    Level.WARNING: "bold yellow",
    Level.NOTE: "cyan",
    Level.NONE: "green",
}
_SIGNS = {Level.ERROR: "✕", Level.WARNING: "!", Level.NOTE: "·", Level.NONE: "✓"}


_NOTES = frozenset({RemarkKind.NUMBERS, RemarkKind.WORDING})
"""Remarks that stand under the citation whose quotes they are about."""


def show_audit(audit: Audit, to: Console) -> None:
    """Show each sentence that calls for a look, with what its papers say; then the counts."""
    held: dict[tuple[int, str], list[Checked | Remark]] = {}
    for item in sorted(audit.findings, key=lambda item: item.place):
        if item.level is not Level.NONE:
            held.setdefault((item.place, item.sentence), []).append(item)
    for (place, sentence), items in held.items():
        to.print(Text(f"{audit.place_name} {place}", style="dim"), end="  ")
        to.print(Text(clean(sentence), style="bold"))
        for item in items:
            to.print(Padding(_item(item), (0, 0, 0, 2)))
        to.print()
    for note in audit.notes:
        to.print(Text(f"! {clean(note)}", style="yellow"))
    to.print(_summary(audit))


def show_summary(audit: Audit, files: Sequence[Path], to: Console) -> None:
    """Show the counts of an audit whose findings are in files, and name the files."""
    to.print(_summary(audit))
    to.print(Text(clean(f"Wrote {', '.join(map(str, files))}.")))


def _item(item: Checked | Remark) -> Text:
    text = Text()
    text.append(f"{_SIGNS[item.level]} ", _STYLES[item.level])
    if isinstance(item, Checked):
        text.append(item.outcome.value, _STYLES[item.level])
        text.append(f"  {clean(item.label)}", "dim")
        if len(item.label.split(item.key)) < 2 or "," in item.label or ";" in item.label:
            text.append(f" {clean(item.key)}", "dim")
    else:
        text.append(item.kind.value, _STYLES[item.level])
    text.append(f"\n{clean(item.detail)}")
    if isinstance(item, Checked) or item.kind not in _NOTES:
        for quote in item.quotes[:2]:
            text.append(_quote(quote))
    return text


def _quote(quote: Quote) -> Text:
    return Text(f"\n»{clean(quote.text)}«", style="italic")


def _summary(audit: Audit) -> Text:
    counts = ", ".join(f"{count} {outcome.value}" for outcome, count in audit.counts.items())
    judged = sum(count for outcome, count in audit.counts.items() if outcome in JUDGED)
    total = counted(len(audit.citations), "citation")
    text = f"{counted(audit.sentences, 'sentence')}, {total}, {judged} checked"
    return Text(f"{text}: {counts}." if counts else f"{text}.", style="dim")
