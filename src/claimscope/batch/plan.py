"""Estimates what a corpus and a stream of claims need, from measured rates, with every formula.

The rates stand in rates.toml, each with the command that measured it. A plan extrapolates them in
proportion: nobody has measured millions of papers here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import ceil
from types import MappingProxyType

from claimscope.errors import InputError, UnknownNameError

DIMENSIONS = MappingProxyType({"static": 128, "dense": 384})
"""Of the vectors that the package ships, and of all-MiniLM-L6-v2."""

_MEASURED_WITH = "static"
_DISK_BYTES = 2
_MEMORY_BYTES = 1
"""A dimension is a 16-bit number on the disk, and an 8-bit number in memory."""
_FILLED = 0.7
"""Share of a node's memory that a plan fills; the rest is for searches and for a lost node."""
_HIGH_AVAILABILITY = 3
_DAY = 86_400
_HOUR = 3_600


@dataclass(frozen=True, slots=True)
class Rate:
    """A measured number, its unit, and the command that prints it."""

    value: float
    unit: str
    command: str
    about: str


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be planned for, and on what."""

    documents: int
    vectors: str = "static"
    claims_per_day: int = 10_000
    replicas: int = 2
    cores: int = 16
    """For reading, embedding and adding, over all machines."""
    node_memory: float = 64.0
    """Gigabytes of each Qdrant node."""
    core_hour: float = 0.05
    """What an hour of one core costs, in any currency."""

    def __post_init__(self) -> None:
        if self.vectors not in DIMENSIONS:
            raise UnknownNameError("kind of vectors", self.vectors, DIMENSIONS)
        for name in ("documents", "claims_per_day", "replicas", "cores", "node_memory"):
            if getattr(self, name) <= 0:
                raise InputError(f"The number of {name.replace('_', ' ')} must be above 0.")
        if self.core_hour < 0:
            raise InputError("The price of a core hour must not be below 0.")


@dataclass(frozen=True, slots=True)
class Line:
    """One result: the name, the value, its unit, and the formula with its numbers."""

    name: str
    value: float
    unit: str
    formula: str


@lru_cache(maxsize=1)
def rates() -> Mapping[str, Rate]:
    """Read the measured rates."""
    table = tomllib.loads(files("claimscope.batch").joinpath("rates.toml").read_text("utf-8"))
    return MappingProxyType({name: Rate(**row) for name, row in table.items()})


def plan(wish: Wish) -> list[Line]:
    """Estimate everything that was wished for."""
    disk, memory = _size(wish, "disk", _DISK_BYTES), _size(wish, "memory", _MEMORY_BYTES)
    steps = [_read(wish), _embed(wish), _add(wish)]
    return [disk, memory, _nodes(wish, memory), *steps, _build(steps), *_claims(wish)]


def _size(wish: Wish, what: str, per_dimension: int) -> Line:
    measured = rates()[f"qdrant_{what}"].value
    more = (DIMENSIONS[wish.vectors] - DIMENSIONS[_MEASURED_WITH]) * per_dimension
    value = wish.documents * (measured + more) * wish.replicas / 1e9
    each = f"({measured:,.0f} + {more} B)" if more else f"{measured:,.0f} B"
    formula = f"{wish.documents:,} papers × {each} × {wish.replicas} replicas"
    return Line(f"{what}, all nodes together", value, "GB", formula)


def _nodes(wish: Wish, memory: Line) -> Line:
    needed = memory.value / (_FILLED * wish.node_memory)
    least = _HIGH_AVAILABILITY if wish.replicas > 1 else 1
    formula = (
        f"{memory.value:,.1f} GB ÷ ({_FILLED:.0%} of {wish.node_memory:g} GB), at least {least}"
    )
    return Line("Qdrant nodes", max(least, ceil(needed)), "", formula)


def _read(wish: Wish) -> Line:
    rate = rates()["read"].value
    formula = f"{wish.documents:,} papers ÷ {rate:,.0f}/s; one process reads, one takes"
    return Line("hours to read", wish.documents / rate / _HOUR, "h", formula)


def _embed(wish: Wish) -> Line:
    rate = rates()[f"embed_{wish.vectors}"].value
    value = wish.documents / (rate * wish.cores) / _HOUR
    formula = f"{wish.documents:,} papers ÷ ({rate:,.0f}/s × {wish.cores} cores)"
    return Line(f"hours to embed ({wish.vectors})", value, "h", formula)


def _add(wish: Wish) -> Line:
    seconds = rates()["qdrant_add"].value
    value = wish.documents * seconds * wish.replicas / wish.cores / _HOUR
    formula = (
        f"{wish.documents:,} papers × {1000 * seconds:.2f} ms of CPU × {wish.replicas} replicas ÷ "
        f"{wish.cores} cores"
    )
    return Line("hours to add and index", value, "h", formula)


def _build(steps: list[Line]) -> Line:
    formula = " + ".join(f"{step.value:,.1f}" for step in steps)
    return Line("hours to build", sum(step.value for step in steps), "h", formula)


def _claims(wish: Wish) -> list[Line]:
    rate = rates()["check"].value
    cores = wish.claims_per_day / _DAY / rate
    hours = 1e6 / rate / _HOUR
    each = f"{rate:.2f} claims/s for each core"
    return [
        Line(
            "cores to check",
            ceil(cores),
            "",
            f"{wish.claims_per_day:,} claims a day ÷ {_DAY:,} s ÷ {each}",
        ),
        Line("core hours for a million claims", hours, "h", f"1,000,000 claims ÷ {each}"),
        Line(
            "cost of a million claims",
            hours * wish.core_hour,
            "",
            f"{hours:,.0f} core hours × {wish.core_hour:g}, your price of a core hour",
        ),
    ]
