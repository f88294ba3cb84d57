"""Gathers what measures are computed from, in one pass over the cases of a saved run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from claimscope.errors import InputError
from claimscope.evaluate.cases import is_ranking, predictions_of, ranking_of
from claimscope.evaluate.folder import RunFolder, RunInfo
from claimscope.evaluate.gold import GoldClaim
from claimscope.evaluate.modes import Mode
from claimscope.labels import Label
from claimscope.measures.catalogue import define
from claimscope.measures.measure import (
    Answer,
    AnswerData,
    EvidenceData,
    Forecast,
    ForecastData,
    LabelData,
    Measure,
    PredictedEvidence,
    RankingData,
    Run,
    Stance,
    StanceData,
)
from claimscope.pipeline.stage import Part
from claimscope.types import Case, GoldEvidence

_JUDGED_ANSWERS = ("climate-A", "climate-H")
"""Measures of the climate task that need a verdict; climate-F needs the evidence alone."""
_ALONE: Mapping[Mode, type[Any]] = {
    Mode.SELECTOR_ALONE: EvidenceData,
    Mode.LABELLER_TFIDF: LabelData,
    Mode.LABELLER_BM25: LabelData,
}
"""The records of modes that evaluate one stage."""
SELECTION = "sentence-selection"


@dataclass(frozen=True)
class Material:
    """The records that a run can give, by type."""

    info: RunInfo
    records: Mapping[type[Any], Any]
    by_stage: Mapping[str, RankingData]
    """The ranking after each retriever and reranker, in their order."""
    has_rationales: bool
    """Whether the data set says which sentences carry the evidence."""
    notes: tuple[str, ...]
    """What is not scored, and why."""

    @property
    def selection_only(self) -> bool:
        """Whether labels were given, so that only the choice of sentences can be measured."""
        return self.info.mode is Mode.SELECTOR_ALONE

    def of(self, measure: Measure) -> Any:
        """Give the records a measure is computed from, or say that the run has none."""
        needed = define(measure).needs
        unjudged = not _decides(self.info) and measure.base in _JUDGED_ANSWERS
        given = self.selection_only and not measure.base.endswith(SELECTION)
        if needed not in self.records or unjudged or given:
            why = f" {self.notes[0]}" if self.notes else ""
            raise InputError(
                f"{measure} cannot be computed for {self.info.name} on {self.info.title}.{why}"
            )
        return self.records[needed]


def gather(folder: RunFolder) -> Material:
    """Read a run; memory holds ids, labels and scores, and no text."""
    info = folder.info()
    gathered = _Gathering(info)
    for gold, case in folder.pairs():
        gathered.take(gold, case)
    return gathered.material()


class _Gathering:
    """Takes cases one by one."""

    def __init__(self, info: RunInfo) -> None:
        self._info = info
        self._qrels: dict[str, dict[str, int]] = {}
        self._runs: dict[str, dict[str, tuple[tuple[str, float], ...]]] = {}
        self._last: dict[str, tuple[tuple[str, float], ...]] = {}
        self._labels: tuple[dict[str, Label], dict[str, Label]] = ({}, {})
        self._answers: tuple[dict[str, Answer], dict[str, Answer]] = ({}, {})
        self._gold: dict[str, dict[str, GoldEvidence]] = {}
        self._predictions: dict[str, dict[str, PredictedEvidence]] = {}
        self._stances: dict[str, dict[str, Stance]] = {}
        self._forecasts: list[Forecast] = []
        self._labelled = False
        self._rationales = False

    def take(self, gold: GoldClaim, case: Case) -> None:
        """Take one claim; a claim without a public answer is not measured."""
        if gold.documents is not None:
            self._take_ranking(gold, case)
            self._take_evidence(gold, case)
        if self._info.mode.silent:
            self._take_pairs(gold, case)
        elif gold.label is not None:
            self._take_verdict(gold, case)

    def _take_ranking(self, gold: GoldClaim, case: Case) -> None:
        self._qrels[gold.id] = {
            name: each.evidence.relevance for name, each in gold.relevant.items()
        }
        self._last[gold.id] = ranking_of(case)
        for trace in filter(is_ranking, case.trace):
            self._runs.setdefault(trace.stage, {})[gold.id] = ranking_of(case, trace.stage)

    def _take_evidence(self, gold: GoldClaim, case: Case) -> None:
        documents = {name: each.evidence for name, each in (gold.documents or {}).items()}
        self._labelled |= any(each.label is not None for each in documents.values())
        self._rationales |= any(each.rationales for each in documents.values())
        self._gold[gold.id] = documents
        self._predictions[gold.id] = predictions_of(case)
        self._stances[gold.id] = {}
        for candidate in case.candidates:
            found, name = candidate.labels, candidate.document.id
            if found is None:
                continue
            self._stances[gold.id][name] = Stance(found.supports, found.refutes)
            evidence = documents.get(name)
            truth = evidence.label if evidence else Label.NOT_ENOUGH_INFO
            if truth is not None:
                probabilities = {
                    label: found.of(label)
                    for label in (Label.NOT_ENOUGH_INFO, Label.REFUTES, Label.SUPPORTS)
                }
                self._forecasts.append(Forecast.of_probabilities(gold.id, probabilities, truth))

    def _take_verdict(self, gold: GoldClaim, case: Case) -> None:
        if gold.label is None:
            return
        if case.verdict is not None:
            self._labels[0][gold.id] = gold.label
            self._labels[1][gold.id] = case.verdict.label
        self._answers[0][gold.id] = Answer(gold.label, tuple(gold.documents or ()))
        # Evidence that says too little is evidence in this task, so all that remains is predicted.
        found = tuple(item.document.id for item in case.candidates)
        label = case.verdict.label if case.verdict else Label.NOT_ENOUGH_INFO
        self._answers[1][gold.id] = Answer(label, found)

    def _take_pairs(self, gold: GoldClaim, case: Case) -> None:
        """Take each claim with each of its abstracts, since the judge alone decides on these."""
        for item in case.candidates:
            known = (gold.documents or {}).get(item.document.id)
            if known is not None and known.evidence.label is not None and item.label is not None:
                name = f"{gold.id} {item.document.id}"
                self._labels[0][name] = known.evidence.label
                self._labels[1][name] = item.label

    def material(self) -> Material:
        """Give what could be gathered, and say what could not."""
        info = self._info
        judged = Part.LABELS in info.provides
        records: dict[type[Any], Any] = {}
        notes = list(_notes(info, judged, bool(self._qrels)))
        if not info.mode.is_oracle and any(self._qrels.values()):
            records[RankingData] = RankingData(self._qrels, self._last)
        if _decides(info) and self._labels[0]:
            records[LabelData] = LabelData(*self._labels)
        if info.four_labels and self._answers[0]:
            records[AnswerData] = AnswerData(*self._answers)
        if judged and self._labelled:
            records[EvidenceData] = EvidenceData(self._gold, self._predictions)
            records[StanceData] = StanceData(self._gold, self._stances)
        if judged and self._forecasts:
            records[ForecastData] = ForecastData(self._forecasts)
        alone = _ALONE.get(info.mode)
        if alone is not None:
            records = {kind: data for kind, data in records.items() if kind is alone}
            notes.insert(0, "One stage alone was evaluated, so only what it decides is scored.")
        runs: dict[str, Run] = {} if info.mode.is_oracle else dict(self._runs)
        by_stage = {stage: RankingData(self._qrels, run) for stage, run in runs.items()}
        return Material(info, records, by_stage, self._rationales, tuple(notes))


def _decides(info: RunInfo) -> bool:
    """Say whether verdicts mean anything: abstracts are judged, or claims are classified whole."""
    classified = any(stage["stage"] == "decide.classifier" for stage in info.stages)
    return classified or Part.LABELS in info.provides


def _notes(info: RunInfo, judged: bool, answered: bool) -> list[str]:
    notes = []
    if not answered:
        notes.append(
            "The answers of this split are kept back, so evidence and ranking are not scored; "
            "predictions.jsonl is what its leaderboard takes."
        )
    if not judged:
        notes.append(
            "This pipeline has no stage that judges abstracts, so only its search is scored."
        )
    if info.mode.is_oracle:
        notes.append("The right abstracts were given, so search is not scored.")
    return notes
