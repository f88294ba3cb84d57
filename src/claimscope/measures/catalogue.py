"""The table of all measures, and the one spelling of their names."""

from __future__ import annotations

import re
from typing import Any

from claimscope.errors import InputError, UnknownNameError
from claimscope.labels import Label
from claimscope.measures import calibration, evidence, label, ranking
from claimscope.measures import evidence as climate
from claimscope.measures import label as stance
from claimscope.measures.contributions import Contributions, value
from claimscope.measures.measure import (
    AnswerData,
    Cutoff,
    Definition,
    EvidenceData,
    ForecastData,
    LabelData,
    Measure,
    Part,
    RankingData,
    StanceData,
)

_RANKING = (
    Definition(
        "R",
        "Share of the evidence documents in the first k, pooled over claims.",
        RankingData,
        ranking.pooled_recall,
        Cutoff.REQUIRED,
    ),
    Definition(
        "P",
        "Share of the first k that are evidence, pooled over claims.",
        RankingData,
        ranking.pooled_precision,
        Cutoff.REQUIRED,
    ),
    Definition(
        "macro-R",
        "R of each claim with evidence, averaged; what trec_eval calls recall at k.",
        RankingData,
        ranking.mean_recall,
        Cutoff.REQUIRED,
    ),
    Definition(
        "macro-P",
        "P of each claim with evidence, averaged; what trec_eval calls P at k.",
        RankingData,
        ranking.mean_precision,
        Cutoff.REQUIRED,
    ),
    Definition(
        "nDCG",
        "Normalised discounted cumulated gain, mean over claims with evidence.",
        RankingData,
        ranking.ndcg,
        Cutoff.OPTIONAL,
    ),
    Definition(
        "RR",
        "One over the rank of the first evidence document, mean over claims with evidence.",
        RankingData,
        ranking.reciprocal_rank,
        Cutoff.OPTIONAL,
    ),
    Definition(
        "hit-one",
        "Share of claims with any evidence in the first k; no evidence to find is a hit (VeriSci).",
        RankingData,
        ranking.hit_one,
        Cutoff.REQUIRED,
    ),
    Definition(
        "hit-all",
        "Share of claims with all evidence in the first k; no evidence to find is a hit (VeriSci).",
        RankingData,
        ranking.hit_all,
        Cutoff.REQUIRED,
    ),
    Definition(
        "evidence-hit-one",
        "hit-one over the claims that have evidence.",
        RankingData,
        ranking.evidence_hit_one,
        Cutoff.REQUIRED,
    ),
    Definition(
        "evidence-hit-all",
        "hit-all over the claims that have evidence.",
        RankingData,
        ranking.evidence_hit_all,
        Cutoff.REQUIRED,
    ),
    Definition(
        "retrieval",
        "Retrieved documents against evidence documents as sets, pooled over claims.",
        RankingData,
        ranking.retrieved_set,
        Cutoff.OPTIONAL,
        parts=True,
    ),
)

_SCIFACT_MEANINGS = {
    "abstract-label-only": "Evidence abstracts with the right label.",
    "abstract-rationalized": "Evidence abstracts with the right label and a whole gold rationale.",
    "sentence-selection": "Rationale sentences whose whole gold set is predicted.",
    "sentence-label": "Rationale sentences whose whole gold set and label are predicted.",
}

_OFFICIAL = tuple(
    Definition(prefix + base, meaning + variant, EvidenceData, evidence.scifact_counts, parts=True)
    for prefix, variant in (
        ("", " SciFact leaderboard."),
        (evidence.REPOSITORY, " SciFact repository."),
    )
    for base, meaning in _SCIFACT_MEANINGS.items()
)
_EVIDENCE = (
    *_OFFICIAL,
    Definition(
        evidence.ABSTRACT_SELECTION,
        "Abstracts named as evidence against evidence abstracts as sets, whatever their labels.",
        EvidenceData,
        evidence.scifact_counts,
        parts=True,
    ),
)

_LABELS = (
    Definition("accuracy", "Share of right labels.", LabelData, label.accuracy),
    Definition("macro-F1", "F1 averaged over the labels that occur.", LabelData, label.macro_f1),
    Definition("binary-F1", "F1 of REFUTES (VerT5erini).", LabelData, label.binary_f1),
    *(
        Definition(name.value, f"The label {name.value}.", LabelData, label.one_label, parts=True)
        for name in Label
    ),
)

_CLIMATE = (
    Definition("climate-F", "Evidence F of each claim, averaged.", AnswerData, climate.climate),
    Definition("climate-A", "Accuracy of the four labels.", AnswerData, climate.climate),
    Definition(
        "climate-H",
        "Harmonic mean of climate-F and climate-A; the task's ranking.",
        AnswerData,
        climate.climate,
    ),
)

_CONFIDENCE = (
    Definition(
        "label-aware-AP",
        "Area under precision and recall of labelled pairs by confidence (SciFact-Open).",
        StanceData,
        stance.label_aware_average_precision,
    ),
    Definition(
        "ECE",
        "Mean gap of confidence and accuracy; @k sets the number of bins, 15 otherwise.",
        ForecastData,
        calibration.calibration_error,
        Cutoff.OPTIONAL,
        higher_is_better=False,
    ),
    Definition(
        "Brier",
        "Mean squared error of the probabilities, between 0 and 1.",
        ForecastData,
        calibration.brier,
        higher_is_better=False,
    ),
    Definition(
        "AURC",
        "Area under the risk-coverage curve.",
        ForecastData,
        calibration.risk_coverage_area,
        higher_is_better=False,
    ),
)

DEFINITIONS: dict[str, Definition] = {
    each.base: each for each in (*_RANKING, *_EVIDENCE, *_LABELS, *_CLIMATE, *_CONFIDENCE)
}
"""Every measure there is, by the part of its name before cutoff and part."""

_NAME = re.compile(r"(?P<base>[A-Za-z_1-]+?)(?:@(?P<cutoff>[1-9]\d{0,8}))?(?: (?P<part>P|R|F1))?")


def parse_measure(name: str) -> Measure:
    """Read a measure's name; its text gives the same name back."""
    match = _NAME.fullmatch(name.strip())
    definition = DEFINITIONS.get(match["base"]) if match else None
    if match is None or definition is None or not _complete(match, definition):
        raise UnknownNameError("measure", name, [each.example for each in DEFINITIONS.values()])
    return Measure(
        match["base"],
        int(match["cutoff"]) if match["cutoff"] else None,
        Part(match["part"]) if match["part"] else None,
    )


def _complete(match: re.Match[str], definition: Definition) -> bool:
    """Say whether a name has a cutoff and a part just where its definition wants them."""
    has_cutoff = match["cutoff"] is not None
    cutoff_fits = definition.cutoff is Cutoff.OPTIONAL or has_cutoff is (
        definition.cutoff is Cutoff.REQUIRED
    )
    return cutoff_fits and (match["part"] is not None) is definition.parts


def define(measure: Measure) -> Definition:
    """Give a measure's definition."""
    return DEFINITIONS[measure.base]


def contributions(measure: Measure, data: Any) -> Contributions:
    """Compute what each claim contributes to a measure, for its intervals and tests."""
    definition = define(measure)
    if not isinstance(data, definition.needs):
        raise InputError(
            f"{measure} is computed from {definition.needs.__name__}, "
            f"not from {type(data).__name__}."
        )
    return definition.contribute(data, measure)


def evaluate(measure: Measure, data: Any) -> float:
    """Compute a measure."""
    return value(contributions(measure, data))


def scifact_measures(repository: bool = False) -> list[Measure]:
    """Give the twelve SciFact values: four measures, three parts each, in the official order."""
    prefix = evidence.REPOSITORY if repository else ""
    return [Measure(prefix + base, part=part) for base in evidence.COUNTING for part in Part]
