"""The JSON answers of the REST API, for OpenAPI; `case_schemas` has a checked claim."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from claimscope.service.case_schemas import CaseModel, Depth, Model, VerdictLabel
from claimscope.types import Metadata


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
