"""The one spelling of measure names."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.errors import InputError, UnknownNameError
from claimscope.measures import DEFINITIONS, Measure, Part, evaluate, parse_measure
from claimscope.measures.measure import Cutoff, LabelData, RankingData


@st.composite
def measures(draw: st.DrawFn) -> Measure:
    definition = draw(st.sampled_from(list(DEFINITIONS.values())))
    wants = definition.cutoff is Cutoff.REQUIRED or (
        definition.cutoff is Cutoff.OPTIONAL and draw(st.booleans())
    )
    return Measure(
        definition.base,
        draw(st.integers(1, 10_000)) if wants else None,
        draw(st.sampled_from(Part)) if definition.parts else None,
    )


@given(measures())
def test_a_name_read_back_is_the_same_measure(measure: Measure) -> None:
    assert parse_measure(str(measure)) == measure


_USED = ["R@20", "P@5", "macro-R@3", "nDCG@10", "RR", "hit-one@3", "evidence-hit-all@3"]
_USED += ["retrieval F1", "abstract-label-only F1", "repository-sentence-label R", "SUPPORTS F1"]
_USED += ["macro-F1", "climate-H", "label-aware-AP", "ECE@10", "AURC"]
_REFUSED = ["R", "R@0", "R@-1", "r@20", "RR F1", "nDCG@", "abstract-label-only", "AURC@3", ""]
_REFUSED += ["R@20 F1", "sentence-label f1", "accuracy@1", "R@٣", "R @20"]


@pytest.mark.parametrize("name", _USED)
def test_the_names_people_use(name: str) -> None:
    assert str(parse_measure(name)) == name


@pytest.mark.parametrize("name", _REFUSED)
def test_other_names_are_refused_with_the_choices(name: str) -> None:
    with pytest.raises(UnknownNameError, match=r"R@k, P@k"):
        parse_measure(name)


@given(st.text(max_size=30))
def test_any_text_is_a_measure_or_refused(text: str) -> None:
    with suppress(UnknownNameError):
        assert str(parse_measure(text)) == text.strip()


def test_a_measure_says_what_it_needs() -> None:
    with pytest.raises(InputError, match="accuracy is computed from LabelData, not from Ranking"):
        evaluate(parse_measure("accuracy"), RankingData({}, {}))


def test_no_claims_at_all_score_zero() -> None:
    assert evaluate(parse_measure("R@3"), RankingData({}, {})) == 0
    assert evaluate(parse_measure("macro-F1"), LabelData({}, {})) == 0
