"""One contract for every registered stage; a new one is tested as soon as it is registered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from claimscope.case_json import to_dict
from claimscope.labels import Label
from claimscope.library.local import LocalLibrary
from claimscope.pipeline.registry import Resources, available, build
from claimscope.pipeline.stage import Kind, Part, Stage, describe
from claimscope.stages.judge.rationale import Majority
from claimscope.stages.oracle import OracleRetriever
from claimscope.stages.retrieve.library_bm25 import LibraryBM25
from claimscope.stages.select.sentences import LexicalSelector
from claimscope.types import Case, Claim, GoldEvidence
from tests.language_model import Served, serving

GOLD = {"1": {"aspirin": GoldEvidence(Label.SUPPORTS, (frozenset({1}),))}}
CLAIMS = (
    Claim("Aspirin lowers the risk of heart attack", "1"),
    Claim("Zebras", "2"),
    Claim("💊", "3"),
)
NEEDED: Mapping[str, Mapping[str, Any]] = {
    "retrieve.dense": {"model": "all-minilm-l6-v2"},
    "retrieve.rrf": {"members": [{"name": "bm25"}, {"name": "tfidf"}]},
    "rerank.combo": {"scored_by": "retrieve.bm25", "scale": "min-max"},
    "rerank.ensemble": {"scored_by": "retrieve.bm25"},
    "rerank.relevance": {"model": "monot5-3b-msmarco"},
    "select.relevance": {"model": "verisci-rationale", "threshold": 0.0},
    "judge.joint": {"model": "multivers-scifact", "threshold": 0.0},
    "judge.full-text": {"model": "multivers-scifact"},
    "judge.rationale": {"model": "verisci-label"},
    "judge.llm": {"llm": "tiny", "cache": False},
    "judge.second-opinion": {"llm": "tiny", "cache": False},
    "decide.classifier": {"model": "climate-label"},
}
"""Parameters without a default, by stage; small models stand in for those that are named."""

STAGES = [(kind, name) for kind in Kind for name in available(kind)]


@pytest.fixture(params=STAGES, ids=[f"{kind}.{name}" for kind, name in STAGES])
def stage(request: pytest.FixtureRequest, library: LocalLibrary) -> Stage:
    kind, name = request.param
    needed = NEEDED.get(f"{kind}.{name}", {})
    resources = Resources(library=library, gold=GOLD)
    if "model" in needed:
        resources = replace(resources, models=request.getfixturevalue("tiny").models())
    if "llm" in needed:
        needed = {**needed, "url": request.getfixturevalue("language_model").url}
    return build(kind, name, needed, resources)


@pytest.fixture(scope="module")
def language_model() -> Iterator[Served]:
    with serving() as served:
        yield served


@pytest.fixture
def cases(stage: Stage, library: LocalLibrary) -> list[Case]:
    """Cases that hold all a stage may require."""
    if not stage.requires:
        return [Case(claim) for claim in CLAIMS]
    found = LibraryBM25(library, k=5).run([Case(claim) for claim in CLAIMS])
    return Majority("SUPPORTS").run(LexicalSelector().run(found))


def test_a_case_comes_back_for_each_case_in_order(stage: Stage, cases: list[Case]) -> None:
    assert [case.claim for case in stage.run(cases)] == [case.claim for case in cases]


def test_no_cases_are_fine(stage: Stage) -> None:
    assert stage.run([]) == []


def test_a_batch_gives_what_its_cases_give_alone(stage: Stage, cases: list[Case]) -> None:
    together, alone = stage.run(cases), [stage.run([case])[0] for case in cases]
    assert_close([to_dict(case) for case in together], [to_dict(case) for case in alone])


def assert_close(one: Any, other: Any) -> None:
    """Compare plain values; numbers may differ in the last bits, as sums in a larger batch do."""
    if isinstance(one, dict):
        assert list(one) == list(other)
        one, other = list(one.values()), list(other.values())
    if isinstance(one, list):
        assert len(one) == len(other)
        for mine, its in zip(one, other, strict=True):
            assert_close(mine, its)
    elif isinstance(one, float):
        assert one == pytest.approx(other, abs=1e-4)
    else:
        assert one == other


def test_running_twice_gives_the_same(stage: Stage, cases: list[Case]) -> None:
    before = [case.candidates for case in cases]
    assert stage.run(cases) == stage.run(cases)
    assert [case.candidates for case in cases] == before


def test_it_provides_what_it_declares(stage: Stage, cases: list[Case]) -> None:
    case = stage.run(cases)[0]
    if Part.CANDIDATES in stage.provides:
        assert case.candidates
        # Documents that the oracle names were not found, and so have no score.
        scored = not isinstance(stage, OracleRetriever)
        assert all((each.score is not None) == scored for each in case.candidates)
    if Part.RATIONALE in stage.provides:
        assert any(candidate.rationale for candidate in case.candidates)
    if Part.LABELS in stage.provides:
        assert all(candidate.labels is not None for candidate in case.candidates)
    if Part.VERDICT in stage.provides:
        assert case.verdict is not None


def test_it_invents_no_documents_and_no_sentences(
    stage: Stage, cases: list[Case], library: LocalLibrary
) -> None:
    for before, after in zip(cases, stage.run(cases), strict=True):
        names = [candidate.document.id for candidate in after.candidates]
        assert len(set(names)) == len(names)
        if stage.kind is not Kind.RETRIEVE:
            assert set(names) <= {item.document.id for item in before.candidates}
        assert library.get(names) == [candidate.document for candidate in after.candidates]
        for candidate in after.candidates:
            for sentence in candidate.rationale:
                assert 0 <= sentence.index < len(candidate.document.spans)


def test_its_parameters_can_be_written_down(stage: Stage) -> None:
    described = describe(stage)
    assert described["stage"] == f"{stage.kind}.{stage.name}"
    assert "library" not in described
    assert "gold" not in described
    assert "models" not in described


def test_it_is_registered_under_its_own_name(stage: Stage) -> None:
    assert stage.name in available(stage.kind)
