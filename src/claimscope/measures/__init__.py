"""Named measures of rankings, evidence, labels and confidence; nothing here imports a model."""

from claimscope.measures.catalogue import (
    DEFINITIONS,
    contributions,
    define,
    evaluate,
    parse_measure,
    scifact_measures,
)
from claimscope.measures.contributions import Contributions
from claimscope.measures.intervals import (
    Comparison,
    Interval,
    Spread,
    bootstrap,
    randomisation_test,
    spread,
)
from claimscope.measures.measure import Definition, Measure, Part

__all__ = [
    "DEFINITIONS",
    "Comparison",
    "Contributions",
    "Definition",
    "Interval",
    "Measure",
    "Part",
    "Spread",
    "bootstrap",
    "contributions",
    "define",
    "evaluate",
    "parse_measure",
    "randomisation_test",
    "scifact_measures",
    "spread",
]
