"""The report's pictures as inline SVG; colours are classes, so that both schemes can set them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from markupsafe import Markup

from claimscope.render.svg import Scale, element, line, picture, polyline, rectangle, text

Point = TypeVar("Point")

_WIDTH, _HEIGHT = 560.0, 330.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 62.0, 16.0, 14.0, 46.0
_TENTHS = tuple(tick / 5 for tick in range(6))
_RANKS = (1, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
_LOGARITHMIC_FROM = 40
"""Longer axes of ranks are logarithmic, since most happens at the first ranks."""


@dataclass(frozen=True, slots=True)
class Series:
    """A named line."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a stacked bar: its part's number, its length from 0 to 1, and its words."""

    part: int
    length: float
    words: str


def _axes(x: Scale, y: Scale, x_ticks: Sequence[float], x_label: str, y_label: str) -> Markup:
    bottom = y(y.low)
    ticks = [
        element("g", line(_LEFT, y(at), _WIDTH - _RIGHT, y(at), "grid"), _tick_label(y, at))
        for at in (y.high * tick for tick in _TENTHS)
    ]
    ticks += [
        element(
            "g",
            line(x(at), bottom, x(at), bottom + 4, "axis"),
            text(x(at), bottom + 17, f"{at:g}", "tick", "middle"),
        )
        for at in x_ticks
    ]
    middle = (y.start + y.end) / 2
    turned = element(
        "text",
        Markup.escape(y_label),
        x=14,
        y=middle,
        class_="label",
        text_anchor="middle",
        transform=f"rotate(-90 14 {middle:g})",
    )
    named = text((x.start + x.end) / 2, _HEIGHT - 8, x_label, "label", "middle")
    return element("g", *ticks, line(_LEFT, bottom, _WIDTH - _RIGHT, bottom, "axis"), named, turned)


def _tick_label(y: Scale, at: float) -> Markup:
    return text(_LEFT - 8, y(at) + 4, f"{at:g}", "tick", "end")


def _unit_scales(x_low: float, x_high: float, logarithmic: bool = False) -> tuple[Scale, Scale]:
    return (
        Scale(x_low, x_high, _LEFT, _WIDTH - _RIGHT, logarithmic),
        Scale(0, 1, _HEIGHT - _BOTTOM, _TOP),
    )


def rank_curves(title: str, description: str, series: Sequence[Series], y_label: str) -> Markup:
    """Draw shares over ranks, one line per series, with a legend below."""
    longest = max((x for each in series for x, _ in each.points), default=1)
    x, y = _unit_scales(1, max(longest, 2), longest >= _LOGARITHMIC_FROM)
    ticks = sorted({longest, *(k for k in _RANKS if k <= longest)})
    lines = [
        element(
            "g",
            polyline([(x(k), y(share)) for k, share in each.points], f"line part-{number}"),
            *_marks(each, x, y, ticks, number),
        )
        for number, each in enumerate(series)
    ]
    axes = _axes(x, y, ticks, "rank", y_label)
    legend = _legend([each.name for each in series])
    return picture(title, description, _WIDTH, _HEIGHT, axes, *lines, legend)


def _marks(series: Series, x: Scale, y: Scale, ticks: Sequence[float], number: int) -> list[Markup]:
    """Mark the usual ranks with a dot that says its value."""
    return [
        element(
            "circle",
            element("title", Markup.escape(f"{series.name}: {share:.3f} at rank {k:g}")),
            cx=x(k),
            cy=y(share),
            r=3.5,
            class_=f"dot part-{number}",
        )
        for k, share in series.points
        if k in ticks
    ]


def _legend(names: Sequence[str]) -> Markup:
    """Name the lines in the lower right corner, where curves that rise leave room."""
    top = _HEIGHT - _BOTTOM - 14 - 18 * (len(names) - 1)
    left = _WIDTH - _RIGHT - 24 - max((len(name) for name in names), default=0) * 7.2
    rows = [
        element(
            "g",
            line(
                left, top + 18 * number - 4, left + 18, top + 18 * number - 4, f"line part-{number}"
            ),
            text(left + 25, top + 18 * number, name, "tick"),
        )
        for number, name in enumerate(names)
    ]
    return element("g", *rows)


def reliability(
    title: str, description: str, bins: Sequence[tuple[float, float, int, float, float]]
) -> Markup:
    """Draw accuracy over confidence; each bin is lower, upper, decisions, confidence, accuracy.

    The bars' strength shows how many decisions they stand for; the diagonal is perfect calibration.
    """
    x, y = _unit_scales(0, 1)
    most = max((bin_[2] for bin_ in bins), default=0)
    bars = []
    for lower, upper, decisions, confidence, accuracy in bins:
        if decisions:
            strength = 1 + round(3 * decisions / most)
            tip = f"confidence {confidence:.2f}, accuracy {accuracy:.2f}, {decisions:,} decisions"
            bars.append(
                element(
                    "g",
                    rectangle(
                        x(lower) + 1,
                        y(accuracy),
                        x(upper) - x(lower) - 2,
                        y(0) - y(accuracy),
                        f"bar part-0 strength-{strength}",
                        tip,
                    ),
                    line(x(lower) + 1, y(confidence), x(upper) - 1, y(confidence), "target"),
                )
            )
    axes = _axes(x, y, _TENTHS, "confidence", "accuracy")
    diagonal = line(x(0), y(0), x(1), y(1), "diagonal")
    return picture(title, description, _WIDTH, _HEIGHT, axes, *bars, diagonal)


def risk_coverage(title: str, description: str, points: Sequence[tuple[float, float]]) -> Markup:
    """Draw the share of wrong decisions over the share of decisions made."""
    x, y = _unit_scales(0, 1)
    y = replace(
        y, high=next(top for top in (0.1, 0.2, 0.5, 1.0) if top >= max(b for _, b in points))
    )
    area = [(x(points[0][0]), y(0)), *((x(a), y(b)) for a, b in points), (x(points[-1][0]), y(0))]
    joined = " ".join(f"{a:.1f},{b:.1f}" for a, b in area)
    axes = _axes(x, y, _TENTHS, "coverage (share of decisions made)", "risk (share wrong)")
    return picture(
        title,
        description,
        _WIDTH,
        _HEIGHT,
        axes,
        element("polygon", points=joined, class_="area part-0"),
        polyline([(x(a), y(b)) for a, b in points], "line part-0"),
    )


def thinned(points: Sequence[Point], most: int) -> list[Point]:
    """Thin out points evenly to about this many; the last one stays."""
    step = max(1, len(points) // most)
    kept = list(points[::step])
    return kept if not points or kept[-1] == points[-1] else [*kept, points[-1]]


def stacked_bars(
    title: str, description: str, rows: Sequence[tuple[str, Sequence[Segment]]]
) -> Markup:
    """Draw one bar per name from 0 to 1, made of labelled segments."""
    left, right, height, gap = 178.0, 16.0, 30.0, 16.0
    x = Scale(0, 1, left, _WIDTH + 200 - right)
    total = len(rows) * (height + gap)
    drawn = [
        element("g", line(x(at), 0, x(at), total, "grid"), _below(x(at), total, at))
        for at in _TENTHS
    ]
    for number, (name, segments) in enumerate(rows):
        top = number * (height + gap) + gap / 2
        drawn.append(text(left - 12, top + height / 2 + 4, name, "row", "end"))
        start = 0.0
        for segment in segments:
            drawn.append(_segment(segment, x, start, top, height))
            start += segment.length
    return picture(title, description, _WIDTH + 200, total + 26, *drawn)


def _below(x: float, y: float, at: float) -> Markup:
    return text(x, y + 18, f"{at:g}", "tick", "middle")


def _segment(segment: Segment, x: Scale, start: float, top: float, height: float) -> Markup:
    begin, end = x(start), x(start + segment.length)
    bar = rectangle(begin, top, end - begin, height, f"bar part-{segment.part}", segment.words)
    if end - begin < 34:
        return bar
    value = text(
        (begin + end) / 2, top + height / 2 + 4, f"{segment.length:.2f}", "inside", "middle"
    )
    return element("g", bar, value)


def whisker(low: float, value: float, high: float) -> Markup:
    """Draw a value with its interval on the scale from 0 to 1, small enough for a table cell."""
    x = Scale(0, 1, 5, 115)
    return picture(
        f"{value:.3f}",
        f"95 % interval from {low:.3f} to {high:.3f}",
        120,
        14,
        line(5, 7, 115, 7, "grid"),
        line(x(low), 7, x(high), 7, "whisker"),
        element("circle", cx=x(value), cy=7, r=3.5, class_="dot part-0"),
    )


def histogram(title: str, description: str, counts: Mapping[int, int], x_label: str) -> Markup:
    """Draw how often each number occurs; many different numbers are put into bins of equal width.

    What lies beyond the 99th percentile is counted in the last bin, so that one odd record does
    not squeeze the rest.
    """
    bins, width = _bins(counts)
    first, last = min(bins), max(bins)
    x = Scale(first, last + width, _LEFT, _WIDTH - _RIGHT)
    y = Scale(0, _round_top(max(bins.values())), _HEIGHT - _BOTTOM, _TOP)
    bars = []
    for start, count in bins.items():
        numbers = f"{start}" if width == 1 else f"{start} to {start + width - 1}"
        beyond = " and more" if start == last else ""
        bars.append(
            rectangle(
                x(start) + 1,
                y(count),
                x(start + width) - x(start) - 2,
                y(0) - y(count),
                "bar part-0",
                f"{numbers}{beyond}: {count:,}",
            )
        )
    step = max(1, len(bins) // 8)
    marks = [
        text(x(start + width / 2), y(0) + 17, f"{start}", "tick", "middle")
        for start in sorted(bins)[::step]
    ]
    axes = _axes(x, y, (), x_label, "number")
    return picture(title, description, _WIDTH, _HEIGHT, axes, *bars, *marks)


_MOST_BINS = 24


def _round_top(most: int) -> int:
    """Give the first number from here up that has five round steps."""
    step = 1
    while True:
        for factor in (1, 2, 5):
            if 5 * factor * step >= most:
                return 5 * factor * step
        step *= 10


def _bins(counts: Mapping[int, int]) -> tuple[dict[int, int], int]:
    numbers = sorted(counts)
    total, seen, top = sum(counts.values()), 0, numbers[-1]
    for number in numbers:
        seen += counts[number]
        if seen >= 0.99 * total:
            top = number
            break
    width = max(1, -(-(top - numbers[0] + 1) // _MOST_BINS))
    starts = range(numbers[0], top + 1, width)
    bins = dict.fromkeys(starts, 0)
    for number, count in counts.items():
        bins[starts[min((number - numbers[0]) // width, len(starts) - 1)]] += count
    return bins, width
