"""The two camps of a disputed claim side by side: what differs between their studies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from claimscope.labels import Label
from claimscope.render.content import is_judged
from claimscope.render.studies import StudyRow, study_rows
from claimscope.render.wording import counted_sides
from claimscope.types import Case

UNKNOWN = "not stated"
_ANYONE = frozenset({"individuals", "participants", "patients", "people", "persons", "subjects"})
"""Words for the people of a study that say nothing of who they are."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One property of the studies, for both camps; `UNKNOWN` where no paper tells it."""

    name: str
    supporting: str
    refuting: str

    @property
    def is_told(self) -> bool:
        """Whether any paper tells it."""
        return {self.supporting, self.refuting} != {UNKNOWN}

    @property
    def differs(self) -> bool:
        """Whether both camps tell it, and not the same."""
        return UNKNOWN not in (self.supporting, self.refuting) and self.supporting != self.refuting


@dataclass(frozen=True, slots=True)
class Camps:
    """The studies for and against a claim, and how they compare."""

    supporting: tuple[StudyRow, ...]
    refuting: tuple[StudyRow, ...]
    differences: tuple[Difference, ...]


def camps(case: Case) -> Camps | None:
    """Compare the camps of a disputed claim; any other has none."""
    if case.verdict is None or case.verdict.label is not Label.DISPUTED or not is_judged(case):
        return None
    supporting, refuting = counted_sides(study_rows(case))
    compared = (
        Difference(name, words(supporting) or UNKNOWN, words(refuting) or UNKNOWN)
        for name, words in _PROPERTIES.items()
    )
    told = tuple(each for each in compared if each.is_told)
    return Camps(tuple(supporting), tuple(refuting), told)


def _designs(rows: Sequence[StudyRow]) -> str:
    counts = Counter(row.design for row in rows if row.design)
    return ", ".join(name if count == 1 else f"{count} × {name}" for name, count in counts.items())


def _years(rows: Sequence[StudyRow]) -> str:
    years = [row.year for row in rows if row.year]
    return _range(years, "{}") if years else ""


def _sizes(rows: Sequence[StudyRow]) -> str:
    sizes = [row.study.sample_size for row in rows if row.study.sample_size]
    return f"n = {_range(sizes, '{:,}')}" if sizes else ""


def _range(values: Sequence[int], form: str) -> str:
    low, high = form.format(min(values)), form.format(max(values))
    return low if low == high else f"{low} to {high}"


def _populations(row: StudyRow) -> Sequence[str]:
    said = row.study.population
    return () if said.casefold() in _ANYONE else (said,)


def _listed(texts: Callable[[StudyRow], Sequence[str]]) -> Callable[[Sequence[StudyRow]], str]:
    def words(rows: Sequence[StudyRow]) -> str:
        return "; ".join(dict.fromkeys(text for row in rows for text in texts(row) if text))

    return words


_PROPERTIES: dict[str, Callable[[Sequence[StudyRow]], str]] = {
    "Design": _designs,
    "Year": _years,
    "Sample size": _sizes,
    "Population": _listed(_populations),
    "Dose": _listed(lambda row: row.study.doses),
    "Primary outcome": _listed(lambda row: [row.study.outcome]),
}
