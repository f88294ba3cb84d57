"""The definition of a measure, and the records it is computed from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from claimscope.labels import Label
from claimscope.measures import contributions as aggregates
from claimscope.measures.contributions import Aggregate, Contributions
from claimscope.types import Gold


class Part(Enum):
    """Precision, recall or F1 of counts of correct, predicted and gold items."""

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
    """A family of measures: meaning, required data and computation."""

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


Qrels = Mapping[str, Mapping[str, int]]
"""Claim id to document id to relevance; a claim without relevant documents has an empty mapping."""

Run = Mapping[str, Sequence[tuple[str, float]]]
"""Claim id to documents with their scores, best first; equal scores are ordered by document id."""


@dataclass(frozen=True, slots=True)
class PredictedEvidence:
    """What a system says a document holds about a claim; the sentences' order is the system's."""

    label: Label
    sentences: tuple[int, ...] = ()


DECIDING = (Label.SUPPORTS, Label.REFUTES)
"""The labels that make a document evidence."""

Predictions = Mapping[str, Mapping[str, PredictedEvidence]]
"""Claim id to document id to predicted evidence."""


@dataclass(frozen=True, slots=True)
class RankingData:
    """Rankings and what is relevant; claims the qrels do not name are left out."""

    qrels: Qrels
    run: Run


@dataclass(frozen=True, slots=True)
class EvidenceData:
    """Gold and predicted evidence; a claim without prediction predicts nothing."""

    gold: Gold
    predictions: Predictions


@dataclass(frozen=True, slots=True)
class LabelData:
    """One gold and one predicted label for each claim (or each claim-document pair)."""

    gold: Mapping[str, Label]
    predicted: Mapping[str, Label]


@dataclass(frozen=True, slots=True)
class Answer:
    """A claim's label and its evidence, as the climate task has them."""

    label: Label
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerData:
    """Gold and predicted answers of the climate task."""

    gold: Mapping[str, Answer]
    predicted: Mapping[str, Answer]


@dataclass(frozen=True, slots=True)
class Stance:
    """How likely a document supports and refutes a claim."""

    supports: float
    refutes: float

    @property
    def label(self) -> Label:
        """The likelier of the two; a tie is SUPPORTS, as in SciFact-Open's own script."""
        return Label.REFUTES if self.refutes > self.supports else Label.SUPPORTS

    @property
    def score(self) -> float:
        """How sure the system is of that label."""
        return max(self.supports, self.refutes)


@dataclass(frozen=True, slots=True)
class StanceData:
    """Gold evidence and the stance predicted for every document that was considered."""

    gold: Gold
    predicted: Mapping[str, Mapping[str, Stance]]


@dataclass(frozen=True, slots=True)
class Forecast:
    """A decision with the confidence it was made with, and how far off its probabilities were."""

    claim_id: str
    confidence: float
    correct: bool
    squared_error: float
    """Half the squared distance from the probabilities to the truth, so between 0 and 1."""

    @classmethod
    def of_confidence(cls, claim_id: str, confidence: float, correct: bool) -> Forecast:
        """Make a forecast from the confidence in the decision alone."""
        return cls(claim_id, confidence, correct, (confidence - correct) ** 2)

    @classmethod
    def of_probabilities(
        cls, claim_id: str, probabilities: Mapping[Label, float], gold: Label
    ) -> Forecast:
        """Make a forecast from one probability per label; a tie goes to the label named first."""
        chosen = max(probabilities, key=lambda label: probabilities[label])
        distance = sum((p - (label is gold)) ** 2 for label, p in probabilities.items())
        missed = 0.0 if gold in probabilities else 1.0
        return cls(claim_id, probabilities[chosen], chosen is gold, (distance + missed) / 2)


@dataclass(frozen=True, slots=True)
class ForecastData:
    """Forecasts of one or more decisions for each claim."""

    forecasts: Sequence[Forecast]
