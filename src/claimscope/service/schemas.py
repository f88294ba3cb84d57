"""The JSON answers of the REST API, for OpenAPI; those about a case mirror `case_json`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from claimscope.types import Metadata

ASPIRIN = "Aspirin lowers the risk of heart attack."

VerdictLabel = Literal["SUPPORTED", "REFUTED", "NOT_ENOUGH_INFO", "DISPUTED"]
EvidenceLabel = Literal["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO"]


class Model(BaseModel):
    """An object that has all of its fields and no others."""

    model_config = ConfigDict(extra="forbid", json_schema_serialization_defaults_required=True)


Depth = Literal["title", "abstract", "full text"]


class ClaimModel(Model):
    """The claim that was checked."""

    id: str
    text: str = Field(examples=[ASPIRIN])


class RuleModel(Model):
    """The rule that gave the verdict, in words."""

    name: str
    statement: str
    would_change: str


class GroupModel(Model):
    """Papers that report one study; the first has its vote."""

    papers: list[str]
    reason: str


class SensitivityModel(Model):
    """What would change the verdict: papers taken away, or retracted papers counted otherwise."""

    removal: list[str]
    becomes: VerdictLabel | None
    retracted: VerdictLabel | None


class VerdictModel(Model):
    """The verdict, and the documents that it is based on."""

    label: VerdictLabel
    confidence: float | None
    leaning: bool
    supporting: list[str]
    refuting: list[str]
    rule: RuleModel
    groups: list[GroupModel]
    sensitivity: SensitivityModel | None


class ScoreModel(Model):
    """The score that a stage gave."""

    raw: float
    probability: float | None


class SentenceModel(Model):
    """A rationale sentence, with its position in the abstract."""

    sentence: int
    start: int
    end: int
    text: str
    score: ScoreModel


class QuotationModel(Model):
    """A sentence of the full text that carries evidence."""

    section: int
    heading: str
    page: int | None
    start: int
    end: int
    text: str
    score: ScoreModel


class OpinionModel(Model):
    """What a language model said of a document."""

    by: str
    label: EvidenceLabel | None
    probabilities: dict[EvidenceLabel, float] | None
    sentences: list[int]
    problem: str


class CandidateModel(Model):
    """A document that was retrieved for the claim."""

    rank: int
    id: str
    title: str
    abstract: str
    metadata: Metadata
    scores: dict[str, ScoreModel]
    label: EvidenceLabel | None
    probabilities: dict[EvidenceLabel, float] | None
    rationale: list[SentenceModel]
    abstained: str | None
    depth: Depth
    quotations: list[QuotationModel]
    opinions: list[OpinionModel]


class ProvenanceModel(Model):
    """What the result depends on."""

    version: str
    preset: str
    stages: list[dict[str, Any]]
    library_revision: str


class PartModel(Model):
    """A part of a compound claim, checked by itself."""

    claim: ClaimModel
    verdict: VerdictModel | None
    notices: list[str]
    candidates: list[CandidateModel]


class CaseModel(PartModel):
    """A checked claim; docs/reference/json.md describes the format."""

    model_config = ConfigDict(extra="forbid", serialize_by_alias=True)

    schema_name: Literal["claimscope.case/1"] = Field(alias="schema")
    provenance: ProvenanceModel | None
    parts: list[PartModel] | None = Field(None, exclude_if=lambda parts: parts is None)
    """Of a compound claim only; a simple claim has no such field."""


class CaseListModel(Model):
    """Checked claims, in the order of the request."""

    results: list[CaseModel]


class FoundModel(Model):
    """A document that a search found."""

    rank: int
    id: str
    title: str
    year: int | None
    retracted: bool
    notices: list[str]
    score: float


class SearchModel(Model):
    """The results of a search, best first."""

    query: str
    results: list[FoundModel]


class StepModel(Model):
    """What happened to the document at one stage."""

    stage: str
    kept: bool
    rank: int | None
    of: int
    score: float | None
    words: str


class WhyModel(Model):
    """What happened to one document at each stage of the pipeline."""

    claim: str
    document_id: str
    steps: list[StepModel]
    conclusion: str


class DocumentModel(Model):
    """A document of the library."""

    id: str
    title: str
    abstract: str
    sentences: list[str]
    metadata: Metadata
    depth: Depth


class DocumentListModel(Model):
    """A page of documents; `next` is the value of `after` for the next page."""

    total: int
    documents: list[DocumentModel]
    next: str | None


class JobModel(Model):
    """A job; `finished` counts claims checked or, for an import, records read."""

    id: str = Field(examples=["9f86d081884c7d65"])
    number: int
    kind: Literal["check", "import", "recheck"]
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    total: int
    finished: int
    preset: str | None
    result: dict[str, Any] | None
    error: str | None


class JobListModel(Model):
    """A page of jobs, newest first; `next` is the value of `before` for the next page."""

    jobs: list[JobModel]
    next: int | None


class OutcomeModel(Model):
    """The outcome of one claim of a job: a result or an error message."""

    line: int
    id: str
    claim: str
    result: CaseModel | None
    error: str | None


class OutcomeListModel(Model):
    """A page of results by line; `next` is the value of `after` for the next page."""

    results: list[OutcomeModel]
    next: int | None


class CorrectionModel(Model):
    """A person's label for a document or, if `document` is empty, for the whole claim."""

    document: str
    label: Literal["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO", "DISPUTED"]
    note: str


class SavedModel(Model):
    """A saved verdict."""

    number: int
    claim: str
    preset: str
    library_revision: str
    label: VerdictLabel | None
    is_current: bool
    """Whether the library is unchanged since the claim was checked or last confirmed."""
    saved_at: str | None
    """In UTC, ISO 8601."""
    corrections: list[CorrectionModel]
    result: CaseModel | None


class SavedListModel(Model):
    """A page of saved verdicts, newest first; `next` is the value of `before` for the next page."""

    verdicts: list[SavedModel]
    next: int | None


class PresetModel(Model):
    """A preset of the package or of this service."""

    name: str
    summary: str
    paper: str | None
    stages: list[str]
    is_offered: bool
    """Whether requests may choose it."""
    is_default: bool
    """Whether requests that name no preset use it."""


class HealthModel(Model):
    """The state of the service."""

    status: Literal["ok"]
    version: str


class ReadyModel(HealthModel):
    """A service that is ready, with its default preset and library."""

    preset: str
    documents: int
    library_revision: str


class TokenModel(Model):
    """An access token, without its secret."""

    id: str = Field(examples=["9f86d081884c"])
    name: str = Field(examples=["newsroom"])
    scope: Literal["read", "write", "admin"]


class TokenListModel(Model):
    """The access tokens, by name."""

    tokens: list[TokenModel]


class NewTokenModel(TokenModel):
    """A new access token, with its secret, which is shown only once."""

    token: str
