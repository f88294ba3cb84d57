"""The report as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from claimscope.measures import Interval
from transfer.sets import SOURCES

NONE = "–"


@dataclass(frozen=True, slots=True)
class PairRow:
    """A data set whose evidence was read pair by pair."""

    title: str
    about: str
    published: str
    pairs: int
    accuracy: Interval | None
    likeliest: Interval | None
    majority: Interval | None
    macro_f1: Interval | None
    stance: Interval | None
    stance_alone: Interval | None
    stance_majority: Interval | None


@dataclass(frozen=True, slots=True)
class ConfidenceRow:
    """How far the probabilities on a data set can be trusted."""

    title: str
    decisions: int
    error: Interval | None
    likeliest_error: Interval | None
    accuracy: Interval | None
    accuracy_at: Interval | None
    sure: int = 0
    """How many support or refute so surely that they count where a share of errors is tolerated."""
    sure_accuracy: Interval | None = None


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """Verdicts on whole claims."""

    title: str
    rule: str
    claims: int
    accuracy: Interval | None
    majority: Interval | None
    macro_f1: Interval | None
    binary_f1: Interval | None
    published: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """All that was measured, and what was not."""

    system: str
    pairs: Sequence[PairRow]
    confidence: Sequence[ConfidenceRow]
    claims: Sequence[ClaimRow]
    notes: Sequence[str]
    """About the tables of whole claims."""
    missing: Sequence[str]
    picture: str | None = None
    """Name of the file with the curves."""


def percent(interval: Interval | None) -> str:
    """Write a share and its interval in per cent."""
    if interval is None:
        return NONE
    return f"{100 * interval.value:.1f} ({100 * interval.low:.1f}–{100 * interval.high:.1f})"


def fraction(interval: Interval | None) -> str:
    """Write a value and its interval as they are."""
    if interval is None:
        return NONE
    return f"{interval.value:.3f} ({interval.low:.3f}–{interval.high:.3f})"


def write(report: Report) -> str:
    """Write the report."""
    parts = [_labels(report), _confidence(report), _claims(report), _published()]
    return "\n".join(line for part in parts for line in part)


def _labels(report: Report) -> Iterator[str]:
    yield from ("# Out of domain", "", report.system, "")
    yield (
        "Per cent with 95 % bootstrap intervals over claims. Published figures are of other splits "
        "or other evidence where the sources below say so."
    )
    yield from ("", "## Labels with the gold evidence", "")
    yield from _table(
        "set|pairs|accuracy|commonest label|macro F1|support against refute|…, gold sentences "
        "alone|commonest of the two|accuracy of the likeliest label|published",
        (
            (
                row.title,
                f"{row.pairs:,}",
                *map(percent, (row.accuracy, row.majority, row.macro_f1, row.stance)),
                *map(percent, (row.stance_alone, row.stance_majority, row.likeliest)),
                row.published or NONE,
            )
            for row in report.pairs
        ),
    )
    yield from (
        "",
        "- Accuracy and macro F1 are of the label the preset's judge decides on. On a set of two "
        "labels NOT_ENOUGH_INFO is always wrong, and counts as a third label of F1 0 in macro F1.",
        "- Support against refute: the likelier of the two, over pairs whose truth is one of them. "
        "On a set of two labels this is what a system that must choose would give.",
        *(f"- {row.title}: {row.about}" for row in report.pairs),
        *(f"- Not measured: {each}" for each in report.missing),
        "",
    )


def _confidence(report: Report) -> Iterator[str]:
    yield from ("## Confidence", "")
    yield from _table(
        "set|decisions|ECE|ECE of the likeliest label|accuracy|accuracy at 80 % coverage|"
        "count with `--max-error 20%`|right of those",
        (
            (
                row.title,
                f"{row.decisions:,}",
                *map(fraction, (row.error, row.likeliest_error)),
                *map(percent, (row.accuracy, row.accuracy_at)),
                f"{row.sure:,}",
                percent(row.sure_accuracy),
            )
            for row in report.confidence
        ),
    )
    yield from (
        "",
        "- ECE over 15 bins, of the label decided on with its own probability; that of the "
        "likeliest label is what `claimscope evaluate` prints.",
        "- SciFact, claims: the cited abstract with most evidence speaks for the claim.",
        "",
    )
    if report.picture:
        yield from (f"![Risk over coverage]({report.picture})", "")
        yield from ("Wrong labels among the surest; dashed: always the commonest label.", "")


def _claims(report: Report) -> Iterator[str]:
    if not report.claims:
        return
    yield from ("## Whole claims", "")
    yield from _table(
        "set|rule|claims|accuracy|commonest label|macro F1|binary F1|published",
        (
            (
                row.title,
                row.rule,
                f"{row.claims:,}",
                *map(percent, (row.accuracy, row.majority, row.macro_f1, row.binary_f1)),
                row.published or NONE,
            )
            for row in report.claims
        ),
    )
    yield from ("", *(f"- {note}" for note in report.notes), "")


def _published() -> Iterator[str]:
    yield from ("## Sources of the published figures", "")
    yield from (f"{number}. {source}" for number, source in enumerate(SOURCES, 1))
    yield ""


def _table(header: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    names = header.split("|")
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
