import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from claimscope.stages.retrieve.ranking import rank, top

SCORES = st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0]) | st.floats(-5, 5), max_size=40)


@given(SCORES, st.integers(1, 50))
def test_top_is_the_head_of_a_stable_sort(scores: list[float], k: int) -> None:
    expected = sorted(
        ((place, score) for place, score in enumerate(scores) if score > 0),
        key=lambda pair: -pair[1],
    )
    assert top(np.array(scores, dtype=np.float64), k) == expected[:k]


@given(SCORES)
def test_rank_agrees_with_top(scores: list[float]) -> None:
    array = np.array(scores, dtype=np.float64)
    order = [place for place, _ in top(array, len(scores) + 1)]
    for place in range(len(scores)):
        expected = order.index(place) + 1 if place in order else None
        assert rank(array, place) == expected
