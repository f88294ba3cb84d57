"""The JSON of a checked claim in the REST API, for OpenAPI; it mirrors `case_json`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from claimscope.types import Metadata

ASPIRIN = "Aspirin lowers the risk of heart attack."

VerdictLabel = Literal["SUPPORTED", "REFUTED", "NOT_ENOUGH_INFO", "DISPUTED"]
EvidenceLabel = Literal["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO"]
Depth = Literal["title", "abstract", "full text"]


class Model(BaseModel):
    """An object that has all of its fields and no others."""

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
