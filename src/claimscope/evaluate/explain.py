"""Says for each claim what was found, what was missed, and why, in words.

Sentences are numbered as in the data sets and prediction files, from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from claimscope.evaluate.cases import has_judge, predictions_of, sentences_of
from claimscope.evaluate.folder import RunFolder
from claimscope.evaluate.gold import GoldClaim, GoldDocument
from claimscope.labels import Label
from claimscope.measures.evidence import Outcome, judge
from claimscope.measures.measure import DECIDING, PredictedEvidence
from claimscope.types import Candidate, Case, StageTrace


class Cause(StrEnum):
    """What happened to a document, or to a sentence of it."""

    FOUND = "found"
    NOT_IN_LIBRARY = "not in library"
    NOT_RETRIEVED = "not retrieved"
    DROPPED = "dropped"
    SILENT = "judged silent"
    WRONG_LABEL = "wrong label"
    NOT_EVIDENCE = "not evidence"
    SENTENCE_MISSED = "sentence missed"
    PARTNER_MISSED = "partner missed"
    SENTENCE_IGNORED = "sentence ignored"
    SENTENCE_EXTRA = "extra sentence"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that went right or wrong, with the stage that did it where one is known."""

    cause: Cause
    words: str
    stage: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """One document of a claim: what is right, what was said, and what went wrong."""

    id: str
    gold: GoldDocument | None
    """None if the annotators found no evidence in it."""
    candidate: Candidate | None
    """None if the pipeline did not end with it."""
    rank: int | None
    findings: tuple[Finding, ...]

    @property
    def lost(self) -> bool:
        """Whether any point was lost here."""
        return any(each.cause is not Cause.FOUND for each in self.findings)


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """A claim with its documents, the evidence first."""

    id: str
    text: str
    gold: Label | None
    verdict: Label | None
    """None if nothing judged the claim."""
    confidence: float | None
    documents: tuple[DocumentReport, ...]
    others: int
    """Candidates that are neither evidence nor predicted to be."""

    @property
    def causes(self) -> list[Cause]:
        """All that happened, each cause once, in the order of the pipeline."""
        found = {each.cause for document in self.documents for each in document.findings}
        return [cause for cause in Cause if cause in found]

    @property
    def lost(self) -> bool:
        """Whether any point was lost on this claim."""
        return any(document.lost for document in self.documents)


def explain_run(folder: RunFolder) -> Iterator[ClaimReport]:
    """Iterate over explanations of the claims of a saved run."""
    return (explain(gold, case) for gold, case in folder.pairs())


def explain(gold: GoldClaim, case: Case) -> ClaimReport:
    """Explain one claim."""
    candidates = {item.document.id: item for item in case.candidates}
    ranks = {name: rank for rank, name in enumerate(candidates, 1)}
    relevant = gold.relevant
    wrongly = [name for name in predictions_of(case) if name not in relevant]
    reports = []
    for name in (*relevant, *wrongly):
        candidate = candidates.get(name)
        found = (gold.documents or {}).get(name)
        findings = (
            tuple(_findings(name, found, candidate, case)) if gold.documents is not None else ()
        )
        reports.append(DocumentReport(name, found, candidate, ranks.get(name), findings))
    others = len(candidates.keys() - relevant.keys() - set(wrongly))
    verdict = case.verdict
    return ClaimReport(
        gold.id,
        gold.text,
        gold.label,
        verdict.label if verdict and has_judge(case) else None,
        verdict.confidence if verdict else None,
        tuple(reports),
        others,
    )


def _findings(
    name: str, gold: GoldDocument | None, candidate: Candidate | None, case: Case
) -> Iterator[Finding]:
    if candidate is None:
        yield _never_seen(name, gold, case.trace)
        return
    label = gold.evidence.label if gold else Label.NOT_ENOUGH_INFO
    if candidate.label is None or label is None:
        yield Finding(Cause.FOUND, "retrieved")
    elif candidate.label not in DECIDING:
        if label in DECIDING:
            words = f"judged to say too little: {label.value} is right"
            yield Finding(Cause.SILENT, words, _stage(case, "judge"))
        else:
            yield Finding(Cause.FOUND, "rightly judged to say too little")
    elif gold is None or not gold.evidence.decides:
        words = f"predicted {candidate.label.value}, but not evidence"
        yield Finding(Cause.NOT_EVIDENCE, words, _stage(case, "judge"))
    else:
        predicted = PredictedEvidence(candidate.label, sentences_of(candidate))
        yield from _judged(judge(predicted, gold.evidence, repository=False), case)


def _never_seen(name: str, gold: GoldDocument | None, trace: Sequence[StageTrace]) -> Finding:
    """Find the stage at which a document was lost."""
    if gold is not None and not gold.in_library:
        return Finding(Cause.NOT_IN_LIBRARY, "not in the library, so no stage could find it")
    for step in trace:
        kept = {entry.document_id for entry in step.kept}
        if name in kept:
            continue
        if name in step.received:
            rank = step.received.index(name) + 1
            words = f"dropped at rank {rank} by {step.stage}, which kept {len(kept)}"
            return Finding(Cause.DROPPED, words, step.stage)
        words = f"not retrieved: beyond the first {len(kept)} of {step.stage}"
        if not kept:
            words = f"not retrieved: {step.stage} found nothing"
        return Finding(Cause.NOT_RETRIEVED, words, step.stage)
    return Finding(Cause.NOT_RETRIEVED, "not retrieved")


def _judged(outcome: Outcome, case: Case) -> Iterator[Finding]:
    """Explain a predicted document that is evidence."""
    gold, predicted = outcome.gold, outcome.predicted
    if gold is None or gold.label is None:
        return
    if outcome.label_right:
        whole = ", with a whole rationale" if outcome.rationale_found else ""
        yield Finding(Cause.FOUND, f"found and rightly labelled {gold.label.value}{whole}")
    else:
        words = f"label wrong: {predicted.label.value} predicted, {gold.label.value} is right"
        yield Finding(Cause.WRONG_LABEL, words, _stage(case, "judge"))
    if gold.rationales:
        yield from _sentences(outcome, _stage(case, "select"))


def _sentences(outcome: Outcome, stage: str | None) -> Iterator[Finding]:
    gold = outcome.gold
    chosen = frozenset(outcome.predicted.sentences)
    rationales = gold.rationales if gold else ()
    for rationale in sorted(map(sorted, rationales)):
        missed = [index for index in rationale if index not in chosen]
        for index in rationale:
            if index in missed:
                words = f"sentence {index} not selected"
                yield Finding(Cause.SENTENCE_MISSED, words, stage)
            elif missed:
                words = f"sentence {index} lost: {_partners(missed)} not selected"
                yield Finding(Cause.PARTNER_MISSED, words, stage)
    gold_sentences = frozenset().union(*rationales)
    if not outcome.rationale_found:
        yield from _ignored(outcome, gold_sentences, stage)
    for index in dict.fromkeys(outcome.predicted.sentences):
        if index not in gold_sentences:
            words = f"sentence {index} selected, but in no rationale"
            yield Finding(Cause.SENTENCE_EXTRA, words, stage)


def _partners(missed: Sequence[int]) -> str:
    if len(missed) == 1:
        return f"its partner {missed[0]} was"
    listed = ", ".join(map(str, missed[:-1]))
    return f"its partners {listed} and {missed[-1]} were"


def _ignored(outcome: Outcome, gold: frozenset[int], stage: str | None) -> Iterator[Finding]:
    """Name gold sentences that stand too late in the list for the abstract-level measure."""
    for place, index in enumerate(outcome.predicted.sentences, 1):
        if place > outcome.read and index in gold:
            words = (
                f"{ordinal(place)} sentence ignored (sentence {index}): only the first "
                f"{outcome.read} are read"
            )
            yield Finding(Cause.SENTENCE_IGNORED, words, stage)


def ordinal(number: int) -> str:
    """Give a number as an ordinal: 1st, 2nd, 3rd, 4th."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 10 < number % 100 < 14 else ending}"


def _stage(case: Case, kind: str) -> str | None:
    return next((step.stage for step in case.trace if step.stage.startswith(f"{kind}.")), None)
