"""`claimscope data …`: the field's data sets, where they are and what is in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from claimscope.cli.helping import App
from claimscope.cli.render import clean
from claimscope.datasets.describe import Description, Distribution, SplitDescription
from claimscope.datasets.record import Card
from claimscope.labels import Label

app = App(help="List, get, check and describe the field's data sets.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="The data set's name, or beir:FOLDER.")]


@app.command("list")
def list_datasets() -> None:
    """List the data sets, their licences, and which are on this machine."""
    from rich.table import Table

    from claimscope.cli.render import console
    from claimscope.datasets.location import find_folder
    from claimscope.datasets.registry import DATASETS

    table = Table("name", "data set", "claims", "licence", "here", box=None, pad_edge=False)
    for definition in DATASETS.values():
        card = definition.card
        counts = [f"{split} {size.claims}" for split, size in card.splits.items() if size.claims]
        here = "yes" if find_folder(card) else "no"
        table.add_row(card.name, card.title, ", ".join(counts), card.licence, here)
    console().print(table)


@app.command()
def get(name: Name) -> None:
    """Download a data set, resuming and checking where that is possible."""
    from claimscope.cli.progress import downloading
    from claimscope.datasets.location import get as download
    from claimscope.datasets.registry import find_definition

    card = find_definition(name).card
    with downloading() as progress:
        folder = download(card, progress)
    typer.echo(f"{card.title} is in {folder}.")


@app.command()
def path(name: Name) -> None:
    """Print the folder a data set lies in."""
    from claimscope.datasets.registry import open_dataset

    typer.echo(open_dataset(name).folder)


@app.command()
def check(name: Name) -> None:
    """Count a data set's records and compare them with what there should be."""
    from claimscope.datasets.describe import check as findings
    from claimscope.datasets.registry import open_dataset

    wrong = False
    for finding in findings(open_dataset(name)):
        expected = "unknown" if finding.expected is None else f"{finding.expected:,}"
        if finding.found is None:
            typer.echo(f"{finding.what}: {finding.problem}")
        else:
            verdict = "right" if finding.right else f"WRONG, {expected} expected"
            verdict = "nobody says how many" if finding.expected is None else verdict
            typer.echo(f"{finding.what}: {finding.found:,} ({verdict})")
        wrong = wrong or not (finding.right or finding.missing)
    if wrong:
        raise typer.Exit(1)


@app.command()
def describe(
    name: Name,
    html: Annotated[
        Path | None, typer.Option(help="Also write it, with pictures, as one HTML file.")
    ] = None,
) -> None:
    """Look at a data set: labels, lengths, evidence, vocabulary, and leaks between splits."""
    from claimscope.cli.data import show_description
    from claimscope.cli.render import console
    from claimscope.datasets.describe import describe as look
    from claimscope.datasets.registry import open_dataset
    from claimscope.render.dataset_page import page

    dataset = open_dataset(name)
    description = look(dataset)
    show_description(dataset.card, description, console())
    if html is not None:
        html.write_text(page(dataset.card, description), encoding="utf-8")
        typer.echo(f"Wrote {html}.", err=True)


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
