"""What an audit reports: an outcome for each citation, and remarks on sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from claimscope.types import Candidate, Document, LabelProbabilities, Provenance


class Level(StrEnum):
    """How urgently a person should look, by the words of SARIF."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    NONE = "none"


class Outcome(StrEnum):
    """What a cited paper says of the claim, or why it could not be asked."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    SILENT = "does not speak to it"
    LEANS_SUPPORTS = "leaning to support"
    LEANS_CONTRADICTS = "leaning to contradict"
    RETRACTED = "retracted"
    NO_ENTRY = "no entry in the references"
    AMBIGUOUS = "ambiguous reference"
    NOT_IN_LIBRARY = "not in library"
    NO_ABSTRACT = "no abstract"
    OTHER_LANGUAGE = "other language"
    NOT_A_CLAIM = "not a claim"


LEVELS: Mapping[Outcome, Level] = {
    Outcome.SUPPORTS: Level.NONE,
    Outcome.CONTRADICTS: Level.ERROR,
    Outcome.SILENT: Level.WARNING,
    Outcome.LEANS_SUPPORTS: Level.WARNING,
    Outcome.LEANS_CONTRADICTS: Level.WARNING,
    Outcome.RETRACTED: Level.ERROR,
    Outcome.NO_ENTRY: Level.WARNING,
    Outcome.AMBIGUOUS: Level.WARNING,
    Outcome.NOT_IN_LIBRARY: Level.NOTE,
    Outcome.NO_ABSTRACT: Level.NOTE,
    Outcome.OTHER_LANGUAGE: Level.NOTE,
    Outcome.NOT_A_CLAIM: Level.NONE,
}

JUDGED = frozenset(
    {
        Outcome.SUPPORTS,
        Outcome.CONTRADICTS,
        Outcome.SILENT,
        Outcome.LEANS_SUPPORTS,
        Outcome.LEANS_CONTRADICTS,
    }
)
"""The outcomes for which the verifier read the paper."""


class RemarkKind(StrEnum):
    """What a remark on a sentence is about."""

    UNCITED = "uncited claim"
    QUOTATION = "quotation not verbatim"
    NUMBERS = "numbers differ"
    WORDING = "stronger wording"
    STATUS = "status of the paper"


REMARK_LEVELS: Mapping[RemarkKind, Level] = {
    RemarkKind.UNCITED: Level.NOTE,
    RemarkKind.QUOTATION: Level.WARNING,
    RemarkKind.NUMBERS: Level.NOTE,
    RemarkKind.WORDING: Level.NOTE,
    RemarkKind.STATUS: Level.WARNING,
}


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim sentence of a paper's abstract, by its offsets there."""

    document_id: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Checked:
    """One citation of one claim, and what became of it."""

    place: int
    sentence: str
    claim: str
    label: str
    key: str
    outcome: Outcome
    level: Level
    detail: str
    document: Document | None = None
    quotes: tuple[Quote, ...] = ()
    probabilities: LabelProbabilities | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """Something else about a sentence."""

    place: int
    sentence: str
    kind: RemarkKind
    level: Level
    detail: str
    document: Document | None = None
    quotes: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """All that was found in one manuscript, in the order of its text."""

    name: str
    place_name: str
    sentences: int
    citations: tuple[Checked, ...]
    remarks: tuple[Remark, ...]
    notes: tuple[str, ...]
    provenance: Provenance

    @property
    def counts(self) -> Mapping[Outcome, int]:
        """How many citations have each outcome; those that do not occur are left out."""
        found = Counter(item.outcome for item in self.citations)
        return {outcome: found[outcome] for outcome in Outcome if found[outcome]}

    @property
    def has_warnings(self) -> bool:
        """Whether anything is a warning or an error."""
        urgent = {Level.ERROR, Level.WARNING}
        return any(item.level in urgent for item in self.findings)

    @property
    def findings(self) -> list[Checked | Remark]:
        """Citations, then remarks."""
        return [*self.citations, *self.remarks]


def quotes_of(candidate: Candidate) -> tuple[Quote, ...]:
    """Give the rationale of a judged paper as quotes, best first."""
    document = candidate.document
    return tuple(
        Quote(document.id, document.sentences[item.index], *document.spans[item.index])
        for item in candidate.rationale
    )
