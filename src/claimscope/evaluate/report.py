"""Writes a run, or several side by side, as one HTML page that needs nothing but a browser."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from claimscope.evaluate import figures
from claimscope.evaluate.budget import Blame, BudgetLine, Funnel, budget_of, funnel_of
from claimscope.evaluate.compare import contrast_headlines, require_same_claims
from claimscope.evaluate.explain import Cause, explain_run
from claimscope.evaluate.folder import RunFolder, RunInfo
from claimscope.evaluate.score import Scores, headlines, titles_of
from claimscope.evaluate.views import CAUSE_WORDS, claim_view, tables
from claimscope.measures.records import RankingData
from claimscope.render.charts import whisker
from claimscope.render.page import asset, environment


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
