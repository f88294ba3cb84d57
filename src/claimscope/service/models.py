"""The answers of the service, typed; those about a case mirror `case_json`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from claimscope.types import Metadata

ASPIRIN = "Aspirin lowers the risk of heart attack."

VerdictLabel = Literal["SUPPORTED", "REFUTED", "NOT_ENOUGH_INFO", "DISPUTED"]
EvidenceLabel = Literal["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO"]


class Model(BaseModel):
    """A value whose fields are all known, and all sent."""

    model_config = ConfigDict(extra="forbid", json_schema_serialization_defaults_required=True)


class ClaimModel(Model):
    """The claim that was checked."""

    id: str
    text: str = Field(examples=[ASPIRIN])


class RuleModel(Model):
    """The rule that gave the verdict, in words."""

    name: str
    statement: str
    would_change: str


class VerdictModel(Model):
    """The answer, and the documents it rests on."""

    label: VerdictLabel
    confidence: float | None
    supporting: list[str]
    refuting: list[str]
    rule: RuleModel


class ScoreModel(Model):
    """What a stage thought of something."""

    raw: float
    probability: float | None


class SentenceModel(Model):
    """A sentence that carries evidence, with its place in the abstract."""

    sentence: int
    start: int
    end: int
    text: str
    score: ScoreModel


class CandidateModel(Model):
    """A document that was considered."""

    rank: int
    id: str
    title: str
    abstract: str
    metadata: Metadata
    scores: dict[str, ScoreModel]
    label: EvidenceLabel | None
    probabilities: dict[EvidenceLabel, float] | None
    rationale: list[SentenceModel]


class ProvenanceModel(Model):
    """What the result depends on."""

    version: str
    preset: str
    stages: list[dict[str, Any]]
    library_revision: str


class CaseModel(Model):
    """A checked claim; the form is described in docs/reference/json.md."""

    model_config = ConfigDict(extra="forbid", serialize_by_alias=True)

    schema_name: Literal["claimscope.case/1"] = Field(alias="schema")
    claim: ClaimModel
    verdict: VerdictModel | None
    notices: list[str]
    candidates: list[CandidateModel]
    provenance: ProvenanceModel | None


class CaseListModel(Model):
    """Checked claims, in the order they were given."""

    results: list[CaseModel]


class FoundModel(Model):
    """A document that a search found."""

    rank: int
    id: str
    title: str
    year: int | None
    retracted: bool
    score: float


class SearchModel(Model):
    """What a search found, best first."""

    query: str
    results: list[FoundModel]


class StepModel(Model):
    """How the document fared at one stage."""

    stage: str
    kept: bool
    rank: int | None
    of: int
    score: float | None
    words: str


class WhyModel(Model):
    """The way of one document through the pipeline."""

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


class DocumentListModel(Model):
    """A page of documents; `next` is the value of `after` for the page that follows."""

    total: int
    documents: list[DocumentModel]
    next: str | None


class JobModel(Model):
    """A job; `finished` of `total` claims are checked, or records read of an import."""

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
    """A page of jobs, newest first; `next` is the value of `before` for the page that follows."""

    jobs: list[JobModel]
    next: int | None


class OutcomeModel(Model):
    """What became of one claim of a job: a result, or a sentence why there is none."""

    line: int
    id: str
    claim: str
    result: CaseModel | None
    error: str | None


class OutcomeListModel(Model):
    """A page of results by line; `next` is the value of `after` for the page that follows."""

    results: list[OutcomeModel]
    next: int | None


class CorrectionModel(Model):
    """What a person says of a document, or with an empty document of the whole claim."""

    document: str
    label: Literal["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO", "DISPUTED"]
    note: str


class SavedModel(Model):
    """A verdict that was saved."""

    number: int
    claim: str
    preset: str
    library_revision: str
    label: VerdictLabel | None
    is_current: bool
    """Whether the library is as it was when the claim was checked or last confirmed."""
    saved_at: str | None
    """In UTC, ISO 8601."""
    corrections: list[CorrectionModel]
    result: CaseModel | None


class SavedListModel(Model):
    """A page of saved verdicts, newest first; `next` is the `before` of the page that follows."""

    verdicts: list[SavedModel]
    next: int | None


class PresetModel(Model):
    """A pipeline that comes with the package, or one of the service's own."""

    name: str
    summary: str
    paper: str | None
    stages: list[str]
    is_offered: bool
    """Whether requests may name it."""
    is_default: bool
    """Whether it is used where a request names none."""


class HealthModel(Model):
    """Whether the service lives, or is ready to check claims."""

    status: Literal["ok"]
    version: str


class ReadyModel(HealthModel):
    """A service that is ready, and for what."""

    preset: str
    documents: int
    library_revision: str


class TokenModel(Model):
    """What is known of an access token; the token itself is not."""

    id: str = Field(examples=["9f86d081884c"])
    name: str = Field(examples=["newsroom"])
    scope: Literal["read", "write", "admin"]


class TokenListModel(Model):
    """The access tokens, by name."""

    tokens: list[TokenModel]


class NewTokenModel(TokenModel):
    """A new access token, with the text that is shown this once."""

    token: str
