"""Draws the evidence for and against a claim as a balance: against to the left, for to the right.

The sides differ in place, in pattern and in words, and not by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from claimscope.render.svg import element, line, picture, text

_WIDTH, _HEIGHT, _MIDDLE = 400.0, 92.0, 200.0
_TOP, _BAR = 34.0, 30.0
_MOST = 190.0
"""Pixels that the longer side may take."""
_UNIT = 62.0
"""Pixels of a paper that is quite sure, where there is room."""


@dataclass(frozen=True, slots=True)
class CountedPaper:
    """A paper that counts: how surely, and what it is called."""

    title: str
    probability: float


def balance(
    supporting: Sequence[CountedPaper], refuting: Sequence[CountedPaper], silent: int
) -> Markup:
    """Draw one block per paper that counts; its width shows the paper's probability."""
    longest = max(_sum(supporting), _sum(refuting), 1.0)
    unit = min(_UNIT, _MOST / longest)
    return picture(
        f"{len(supporting)} for, {len(refuting)} against",
        _description(supporting, refuting, silent),
        _WIDTH,
        _HEIGHT,
        _hatch(),
        text(_MIDDLE - 14, 20, f"{len(refuting)} against ✕", "against", "end"),
        text(_MIDDLE + 14, 20, f"✓ {len(supporting)} for", "for"),
        *_side(refuting, unit, -1),
        *_side(supporting, unit, 1),
        line(_MIDDLE, 6, _MIDDLE, _TOP + _BAR + 8, "axis"),
        text(_MIDDLE, _HEIGHT - 6, _silence(silent), "tick", "middle"),
    )


def _side(papers: Sequence[CountedPaper], unit: float, direction: int) -> list[Markup]:
    blocks, edge = [], 3.0
    for paper in papers:
        width = max(paper.probability * unit, 4.0)
        x = _MIDDLE + edge if direction > 0 else _MIDDLE - edge - width
        tip = element("title", escape(f"{paper.title} ({paper.probability:.2f})"))
        shape = {"x": x, "y": _TOP, "width": width - 2, "height": _BAR, "rx": 4.0}
        name = "for" if direction > 0 else "against"
        blocks.append(element("rect", tip, **shape, class_=f"block {name}"))
        if direction < 0:
            blocks.append(element("rect", **shape, fill="url(#hatch)", class_="hatching"))
        edge += width
    return blocks


def _hatch() -> Markup:
    stroke = element("path", d="M0 8L8 0", class_="hatch")
    units = {"patternUnits": "userSpaceOnUse"}
    return element("defs", element("pattern", stroke, id="hatch", width=8, height=8, **units))


def _description(
    supporting: Sequence[CountedPaper], refuting: Sequence[CountedPaper], silent: int
) -> str:
    words = [
        f"{paper.title} {verb} it with probability {paper.probability:.2f}."
        for verb, papers in (("supports", supporting), ("refutes", refuting))
        for paper in papers
    ]
    return " ".join([*words, _silence(silent)])


def _silence(silent: int) -> str:
    papers = "paper was" if silent == 1 else "papers were"
    return f"{silent} more {papers} read and not counted" if silent else "every paper counted"


def _sum(papers: Sequence[CountedPaper]) -> float:
    return sum(paper.probability for paper in papers)
