"""SciFact's four measures, as two official programs compute them, and the climate task's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from claimscope.errors import InputError
from claimscope.labels import Label
from claimscope.measures import contributions as aggregates
from claimscope.measures.contributions import (
    Counts,
    FloatArray,
    counts,
    divide,
    require_known_claims,
)
from claimscope.measures.measure import (
    DECIDING,
    Answer,
    AnswerData,
    EvidenceData,
    Measure,
    Part,
    PredictedEvidence,
)
from claimscope.types import GoldEvidence

SENTENCES_READ = 3
"""How many predicted sentences an abstract-level measure reads."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one predicted document was scored, in the terms of an explanation."""

    gold: GoldEvidence | None
    """None if the document is no evidence for the claim."""
    predicted: PredictedEvidence
    read: int
    """How many of the predicted sentences the abstract-level measure looks at."""
    label_right: bool
    rationale_found: bool
    """Whether a whole gold set lies in the sentences read."""
    credited: frozenset[int]
    """Sentences whose whole gold set was predicted."""


def judge(predicted: PredictedEvidence, gold: GoldEvidence | None, repository: bool) -> Outcome:
    """Judge one predicted document."""
    if gold is None:
        return Outcome(None, predicted, SENTENCES_READ, False, False, frozenset())
    smallest = min(map(len, gold.rationales), default=0)
    read = SENTENCES_READ if repository else max(SENTENCES_READ, smallest)
    first = frozenset(predicted.sentences[:read])
    chosen = frozenset(predicted.sentences)
    whole = [rationale for rationale in gold.rationales if rationale <= chosen]
    return Outcome(
        gold=gold,
        predicted=predicted,
        read=read,
        label_right=predicted.label is gold.label,
        rationale_found=any(rationale <= first for rationale in gold.rationales),
        credited=frozenset().union(*whole),
    )


def outcomes(
    data: EvidenceData, repository: bool = False
) -> Iterator[tuple[str, Mapping[str, GoldEvidence], dict[str, Outcome]]]:
    """Give each claim with its gold evidence and the score of each predicted document."""
    require_known_claims(data.predictions, data.gold)
    for claim_id, documents in data.gold.items():
        gold = {name: evidence for name, evidence in documents.items() if evidence.decides}
        for name, evidence in gold.items():
            _require_disjoint(claim_id, name, evidence)
        predicted = data.predictions.get(claim_id, {})
        yield (
            claim_id,
            gold,
            {
                name: judge(evidence, gold.get(name), repository)
                for name, evidence in predicted.items()
                if _counts(claim_id, name, evidence.label, repository)
            },
        )


def _counts(claim_id: str, document: str, label: Label, repository: bool) -> bool:
    if label in DECIDING:
        return True
    if repository and label is Label.NOT_ENOUGH_INFO:
        return False
    raise InputError(
        f"Document {document!r} of claim {claim_id!r} is predicted {label.value}, which SciFact's "
        "scorer refuses; leave out documents that neither support nor refute the claim."
    )


def _require_disjoint(claim_id: str, document: str, gold: GoldEvidence) -> None:
    """Refuse a sentence in two gold sets, as both official programs do."""
    if len(frozenset().union(*gold.rationales)) != sum(map(len, gold.rationales)):
        raise InputError(
            f"A sentence of document {document!r} is in two gold rationales of claim "
            f"{claim_id!r}, for which SciFact's measures are not defined; merge the two sets."
        )


_Row = tuple[float, float, float]
_Counting = Callable[[Mapping[str, GoldEvidence], Mapping[str, Outcome]], _Row]


def _documents(
    gold: Mapping[str, GoldEvidence],
    judged: Mapping[str, Outcome],
    right: Callable[[Outcome], bool],
) -> _Row:
    return sum(map(right, judged.values())), len(judged), len(gold)


def _sentences(
    gold: Mapping[str, GoldEvidence],
    judged: Mapping[str, Outcome],
    right: Callable[[Outcome], bool],
) -> _Row:
    correct = sum(len(outcome.credited) for outcome in judged.values() if right(outcome))
    # The official programs count the list, so a sentence listed twice is predicted twice.
    predicted = sum(len(outcome.predicted.sentences) for outcome in judged.values())
    total = sum(len(rationale) for each in gold.values() for rationale in each.rationales)
    return correct, predicted, total


def _label_right(outcome: Outcome) -> bool:
    return outcome.label_right


def _rationalised(outcome: Outcome) -> bool:
    return outcome.label_right and outcome.rationale_found


def _anything(outcome: Outcome) -> bool:
    return True


def _is_evidence(outcome: Outcome) -> bool:
    return outcome.gold is not None


COUNTING: Mapping[str, _Counting] = {
    "abstract-label-only": lambda gold, judged: _documents(gold, judged, _label_right),
    "abstract-rationalized": lambda gold, judged: _documents(gold, judged, _rationalised),
    "sentence-selection": lambda gold, judged: _sentences(gold, judged, _anything),
    "sentence-label": lambda gold, judged: _sentences(gold, judged, _label_right),
}
"""The four measures by the names the leaderboard gives them."""
ABSTRACT_SELECTION = "abstract-selection"
_COUNTING: Mapping[str, _Counting] = {
    **COUNTING,
    ABSTRACT_SELECTION: lambda gold, judged: _documents(gold, judged, _is_evidence),
}

REPOSITORY = "repository-"


def scifact_counts(data: EvidenceData, measure: Measure) -> Counts:
    """Correct, predicted and gold documents or sentences of each claim."""
    repository = measure.base.startswith(REPOSITORY)
    count = _COUNTING[measure.base.removeprefix(REPOSITORY)]
    judged = outcomes(data, repository)
    rows = [count(gold, outcome) for _, gold, outcome in judged]
    return counts(list(data.gold), rows, 3, (measure.part or Part.F1).aggregate)


def official_key(measure: Measure) -> str:
    """Give the key under which the leaderboard's evaluator reports a measure."""
    words = {Part.PRECISION: "precision", Part.RECALL: "recall", Part.F1: "f1"}
    base = measure.base.removeprefix(REPOSITORY).replace("-", "_")
    return f"{base}_{words[measure.part or Part.F1]}"


def _evidence_f(gold: Answer, predicted: Answer) -> float:
    chosen = set(predicted.evidence)
    correct = sum(passage in chosen for passage in gold.evidence)
    total = len(predicted.evidence) + len(gold.evidence)
    return 2 * correct / total if total else 0.0


def _rows(data: AnswerData) -> list[tuple[float, float, float]]:
    """Give evidence F, right label and 1 for each claim."""
    require_known_claims(data.predicted, data.gold)
    return [
        (_evidence_f(gold, answer), gold.label is answer.label, 1)
        if (answer := data.predicted.get(claim_id))
        else (0.0, 0.0, 1)
        for claim_id, gold in data.gold.items()
    ]


def climate(data: AnswerData, measure: Measure) -> Counts:
    """Compute the measure that the last letter of its name stands for."""
    formula = {"climate-F": _mean_f, "climate-A": _mean_a, "climate-H": _harmonic}[measure.base]
    return counts(list(data.gold), _rows(data), 3, formula)


def _mean_f(sums: FloatArray) -> FloatArray:
    return divide(sums[..., 0], sums[..., 2])


def _mean_a(sums: FloatArray) -> FloatArray:
    return divide(sums[..., 1], sums[..., 2])


def _harmonic(sums: FloatArray) -> FloatArray:
    return aggregates.harmonic_mean(_mean_f(sums), _mean_a(sums))
