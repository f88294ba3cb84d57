"""The table of studies of a checked claim: one row for every paper that was looked at."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from claimscope.labels import Label
from claimscope.render.content import Link, counted_papers, links
from claimscope.render.flips import study_groups
from claimscope.studies import Design, Study, read_study
from claimscope.types import Candidate, Case

COLUMNS = (
    "Label",
    "Study",
    "Quoted sentence",
    "Design",
    "Year",
    "Sample size",
    "Journal",
    "Retracted",
)
"""What the table shows everywhere, in this order."""
_LABELS = {
    Label.SUPPORTS: "Supports",
    Label.REFUTES: "Refutes",
    Label.NOT_ENOUGH_INFO: "Says too little",
}
_ORDER = (Label.SUPPORTS, Label.REFUTES)


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A paper of the table."""

    rank: int
    document_id: str
    title: str
    label: Label | None
    """None where nothing was judged."""
    counts: bool
    """Whether its label counts towards the verdict."""
    repeats: bool
    """Whether another paper of its study has the vote."""
    quote: str
    """The sentence that carries most of the evidence; empty if none does."""
    study: Study
    design: str
    """In the words of the metadata where they name one; empty if nothing does."""
    year: int | None
    venue: str
    is_retracted: bool
    links: tuple[Link, ...]

    @property
    def label_words(self) -> str:
        """The label for people, with a remark if it does not count."""
        if self.label is None:
            return "Not judged"
        words = _LABELS[self.label]
        if self.repeats:
            return f"{words} (one vote with another report)"
        return words if self.counts or self.label not in _ORDER else f"{words} (not counted)"

    @property
    def size_words(self) -> str:
        """The sample size as the abstract has it, or the number of the metadata."""
        if self.study.sample_words:
            return self.study.sample_words
        return f"{self.study.sample_size:,}" if self.study.sample_size else ""

    @property
    def cells(self) -> tuple[str, ...]:
        """The texts of a row, one for each of the columns."""
        return (
            self.label_words,
            self.title,
            self.quote,
            self.design,
            str(self.year or ""),
            self.size_words,
            self.venue,
            "retracted" if self.is_retracted else "no",
        )


def study_rows(case: Case) -> tuple[StudyRow, ...]:
    """Give a row for every paper: those that count first, then in the order of the search."""
    counted = counted_papers(case)
    repeated = study_groups(case)
    numbered = enumerate(case.candidates, start=1)
    found = [_row(item, rank, counted, repeated) for rank, item in numbered]
    found.sort(key=lambda row: (not row.counts, _place(row), row.rank))
    return tuple(found)


def _place(row: StudyRow) -> int:
    return _ORDER.index(row.label) if row.counts and row.label in _ORDER else len(_ORDER)


def _row(
    item: Candidate, rank: int, counted: Mapping[str, Label], repeated: Collection[str]
) -> StudyRow:
    document, meta = item.document, item.document.meta
    study = read_study(document)
    counts = document.id in counted
    return StudyRow(
        rank=rank,
        document_id=document.id,
        title=document.title or "(no title)",
        label=counted[document.id] if counts else item.label,
        counts=counts,
        repeats=document.id in repeated,
        quote=item.quotes[0] if item.quotes else "",
        study=study,
        design=_design(study, meta.study_type),
        year=meta.year,
        venue=meta.venue or "",
        is_retracted=meta.retracted,
        links=tuple(links(meta)),
    )


def _design(study: Study, named: str | None) -> str:
    if named:
        return named
    return "" if study.design is Design.UNKNOWN else study.design.value
