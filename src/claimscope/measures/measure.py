"""What a measure is: a name with at most a cutoff and a part, and what it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from claimscope.measures import contributions as aggregates
from claimscope.measures.contributions import Aggregate, Contributions


class Part(Enum):
    """One of the three values that counts of correct, predicted and gold give."""

    PRECISION = "P"
    RECALL = "R"
    F1 = "F1"

    @property
    def aggregate(self) -> Aggregate:
        """The formula over [correct, predicted, gold]."""
        return _PART_AGGREGATES[self]


_PART_AGGREGATES: dict[Part, Aggregate] = {
    Part.PRECISION: aggregates.precision,
    Part.RECALL: aggregates.recall,
    Part.F1: aggregates.f1,
}


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure by name, such as `R@20`, `sentence-selection F1` or `AURC`; `str` gives it."""

    base: str
    cutoff: int | None = None
    part: Part | None = None

    def __str__(self) -> str:
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        part = "" if self.part is None else f" {self.part.value}"
        return f"{self.base}{cutoff}{part}"


class Cutoff(Enum):
    """Whether a measure's name ends in `@` and a number."""

    NEVER = "never"
    OPTIONAL = "optional"
    REQUIRED = "required"


@dataclass(frozen=True, slots=True)
class Definition:
    """What a family of measures means, what it needs and how it is computed."""

    base: str
    meaning: str
    """One sentence, with the source of the formula."""
    needs: type[Any]
    """The record it is computed from."""
    contribute: Callable[[Any, Measure], Contributions]
    cutoff: Cutoff = Cutoff.NEVER
    parts: bool = False
    higher_is_better: bool = True

    @property
    def example(self) -> str:
        """The name as a pattern: `R@k`, `RR[@k]`, `sentence-label P|R|F1`."""
        cutoff = {Cutoff.NEVER: "", Cutoff.OPTIONAL: "[@k]", Cutoff.REQUIRED: "@k"}[self.cutoff]
        return f"{self.base}{cutoff}{' P|R|F1' if self.parts else ''}"
