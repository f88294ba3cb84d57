"""The description of a data set as one HTML page with pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from markupsafe import Markup

from claimscope.datasets.describe import Description, Distribution, SplitDescription
from claimscope.datasets.record import Card
from claimscope.labels import Label
from claimscope.render import charts
from claimscope.render.page import asset, environment

_Counts = Callable[[SplitDescription], Mapping[Label, int]]


_COLOURS = {
    Label.SUPPORTS: 2,
    Label.REFUTES: 1,
    Label.NOT_ENOUGH_INFO: 0,
    Label.DISPUTED: 3,
}
"""The part of the palette each label has, as in the evaluation report."""


def page(card: Card, found: Description) -> str:
    """Write the page."""
    return (
        environment()
        .get_template("dataset.html.j2")
        .render(
            card=card,
            found=found,
            labels=_label_bars(found, lambda split: split.labels, "Labels of claims"),
            document_labels=_label_bars(
                found, lambda split: split.document_labels, "Labels of claim-document pairs"
            ),
            colours=_COLOURS,
            splits=[(split, list(_split_pictures(split))) for split in found.splits],
            documents=list(_document_pictures(found)),
            style=asset("colours.css", "page.css"),
        )
    )


def _label_bars(found: Description, counts: _Counts, title: str) -> Markup | None:
    """Draw one bar per split, divided by label."""
    rows = []
    for split in found.splits:
        total = sum(counts(split).values())
        if total:
            pieces = [
                charts.Segment(part, count / total, f"{label.value}: {count:,} of {total:,}")
                for label, part in _COLOURS.items()
                if (count := counts(split).get(label, 0))
            ]
            rows.append((split.name, pieces))
    if not rows:
        return None
    said = "; ".join(
        f"{split.name}: "
        + ", ".join(f"{label.value} {count:,}" for label, count in counts(split).items())
        for split in found.splits
    )
    return charts.stacked_bars(title, said, rows)


def _split_pictures(split: SplitDescription) -> Iterator[tuple[str, Markup]]:
    spreads = {
        "words a claim": split.claim_words,
        "evidence documents a claim": split.evidence_per_claim,
        "rationales a claim": split.rationales_per_claim,
        "sentences a rationale": split.sentences_per_rationale,
    }
    yield from _pictures(f"{split.name}: ", spreads)


def _document_pictures(found: Description) -> Iterator[tuple[str, Markup]]:
    spreads = {
        "words a document": found.document_words,
        "sentences a document": found.document_sentences,
        "words an evidence document": found.evidence_words,
        "words a rationale sentence": found.rationale_words,
    }
    yield from _pictures("", spreads)


def _pictures(head: str, spreads: Mapping[str, Distribution]) -> Iterator[tuple[str, Markup]]:
    """Draw a histogram of each number that is known, with its summary in words."""
    for name, spread in spreads.items():
        if spread.maximum:
            summary = (
                f"{head}{name}: median {spread.median:g}, mean {spread.mean:.2f}, "
                f"from {spread.minimum:,} to {spread.maximum:,} ({spread.count:,} counted)."
            )
            yield summary, charts.histogram(f"{head}{name}", summary, spread.histogram, name)
