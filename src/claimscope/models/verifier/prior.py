"""How likely an abstract is evidence, once it is known how well its words were found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.types import Candidate, LabelProbabilities

_LEAST = 1e-9


@dataclass(frozen=True, slots=True)
class RelevancePrior:
    """Moves the log-odds of evidence by weight · (share − typical).

    The share is a document's retrieval score beside that of the best candidate. Verification and
    relevance are mixed as in the ComboScorer of +VeriRel (equation 5), but in log-odds: what comes
    out is again a probability, and support and refutation keep their proportion.
    """

    weight: float
    typical: float
    """The share that changes nothing."""
    named: float = 1.0
    """The share that a document has that was named rather than found."""

    def applied(self, labels: LabelProbabilities, share: float) -> LabelProbabilities:
        """Give the labels of a document with this share."""
        evidence = labels.supports + labels.refutes
        moved = math.log(max(evidence, _LEAST)) - math.log(max(labels.not_enough_info, _LEAST))
        moved += self.weight * (share - self.typical)
        odds = math.exp(min(moved, 50.0))
        left = odds / (1 + odds)
        factor = left / max(evidence, _LEAST)
        return LabelProbabilities(labels.supports * factor, labels.refutes * factor, 1 - left)


def shares(candidates: Sequence[Candidate], named: float = 1.0) -> list[float]:
    """Give each candidate's last score beside the best one's.

    A document that was named rather than found has no score; its share is given.
    """
    scores = [item.score.raw if item.score is not None else None for item in candidates]
    best = max((score for score in scores if score is not None), default=0.0)
    return [
        named if score is None else max(0.0, score) / best if best > 0 else 1.0 for score in scores
    ]
