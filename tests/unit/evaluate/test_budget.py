import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.evaluate.budget import Blame, budget, budget_of, funnel_of
from claimscope.evaluate.folder import RunFolder
from claimscope.labels import Label
from claimscope.measures.measure import PredictedEvidence
from claimscope.types import GoldEvidence

from .conftest import MakeRun
from .small import SEARCH

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
GOLD = {"1": {"d": GoldEvidence(S, (frozenset({0, 1}),))}}


def _lost(said: dict[str, PredictedEvidence]) -> dict[str, dict[Blame, float]]:
    return {line.measure.base: dict(line.lost) for line in budget(GOLD, {"1": said})}


def test_what_was_never_seen_is_lost_by_retrieval() -> None:
    for lost in _lost({}).values():
        assert lost == {Blame.RETRIEVAL: 1, Blame.RATIONALE: 0, Blame.LABEL: 0}


def test_a_wrong_label_is_lost_by_the_label() -> None:
    lost = _lost({"d": PredictedEvidence(R, (0, 1))})
    assert lost["abstract-label-only"] == {Blame.RETRIEVAL: 0, Blame.RATIONALE: 0, Blame.LABEL: 1}
    assert lost["sentence-selection"] == {Blame.RETRIEVAL: 0, Blame.RATIONALE: 0, Blame.LABEL: 0}


def test_a_missing_partner_is_lost_by_the_rationale() -> None:
    lost = _lost({"d": PredictedEvidence(S, (0,))})
    assert lost["abstract-rationalized"][Blame.RATIONALE] == 1
    assert lost["abstract-label-only"][Blame.RATIONALE] == 0


def test_silence_is_the_selectors_fault_if_it_selected_nothing() -> None:
    other = PredictedEvidence(N, (3,))
    nothing = _lost({"d": PredictedEvidence(N), "x": other})["abstract-label-only"]
    assert nothing == {Blame.RETRIEVAL: 0, Blame.RATIONALE: 1, Blame.LABEL: 0}
    something = _lost({"d": PredictedEvidence(N, (0,)), "x": other})["abstract-label-only"]
    assert something == {Blame.RETRIEVAL: 0, Blame.RATIONALE: 0, Blame.LABEL: 1}


def test_a_document_that_is_no_evidence_is_lost_by_retrieval_or_saved_by_the_label() -> None:
    said = {"d": PredictedEvidence(S, (0, 1)), "x": PredictedEvidence(S, (2,))}
    [line, *_] = budget(GOLD, {"1": said})
    assert line.actual == pytest.approx(2 / 3)
    assert line.alone == {
        Blame.RETRIEVAL: pytest.approx(1),
        Blame.RATIONALE: pytest.approx(2 / 3),
        Blame.LABEL: pytest.approx(1),
    }
    assert line.share(Blame.RETRIEVAL) == pytest.approx(1)


_documents = st.sampled_from("abcd")
_sentences = st.lists(st.integers(0, 6), max_size=5).map(tuple)
_evidence = st.builds(
    GoldEvidence,
    st.sampled_from([S, R]),
    st.sampled_from(
        [(frozenset({0}),), (frozenset({0, 1}), frozenset({3})), (frozenset({1, 2, 4, 5}),)]
    ),
)
_said = st.dictionaries(
    _documents, st.builds(PredictedEvidence, st.sampled_from([S, R, N]), _sentences), max_size=4
)


@given(st.lists(st.tuples(st.dictionaries(_documents, _evidence, max_size=3), _said), min_size=1))
def test_parts_never_lose_less_than_nothing_and_together_lose_everything(
    claims: list[tuple[dict[str, GoldEvidence], dict[str, PredictedEvidence]]],
) -> None:
    gold = {str(number): each for number, (each, _) in enumerate(claims)}
    considered = {str(number): said for number, (_, said) in enumerate(claims)}
    if not any(gold.values()):
        return
    for line in budget(gold, considered):
        for part, points in line.lost.items():
            may_fall = (line.measure.base, part) == ("sentence-label", Blame.RATIONALE)
            assert points >= -1e-12 or may_fall
        assert line.actual + sum(line.lost.values()) == pytest.approx(1)


def test_a_run_has_a_budget_and_a_funnel(majority: RunFolder, make_run: MakeRun) -> None:
    assert [line.measure.base for line in budget_of(majority)] == [
        "abstract-label-only",
        "abstract-rationalized",
        "sentence-selection",
        "sentence-label",
    ]
    steps = [(step.stage, step.left, step.of) for step in funnel_of(majority)]
    assert steps == [("retrieve.bm25", 4, 5), ("rerank.cut", 3, 5)]
    assert budget_of(make_run(SEARCH)) == ()
