"""Named measures of rankings, evidence, labels and confidence; nothing here imports a model."""

from claimscope.measures.bootstrap import Interval, bootstrap
from claimscope.measures.contributions import Contributions
from claimscope.measures.measure import Definition, Measure, Part
from claimscope.measures.significance import Comparison, Spread, randomisation_test, spread
from claimscope.measures.table import (
    DEFINITIONS,
    contributions,
    define,
    evaluate,
    parse_measure,
    scifact_measures,
)

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
