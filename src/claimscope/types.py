"""The records that flow through Claimscope; all are frozen, none knows a file format or a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from claimscope._display import CandidateDisplay, CaseDisplay
from claimscope._document import Document, Metadata, Section, Span
from claimscope._verdict import Rule, Sensitivity, StudyGroup, Verdict
from claimscope.labels import Label

__all__ = [
    "Candidate",
    "Case",
    "Claim",
    "ClaimOutcome",
    "Document",
    "Gold",
    "GoldEvidence",
    "LabelProbabilities",
    "Metadata",
    "ModelCall",
    "Opinion",
    "Provenance",
    "Quotation",
    "RationaleSentence",
    "Rule",
    "Score",
    "Section",
    "Sensitivity",
    "Span",
    "StageTrace",
    "StudyGroup",
    "TraceEntry",
    "Verdict",
]


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement to be checked."""

    text: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class GoldEvidence:
    """What annotators found in one document for one claim."""

    label: Label | None
    """None where the data set labels whole claims only."""
    rationales: tuple[frozenset[int], ...] = ()
    """Sets of sentence indices; each is enough on its own."""
    relevance: int = 1
    """The grade of relevance, where the data set has grades."""

    @property
    def decides(self) -> bool:
        """Whether the document supports or refutes the claim."""
        return self.label in {Label.SUPPORTS, Label.REFUTES}


Gold = Mapping[str, Mapping[str, GoldEvidence]]
"""Claim id to document id to what annotators found."""


@dataclass(frozen=True, slots=True)
class Score:
    """What one stage thought of a candidate: its raw value, and a probability where it has one."""

    raw: float
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class RationaleSentence:
    """A sentence of a document that carries evidence, by its index, with the selector's score."""

    index: int
    score: Score


@dataclass(frozen=True, slots=True)
class Quotation:
    """A sentence of a paper's full text that carries evidence."""

    section: int
    """The section's place in the paper's body."""
    heading: str
    page: int | None
    start: int
    end: int
    """Where the sentence lies in the text of its section."""
    text: str
    score: Score

    @property
    def place(self) -> str:
        """Where a reader finds it, such as "Results, page 4"."""
        page = "" if self.page is None else f"page {self.page}"
        return ", ".join(filter(None, (self.heading, page))) or "full text"


@dataclass(frozen=True, slots=True)
class LabelProbabilities:
    """Probabilities that an abstract supports, refutes or leaves open a claim; they sum to one."""

    supports: float
    refutes: float
    not_enough_info: float
    decided: Label | None = None
    """What a judge with a threshold of its own decided on, which need not be the likeliest."""

    @property
    def label(self) -> Label:
        """The chosen label, or else the likeliest; ties go to the more cautious label."""
        if self.decided is not None:
            return self.decided
        ordered = (
            (self.not_enough_info, Label.NOT_ENOUGH_INFO),
            (self.refutes, Label.REFUTES),
            (self.supports, Label.SUPPORTS),
        )
        return max(ordered, key=lambda pair: pair[0])[1]

    def of(self, label: Label) -> float:
        """Give the probability of one label."""
        return {
            Label.SUPPORTS: self.supports,
            Label.REFUTES: self.refutes,
            Label.NOT_ENOUGH_INFO: self.not_enough_info,
        }.get(label, 0.0)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a language model said of a document."""

    by: str
    """The model's name, as its server knows it."""
    labels: LabelProbabilities | None
    """None if it gave no answer that can be used."""
    sentences: tuple[int, ...] = ()
    """The sentences that it named, by index."""
    problem: str = ""
    """Why its answer cannot be used, as a sentence."""

    @property
    def words(self) -> str:
        """What the model said, in a line."""
        if self.labels is None:
            return self.problem
        label = self.labels.label
        return f"{self.by}: {label.value} {self.labels.of(label):.2f}"


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A request to a language model's server, or an answer of one that was kept."""

    model: str
    document_id: str
    attempts: int
    """How often the request was sent; 0 for a kept answer."""
    tokens_in: int
    tokens_out: int
    cost: float
    """By the prices that the preset names."""
    seconds: float


def _no_scores() -> Mapping[str, Score]:
    return MappingProxyType({})


@dataclass(frozen=True, repr=False)
class Candidate(CandidateDisplay):
    """A document under consideration for a claim, with what every stage said of it."""

    document: Document
    scores: Mapping[str, Score] = field(default_factory=_no_scores)
    """By stage name, in the order the stages ran."""
    rationale: tuple[RationaleSentence, ...] = ()
    """Best sentence first, as the official scorers read it."""
    labels: LabelProbabilities | None = None
    abstained: str | None = None
    """Why the judge gives no side to an abstract that has evidence."""
    quotations: tuple[Quotation, ...] = ()
    """Sentences of the full text, if the label rests on it; best first."""
    opinions: tuple[Opinion, ...] = ()
    """What language models said, if any was asked."""

    @property
    def label(self) -> Label | None:
        """The label of the abstract, if it was judged."""
        return self.labels.label if self.labels else None

    @property
    def probability(self) -> float | None:
        """How likely that label is."""
        return self.labels.of(self.labels.label) if self.labels else None

    @property
    def quotes(self) -> tuple[str, ...]:
        """The sentences that carry evidence, best first: of the abstract, then of the full text."""
        of_abstract = (self.document.sentences[item.index] for item in self.rationale)
        return (*of_abstract, *(item.text for item in self.quotations))

    @property
    def depth(self) -> str:
        """How deep the evidence goes: "title", "abstract" or "full text"."""
        if self.quotations:
            return "full text"
        return "abstract" if self.document.abstract.strip() else "title"

    @property
    def score(self) -> Score | None:
        """The score of the stage that ran last."""
        return next(reversed(list(self.scores.values())), None)

    def scored(self, stage: str, score: Score) -> Mapping[str, Score]:
        """Give the scores with one more stage added."""
        return MappingProxyType({**self.scores, stage: score})


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """Where one document stood when a stage had run; rank counts from 1."""

    document_id: str
    rank: int
    score: float | None


@dataclass(frozen=True, slots=True)
class StageTrace:
    """What went into a stage, what came out, and how long it took for the whole batch."""

    stage: str
    received: tuple[str, ...]
    kept: tuple[TraceEntry, ...]
    seconds: float
    calls: tuple[ModelCall, ...] = ()
    """Requests to language models."""

    @property
    def dropped(self) -> tuple[str, ...]:
        """Documents that came in and did not come out, in the order they came in."""
        kept = {entry.document_id for entry in self.kept}
        return tuple(name for name in self.received if name not in kept)


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a result depends on: the same provenance and claim give the same result."""

    version: str
    preset: str
    stages: tuple[Mapping[str, Any], ...]
    library_revision: str


@dataclass(frozen=True, slots=True, repr=False)
class Case(CaseDisplay):
    """A claim on its way through a pipeline; stages return new cases and change none."""

    claim: Claim
    candidates: tuple[Candidate, ...] = ()
    verdict: Verdict | None = None
    notices: tuple[str, ...] = ()
    """Sentences a reader should see beside the verdict, such as a retraction."""
    trace: tuple[StageTrace, ...] = ()
    provenance: Provenance | None = None
    parts: tuple[Case, ...] = ()
    """The parts of a compound claim, each checked by itself; empty for a simple claim.

    The candidates are then those of all parts, and the verdict is joined from the parts'.
    """
    calls: tuple[ModelCall, ...] = field(default=(), compare=False)
    """Requests to language models of the stage that runs; its trace takes them."""


@dataclass(frozen=True, slots=True)
class ClaimOutcome:
    """What became of one claim of many: a case, or a sentence why there is none."""

    line: int
    claim: Claim
    case: Case | None
    error: str | None
