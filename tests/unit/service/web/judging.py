"""A verifier that tests can reason about: words of denial refute, other quotes support."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope.pipeline import preset
from claimscope.pipeline.pipeline import Pipeline
from claimscope.pipeline.registry import Resources
from claimscope.pipeline.stage import Composable, Kind, Part
from claimscope.service.state import Service
from claimscope.stages.decide.votes import AnyEvidence
from claimscope.types import Candidate, Case, LabelProbabilities

_DENIAL = re.compile(r"\b(?:not|no|failed|fail|without)\b", re.IGNORECASE)


@dataclass(frozen=True)
class WordJudge(Composable):
    kind: ClassVar[Kind] = Kind.JUDGE
    name: ClassVar[str] = "words"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.RATIONALE})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.LABELS})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        return [
            replace(case, candidates=tuple(_judged(item) for item in case.candidates))
            for case in cases
        ]


def _judged(item: Candidate) -> Candidate:
    if not item.rationale:
        return replace(item, labels=LabelProbabilities(0.05, 0.05, 0.9))
    best = item.rationale[0]
    sure = min(0.97, 0.55 + best.score.raw / 2)
    denies = _DENIAL.search(item.document.sentences[best.index])
    sides = (1 - sure - 0.01, sure) if denies else (sure, 1 - sure - 0.01)
    return replace(item, labels=LabelProbabilities(sides[0], sides[1], 0.01))


def judged(service: Service, threshold: float = 0.8) -> None:
    """Give a service the lexical preset with this judge instead of none."""
    checker = service.batcher.checker
    built = preset.load("lexical-baseline").build(Resources(library=checker.library))
    retrieve, select, _ = built.stages
    checker.pipeline = Pipeline((retrieve, select, WordJudge(), AnyEvidence(threshold)))
