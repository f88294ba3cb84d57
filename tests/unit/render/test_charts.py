import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.render import charts
from claimscope.render.svg import Scale, element, text

_shares = st.floats(0, 1)
_SVG = "{http://www.w3.org/2000/svg}"


def _parse(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


@given(st.text(st.characters(codec="utf-8", categories=["L", "P", "S", "N"])))
def test_text_is_never_markup(words: str) -> None:
    drawn = _parse(text(1, 2, words))
    assert drawn.text == (words or None)
    assert _parse(element("g", class_=words)).get("class") == words


@given(st.lists(st.tuples(st.text("<a&\"'", max_size=8), _shares, _shares, _shares), min_size=1))
def test_a_stacked_bar_is_as_long_as_its_parts(
    rows: list[tuple[str, float, float, float]],
) -> None:
    drawn = _parse(
        charts.stacked_bars(
            "Budget",
            "All of it.",
            [
                (name, [charts.Segment(n, share / 3, name) for n, share in enumerate(shares)])
                for name, *shares in rows
            ],
        )
    )
    widths = [float(bar.get("width", "nan")) for bar in drawn.iter("rect")]
    full = Scale(0, 1, 178, 744)
    expected = sum(full(share / 3) - full(0) for _, *shares in rows for share in shares)
    assert sum(widths) == pytest.approx(expected, abs=0.06 * len(widths))


def test_pictures_have_names_for_those_who_cannot_see_them() -> None:
    drawn = _parse(
        charts.rank_curves(
            "Recall", "It rises.", [charts.Series("bm25", ((1, 0.2), (2, 0.5)))], "y"
        )
    )
    assert drawn.get("role") == "img"
    assert [drawn.findtext("title"), drawn.findtext("desc")] == ["Recall", "It rises."]


def test_curves_rise_on_the_page_when_values_rise() -> None:
    drawn = _parse(
        charts.rank_curves(
            "t", "d", [charts.Series("a", tuple((k, k / 100) for k in (1, 50, 100)))], "y"
        )
    )
    [curve] = drawn.iter("polyline")
    points = [tuple(map(float, pair.split(","))) for pair in curve.get("points", "").split()]
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert [y for _, y in points] == sorted((y for _, y in points), reverse=True)


def test_scales_may_be_logarithmic() -> None:
    scale = Scale(1, 100, 0, 10, logarithmic=True)
    assert scale(10) == pytest.approx(5)
    assert Scale(1, 1, 3, 9)(1) == 3


def test_empty_bins_are_not_drawn() -> None:
    bins = [(0.0, 0.5, 0, 0.0, 0.0), (0.5, 1.0, 4, 0.8, 0.75)]
    drawn = _parse(charts.reliability("t", "d", bins))
    assert len(list(drawn.iter("rect"))) == 1
