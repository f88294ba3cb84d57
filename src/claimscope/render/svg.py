"""Writes SVG elements; every text and attribute is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

from markupsafe import Markup, escape


def element(tag: str, *content: Markup | str, **attributes: str | float) -> Markup:
    """Write an element; attribute names take `_` for `-`, and a trailing one is dropped."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(_short(value))}"'
        for name, value in attributes.items()
    )
    return Markup("<{0}{1}>{2}</{0}>").format(
        Markup(tag), Markup(written), Markup("").join(content)
    )


def _short(value: str | float) -> str:
    """Give numbers with one digit after the point; a tenth of a pixel cannot be seen."""
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def picture(title: str, description: str, width: float, height: float, *content: Markup) -> Markup:
    """Write a whole picture that a screen reader can name."""
    return element(
        "svg",
        element("title", escape(title)),
        element("desc", escape(description)),
        *content,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        class_="chart",
    )


def text(x: float, y: float, words: str, class_: str = "", anchor: str = "start") -> Markup:
    """Write words at a place."""
    return element("text", escape(words), x=x, y=y, class_=class_, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """Draw a straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def rectangle(x: float, y: float, width: float, height: float, class_: str, tip: str) -> Markup:
    """Draw a bar with a tooltip."""
    return element(
        "rect",
        element("title", escape(tip)),
        x=x,
        y=y,
        width=max(width, 0.0),
        height=max(height, 0.0),
        class_=class_,
    )


def polyline(points: Sequence[tuple[float, float]], class_: str) -> Markup:
    """Draw a line through points."""
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return element("polyline", points=joined, class_=class_)


@dataclass(frozen=True, slots=True)
class Scale:
    """Takes values to pixels, evenly or by their logarithm."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """Give the pixel of a value."""
        low, high, at = self.low, self.high, value
        if self.logarithmic:
            low, high, at = log10(low), log10(high), log10(at)
        share = 0.0 if high == low else (at - low) / (high - low)
        return self.start + share * (self.end - self.start)
