"""Reads a scorer's outputs as relevance: of a document, of a window, of a sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence

from claimscope.errors import ConfigurationError
from claimscope.models.scorer import Pair, Scorer, log_probabilities
from claimscope.types import Score

RELEVANT_NAMES = frozenset({"relevant", "true", "rationale", "evidence"})
"""How models call the class that counts."""


def relevance(scorer: Scorer, pairs: Sequence[Pair]) -> list[Score]:
    """Score pairs: the log-probability of the relevant class, or the value of a single output.

    Log-probabilities are what pygaggle gives for monoT5 and monoBERT.
    """
    if not pairs:
        return []
    column = relevant_column(scorer.labels)
    logits = scorer.logits(pairs)
    logs = log_probabilities(logits)
    raw = logits if logits.shape[1] == 1 else logs
    return [
        Score(float(value), math.exp(log))
        for value, log in zip(raw[:, column], logs[:, column], strict=True)
    ]


def relevant_column(labels: Sequence[str]) -> int:
    """Find the output that means relevant."""
    if len(labels) == 1:
        return 0
    found = [place for place, label in enumerate(labels) if label.casefold() in RELEVANT_NAMES]
    if len(found) != 1:
        raise ConfigurationError(
            f"The model's outputs are named {', '.join(labels)}, and one of them has to be "
            f"{' or '.join(sorted(RELEVANT_NAMES))}; set id2label in its config.json."
        )
    return found[0]
