from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from claimscope.errors import ConfigurationError
from claimscope.pipeline.pipeline import Pipeline
from claimscope.pipeline.stage import Composable, Kind, Part, describe
from claimscope.stages.decide.votes import AnyEvidence
from claimscope.stages.rerank.cut import Cut
from claimscope.stages.select.sentences import Lead
from claimscope.types import Candidate, Case, Claim, Document, Score


@dataclass(frozen=True)
class Shelf(Composable):
    """Finds the documents it was given."""

    size: int = 3

    kind: ClassVar[Kind] = Kind.RETRIEVE
    name: ClassVar[str] = "shelf"
    requires: ClassVar[frozenset[Part]] = frozenset()
    provides: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        found = tuple(
            Candidate(
                Document(f"d{number}", "t", "One. Two.", ((0, 4), (5, 9))),
                {"retrieve.shelf": Score(10.0 - number)},
            )
            for number in range(self.size)
        )
        return [replace(case, candidates=found) for case in cases]


def test_stages_join_and_run_in_order() -> None:
    pipeline = Shelf(size=5) >> Cut(k=2) >> Lead(n=1)
    cases = pipeline.run([Claim("a"), Claim("b")])
    assert [case.claim.text for case in cases] == ["a", "b"]
    assert [item.document.id for item in cases[0].candidates] == ["d0", "d1"]
    assert cases[0].candidates[0].rationale[0].index == 0


def test_the_trace_tells_what_came_in_and_what_went_out() -> None:
    [case] = (Shelf(size=3) >> Cut(k=2)).run([Claim("a")])
    retrieved, cut = case.trace
    assert (retrieved.stage, cut.stage) == ("retrieve.shelf", "rerank.cut")
    assert [(entry.rank, entry.score) for entry in retrieved.kept] == [
        (1, 10.0),
        (2, 9.0),
        (3, 8.0),
    ]
    assert cut.received == ("d0", "d1", "d2")
    assert cut.dropped == ("d2",)
    assert cut.seconds >= 0


def test_a_pipeline_that_cannot_work_fails_when_built_and_names_the_stage() -> None:
    with pytest.raises(ConfigurationError, match=r"decide\.any-evidence needs labels"):
        Shelf() >> AnyEvidence()
    with pytest.raises(ConfigurationError, match=r"rerank\.cut needs candidates"):
        Pipeline((Cut(),))
    with pytest.raises(ConfigurationError, match="stands twice"):
        Shelf() >> Cut() >> Cut()
    with pytest.raises(ConfigurationError, match="at least one stage"):
        Pipeline(())


def test_a_stage_that_loses_cases_is_caught() -> None:
    class Forgetful(Shelf):
        def run(self, cases: Sequence[Case]) -> list[Case]:
            return []

    with pytest.raises(ConfigurationError, match="returned 0 cases for 1"):
        Pipeline.of(Forgetful()).run([Claim("a")])


def test_what_is_not_a_stage_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="str is not a stage"):
        Pipeline.of("bm25")


def test_progress_is_told_stage_by_stage() -> None:
    told = []
    (Shelf() >> Cut()).run([Claim("a")], on_stage=lambda name, cases: told.append(name))
    assert told == ["retrieve.shelf", "rerank.cut"]


def test_parameters_are_described_for_provenance() -> None:
    assert describe(Cut(k=7)) == {"stage": "rerank.cut", "k": 7, "share": 0.0}
