"""Shows the description of a data set in a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from claimscope.cli.styles import clean
from claimscope.datasets.describe import Description, Distribution, SplitDescription
from claimscope.datasets.record import Card
from claimscope.labels import Label

_BAR = 40


def show_description(card: Card, found: Description, to: Console) -> None:
    """Show tables and bars, then the traps the card names."""
    to.print(Text(f"{card.title}: {card.about}", style="bold"))
    to.print(Text(f"{card.paper}  {card.licence}  {card.homepage}", style="dim"))
    for split in found.splits:
        _show_split(split, to)
    if found.absent:
        to.print(Text(f"Not on this machine: {', '.join(found.absent)}", style="yellow"))
    _show_lengths(found, to)
    for leak in found.leaks:
        to.print(
            f"{leak.first} and {leak.second} share {leak.claims:,} claims "
            f"and {leak.evidence_documents:,} evidence documents."
        )
    terms = ", ".join(f"{clean(word)} {count:,}" for word, count in found.frequent_terms)
    to.print(Text(f"{found.vocabulary:,} different words; most frequent by document: {terms}"))
    for note in card.notes:
        to.print(Text(f"! {note}", style="yellow"))


def _show_split(split: SplitDescription, to: Console) -> None:
    kept = f", {split.kept_back:,} with answers kept back" if split.kept_back else ""
    to.print(Text(f"\n{split.name}: {split.claims:,} claims{kept}", style="bold"))
    _show_bars("claim labels", split.labels, to)
    _show_bars("document labels", split.document_labels, to)
    table = _table()
    _row(table, "words a claim", split.claim_words)
    _row(table, "judged documents a claim", split.judged_per_claim)
    _row(table, "evidence documents a claim", split.evidence_per_claim)
    _row(table, "rationales a claim", split.rationales_per_claim)
    _row(table, "sentences a rationale", split.sentences_per_rationale)
    to.print(table)


def _show_lengths(found: Description, to: Console) -> None:
    to.print(Text(f"\n{found.documents:,} documents", style="bold"))
    table = _table()
    _row(table, "words a document", found.document_words)
    _row(table, "sentences a document", found.document_sentences)
    _row(table, "words an evidence document", found.evidence_words)
    _row(table, "words a rationale sentence", found.rationale_words)
    to.print(table)


def _show_bars(name: str, counts: Mapping[Label, int], to: Console) -> None:
    total = sum(counts.values())
    for label in Label:
        if count := counts.get(label, 0):
            bar = "█" * max(1, round(_BAR * count / total))
            to.print(Text(f"  {name:<16}{label.value:<16}{bar} {count:,} ({count / total:.1%})"))


def _table() -> Table:
    return Table("", "n", "least", "median", "mean", "most", box=None, pad_edge=False)


def _row(table: Table, name: str, spread: Distribution) -> None:
    if spread.count:
        table.add_row(
            f"  {name}",
            f"{spread.count:,}",
            f"{spread.minimum:,}",
            f"{spread.median:g}",
            f"{spread.mean:.2f}",
            f"{spread.maximum:,}",
        )
