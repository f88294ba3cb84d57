"""Writes one run, or several for comparison, as one HTML page for any browser."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from claimscope.evaluate import figures
from claimscope.evaluate.budget import Blame, BudgetLine, Funnel, budget_of, funnel_of
from claimscope.evaluate.cases import sentences_of
from claimscope.evaluate.compare import contrast_headlines, require_same_claims
from claimscope.evaluate.explain import Cause, ClaimReport, DocumentReport, Finding, explain_run
from claimscope.evaluate.folder import RunFolder, RunInfo
from claimscope.evaluate.scoring import Scored, Scores, headlines, titles_of
from claimscope.labels import Label
from claimscope.measures import Measure
from claimscope.measures.measure import RankingData
from claimscope.render.charts import whisker
from claimscope.render.page import asset, environment

SHOWN_MISTAKES = 5
"""Documents wrongly taken for evidence that are shown for one claim."""
CAUSE_WORDS = {
    Cause.FOUND: "Evidence found and rightly labelled",
    Cause.NOT_IN_LIBRARY: "Evidence not in the library",
    Cause.NOT_RETRIEVED: "Evidence not retrieved",
    Cause.DROPPED: "Evidence dropped on the way",
    Cause.SILENT: "Evidence judged to say too little",
    Cause.WRONG_LABEL: "Evidence with the wrong label",
    Cause.NOT_EVIDENCE: "Predicted, but not evidence",
    Cause.SENTENCE_MISSED: "Rationale sentence not selected",
    Cause.PARTNER_MISSED: "Sentence lost with its partner",
    Cause.SENTENCE_IGNORED: "Sentence listed too late to count",
    Cause.SENTENCE_EXTRA: "Sentence in no rationale",
}
"""Every cause in words for people."""


@dataclass(frozen=True)
class RunView:
    """One run's pictures and notes."""

    info: RunInfo
    notes: tuple[str, ...]
    stages: str
    budget: tuple[BudgetLine, ...]
    budget_bars: Markup | None
    funnel: tuple[Funnel, ...]
    recall: Markup | None
    reliability: Markup | None
    risk_coverage: Markup | None
    confusion: figures.ConfusionMatrix | None


def write_report(path: Path, runs: Sequence[tuple[RunFolder, Scores]]) -> None:
    """Write the page; claims are shown for the first run, and go to the file one by one."""
    scored = [scores for _, scores in runs]
    require_same_claims(scored)
    first, _ = runs[0]
    template = environment().get_template("report.html.j2")
    stream = template.stream(
        info=scored[0].material.info,
        runs=[_view(folder, scores) for folder, scores in runs],
        headlines=headlines(scored[0]),
        groups=[(title, tables(scored, title)) for title in titles_of(scored)],
        contrasts=contrast_headlines(scored),
        comparison=figures.recall_curves(_last_rankings(scored)) if len(runs) > 1 else None,
        claims=map(claim_view, explain_run(first)),
        causes=_count_causes(first),
        cause_words=CAUSE_WORDS,
        parts=tuple(Blame),
        whisker=whisker,
        style=asset("colours.css", "page.css"),
        script=asset("report.js"),
    )
    fresh = path.with_name(path.name + ".new")
    with fresh.open("w", encoding="utf-8") as file:
        stream.enable_buffering(64)
        file.writelines(stream)
    fresh.replace(path)


def _view(folder: RunFolder, scores: Scores) -> RunView:
    material = scores.material
    lines = budget_of(folder)
    return RunView(
        info=material.info,
        notes=material.notes,
        stages="\n".join(json.dumps(stage, ensure_ascii=False) for stage in material.info.stages),
        budget=lines,
        budget_bars=figures.budget_bars(lines),
        funnel=() if material.info.mode.is_oracle else funnel_of(folder),
        recall=figures.recall_curves(material.by_stage),
        reliability=figures.reliability_diagram(material),
        risk_coverage=figures.risk_coverage_curve(material),
        confusion=figures.confusion_matrix(material),
    )


def _last_rankings(scored: Sequence[Scores]) -> dict[str, RankingData]:
    return {
        each.material.info.name: each.material.records[RankingData]
        for each in scored
        if RankingData in each.material.records
    }


def _count_causes(folder: RunFolder) -> list[tuple[Cause, int]]:
    """Count the claims of each cause, in the order of the pipeline."""
    counts = Counter(cause for report in explain_run(folder) for cause in report.causes)
    return [(cause, counts[cause]) for cause in Cause if counts[cause]]


@dataclass(frozen=True, slots=True)
class Table:
    """Measures of one kind: one row per measure and run, one column per cutoff or part."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[Scored | None, ...]], ...]
    """Measure, run, and a cell a column."""


def tables(scored: Sequence[Scores], title: str) -> list[Table]:
    """Make the tables of a group: measures with cutoffs, with parts, and plain ones apart."""
    kinds: dict[str, dict[str, list[Measure]]] = {}
    for run in scored:
        for measure in _measures(run, title):
            of_kind = kinds.setdefault(_kind(measure), {}).setdefault(measure.base, [])
            if measure not in of_kind:
                of_kind.append(measure)
    return [_table(scored, bases) for bases in kinds.values()]


def _measures(run: Scores, title: str) -> Iterator[Measure]:
    return (each.measure for name, group in run.groups if name == title for each in group)


def _kind(measure: Measure) -> str:
    if measure.part is not None:
        return "part"
    return "plain" if measure.cutoff is None else "cutoff"


def _table(scored: Sequence[Scores], bases: dict[str, list[Measure]]) -> Table:
    columns = list(dict.fromkeys(_column(each) for of_base in bases.values() for each in of_base))
    rows = []
    for base, measures in bases.items():
        by_column = {_column(each): each for each in measures}
        for run in scored:
            cells = tuple(
                run.values.get(by_column[name]) if name in by_column else None for name in columns
            )
            rows.append((base, run.material.info.name, cells))
    return Table(tuple(columns), tuple(rows))


def _column(measure: Measure) -> str:
    if measure.part is not None:
        return measure.part.value
    return "value" if measure.cutoff is None else f"@{measure.cutoff}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it is shown: its number, its words, and which sides chose it."""

    number: int
    words: str
    role: str
    """"hit" if both did, "missed" if only the annotators, "extra" if only the system, or ""."""


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document as it is shown."""

    id: str
    title: str
    rank: int | None
    gold: Label | None
    is_evidence: bool
    predicted: Label | None
    probability: float | None
    sentences: tuple[Sentence, ...]
    shortened: bool
    """Whether only the selected sentences are shown."""
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A claim as it is shown, with what the filters look at."""

    report: ClaimReport
    documents: tuple[DocumentView, ...]
    left_out: int
    """Documents wrongly taken for evidence that are not shown."""

    @property
    def keys(self) -> str:
        """The causes as words without spaces, for the filter."""
        causes = [cause.replace(" ", "-") for cause in self.report.causes]
        return " ".join(causes or ["nothing-to-find"])

    @property
    def right(self) -> bool | None:
        """Whether the verdict is right; None where it was not to be judged."""
        if self.report.gold is None or self.report.verdict is None:
            return None
        return self.report.gold is self.report.verdict


def claim_view(report: ClaimReport) -> ClaimView:
    """Shape a claim; evidence is shown in full, mistaken documents by their sentences."""
    mistaken = [each for each in report.documents if each.gold is None]
    shown = [each for each in report.documents if each.gold is not None]
    shown += mistaken[:SHOWN_MISTAKES]
    return ClaimView(report, tuple(map(_document, shown)), len(mistaken[SHOWN_MISTAKES:]))


def _document(report: DocumentReport) -> DocumentView:
    gold, candidate = report.gold, report.candidate
    return DocumentView(
        id=report.id,
        title=_title(report),
        rank=report.rank,
        gold=gold.evidence.label if gold else None,
        is_evidence=gold is not None,
        predicted=candidate.label if candidate else None,
        probability=candidate.probability if candidate else None,
        sentences=tuple(_sentences(report)),
        shortened=gold is None,
        findings=report.findings,
    )


def _title(report: DocumentReport) -> str:
    if report.gold and report.gold.title:
        return report.gold.title
    return report.candidate.document.title if report.candidate else ""


def _sentences(report: DocumentReport) -> Iterator[Sentence]:
    gold, candidate = report.gold, report.candidate
    chosen = frozenset(sentences_of(candidate)) if candidate else frozenset()
    if gold is None:
        if candidate is not None:
            for number in sorted(chosen):
                yield Sentence(number, candidate.document.sentences[number], "extra")
        return
    wanted = frozenset().union(*gold.evidence.rationales)
    for number, (start, end) in enumerate(gold.spans):
        role = _ROLES[number in wanted, number in chosen]
        yield Sentence(number, gold.abstract[start:end], role)


_ROLES = {
    (True, True): "hit",
    (True, False): "missed",
    (False, True): "extra",
    (False, False): "",
}
