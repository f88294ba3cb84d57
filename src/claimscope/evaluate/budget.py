"""The error budget: how many points each part of a pipeline loses.

Nothing is run again. A part is made perfect by putting gold in its place in what the pipeline
considered, and a part answers only for what it did itself:

retrieval   Documents that are not evidence are taken out. Evidence documents that never reached the
            end are put in with gold sentences and gold label, since later parts never saw them.
rationale   Every evidence document gets its gold sentences, a smallest whole rationale first; every
            other document gets none. An evidence document judged NOT_ENOUGH_INFO in which no
            sentence was selected gets its gold label, too: nothing was there to be judged.
label       Every document gets its gold label, and NOT_ENOUGH_INFO where it is not evidence.

`alone` is a measure with that one part perfect. The steps make the parts perfect one after another
in the pipeline's order; after the last one every measure is 1, so the gains of the steps are shares
of the points lost. One gain can be below zero: right sentences in a document with the wrong label
count against sentence-label until the label is right, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from claimscope.evaluate.cases import is_ranking, sentences_of
from claimscope.evaluate.folder import RunFolder
from claimscope.labels import Label
from claimscope.measures import Measure, evaluate
from claimscope.measures.measure import DECIDING, EvidenceData, PredictedEvidence
from claimscope.measures.measure import Part as Value
from claimscope.pipeline.stage import Part
from claimscope.types import Gold, GoldEvidence

_MEASURES = ("abstract-label-only", "abstract-rationalized", "sentence-selection", "sentence-label")

Considered = Mapping[str, PredictedEvidence]
"""What a pipeline said of each document it ended with, NOT_ENOUGH_INFO included."""


class Blame(StrEnum):
    """A part of a pipeline that can lose points, in the order they run."""

    RETRIEVAL = "retrieval"
    RATIONALE = "rationale"
    LABEL = "label"


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """A measure's value, its possible value, and the points that each part lost."""

    measure: Measure
    actual: float
    alone: Mapping[Blame, float]
    lost: Mapping[Blame, float]
    """Points by which the measure grows when the part is made perfect after those before it."""

    def share(self, part: Blame) -> float:
        """Give the share of all points lost that one part lost."""
        missing = 1 - self.actual
        return self.lost[part] / missing if missing > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Funnel:
    """How many documents to be found are left after a stage."""

    stage: str
    left: int
    of: int


def budget(gold: Gold, considered: Mapping[str, Considered]) -> tuple[BudgetLine, ...]:
    """Compute the budget of the SciFact measures that the gold allows."""
    evidence = {
        claim: {name: each for name, each in documents.items() if each.decides}
        for claim, documents in gold.items()
    }
    selects = any(each.sentences for claim in considered.values() for each in claim.values())
    perfect = _perfect_parts(selects)
    rationales = any(each.rationales for claim in evidence.values() for each in claim.values())
    names = _MEASURES if rationales else _MEASURES[:1]

    def scored(measure: Measure, *parts: Blame) -> float:
        predictions = {}
        for claim, documents in evidence.items():
            said = considered.get(claim, {})
            for part in parts:
                said = perfect[part](documents, said)
            predictions[claim] = {
                name: each for name, each in said.items() if each.label in DECIDING
            }
        return evaluate(measure, EvidenceData(evidence, predictions))

    lines = []
    for measure in (Measure(name, part=Value.F1) for name in names):
        order = tuple(Blame)
        steps = [scored(measure, *order[:count]) for count in range(len(order) + 1)]
        lines.append(
            BudgetLine(
                measure,
                steps[0],
                {part: scored(measure, part) for part in order},
                {part: steps[at + 1] - steps[at] for at, part in enumerate(order)},
            )
        )
    return tuple(lines)


_Perfect = Callable[[Mapping[str, GoldEvidence], Considered], Considered]


def _perfect_parts(selects: bool) -> dict[Blame, _Perfect]:
    return {
        Blame.RETRIEVAL: _perfect_retrieval,
        Blame.RATIONALE: lambda gold, said: _perfect_rationale(gold, said, selects),
        Blame.LABEL: _perfect_label,
    }


def _perfect_retrieval(gold: Mapping[str, GoldEvidence], said: Considered) -> Considered:
    return {name: said.get(name) or _perfect_document(each) for name, each in gold.items()}


def _perfect_rationale(
    gold: Mapping[str, GoldEvidence], said: Considered, selects: bool
) -> Considered:
    made = {}
    for name, each in said.items():
        evidence = gold.get(name)
        if evidence is None:
            made[name] = PredictedEvidence(each.label)
        elif selects and not each.sentences and each.label not in DECIDING:
            made[name] = _perfect_document(evidence)
        else:
            made[name] = PredictedEvidence(each.label, _gold_sentences(evidence))
    return made


def _perfect_label(gold: Mapping[str, GoldEvidence], said: Considered) -> Considered:
    return {
        name: PredictedEvidence(_label(gold.get(name)), each.sentences)
        for name, each in said.items()
    }


def _perfect_document(evidence: GoldEvidence) -> PredictedEvidence:
    return PredictedEvidence(_label(evidence), _gold_sentences(evidence))


def _label(evidence: GoldEvidence | None) -> Label:
    return (evidence.label if evidence else None) or Label.NOT_ENOUGH_INFO


def _gold_sentences(evidence: GoldEvidence) -> tuple[int, ...]:
    sets = sorted((len(each), sorted(each)) for each in evidence.rationales)
    return tuple(dict.fromkeys(index for _, each in sets for index in each))


def budget_of(folder: RunFolder) -> tuple[BudgetLine, ...]:
    """Compute the error budget of a saved run; None if it has no judge or no labels."""
    if Part.LABELS not in folder.info().provides:
        return ()
    gold: dict[str, dict[str, GoldEvidence]] = {}
    considered: dict[str, Considered] = {}
    for answer, case in folder.pairs():
        if answer.documents is None:
            continue
        gold[answer.id] = {name: each.evidence for name, each in answer.documents.items()}
        considered[answer.id] = {
            item.document.id: PredictedEvidence(
                item.label or Label.NOT_ENOUGH_INFO, sentences_of(item)
            )
            for item in case.candidates
        }
    labelled = any(each.decides for claim in gold.values() for each in claim.values())
    return budget(gold, considered) if labelled else ()


def funnel_of(folder: RunFolder) -> tuple[Funnel, ...]:
    """Count the documents to be found that are left after each retriever and reranker."""
    left: dict[str, int] = {}
    total = 0
    for answer, case in folder.pairs():
        relevant = answer.relevant.keys()
        total += len(relevant)
        for step in filter(is_ranking, case.trace):
            kept = sum(entry.document_id in relevant for entry in step.kept)
            left[step.stage] = left.get(step.stage, 0) + kept
    return tuple(Funnel(stage, count, total) for stage, count in left.items())
