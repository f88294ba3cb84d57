"""A verifier's settings: how it reads, and every number that was fitted for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from claimscope.errors import ConfigurationError
from claimscope.models.checkpoint import DESCRIPTION, read_description, write_table
from claimscope.types import Candidate, LabelProbabilities

TABLE = "verifier"
"""The table of `claimscope.json` that holds the settings."""
_LEAST = 1e-9


@dataclass(frozen=True, slots=True)
class VerifierSettings:
    """Everything besides the weights that determines a verifier's answers.

    Readings, scaling, prior and thresholds are fitted together, so they stand together with the
    weights. A preset may overrule them for one pipeline.
    """

    reread: int = 0
    """How many of the best sentences are read again, each without the others."""
    reread_weight: float = 0.5
    """Share of the second reading in the label, from 0 to 1."""
    reread_sentence_weight: float = 0.0
    """Share of the second reading in the scores of the sentences, from 0 to 1."""
    reread_least: float = 0.02
    """An abstract whose p(supports) + p(refutes) is below this is read once."""
    stance_weight: float = 0.0
    """Share of the stance classifier, stance.onnx, in support against refutation; 0 if none."""
    stance_sentences: int = 1
    """How many of the likeliest sentences the stance classifier reads."""
    first: str = ""
    """Name or folder of a verifier that reads every abstract before this one."""
    beside: float = 0.5
    """Share of this verifier in the label beside the first one, from 0 to 1."""
    beside_sentences: float = 0.5
    """Share of this verifier in the scores of the sentences beside the first one, from 0 to 1."""
    temperature: float = 1.0
    """What label logits are divided by, so that probabilities are calibrated (Guo et al., 2017)."""
    bias: tuple[float, ...] = ()
    """What is then added to SUPPORTS, REFUTES and NOT_ENOUGH_INFO; nothing if empty."""
    relevance: float = 0.0
    """Weight of the `RelevancePrior`; 0 for none."""
    typical: float = 1.0
    named: float = 1.0
    evidence: float | None = None
    """From which p(supports) + p(refutes) an abstract is evidence; if None, the likeliest label
    decides."""
    threshold: float = 0.5
    """Least probability of a sentence of the rationale."""
    share: float = 0.0
    """Least probability of a sentence beside that of the abstract's best one."""
    most: int = 0
    """Most sentences of a rationale; 0 for no limit."""
    force_rationale: bool = False
    """Whether evidence gets its best sentence if none reaches the thresholds."""
    agreement: float | None = None
    """From which log-odds of support against refutation a reading takes a side. An abstract that is
    read as one side and its best sentence as the other does not count. If None, the two readings
    are not compared."""
    least: float = 0.0
    """Least probability of a label that counts towards a verdict."""
    firm: float = 0.0
    """Least confidence of a verdict that is more than a leaning."""
    risk: tuple[tuple[float, float], ...] = ()
    """Share of wrong labels among abstracts taken as evidence with at least a probability, measured
    on held-out claims: pairs of probability and share, the surest first."""

    @property
    def reads_once(self) -> bool:
        """Whether there is neither a second reading nor a stance classifier."""
        return not self.reread and not self.stance_weight


def read_verifier(folder: Path) -> VerifierSettings:
    """Read the settings of the verifier in a folder; one that says nothing has the defaults."""
    table = read_description(folder).get(TABLE, {})
    known = {item.name for item in fields(VerifierSettings)}
    unknown = sorted(table.keys() - known)
    if unknown:
        raise ConfigurationError(
            f"{folder / DESCRIPTION} has the unknown verifier setting {unknown[0]!r}; known ones "
            f"are: {', '.join(sorted(known))}."
        )
    try:
        return VerifierSettings(**{key: _value(key, value) for key, value in table.items()})
    except (TypeError, ValueError) as error:
        raise ConfigurationError(
            f"{folder / DESCRIPTION} cannot be read ({error}); write it anew."
        ) from None


def write_verifier(settings: VerifierSettings, folder: Path) -> None:
    """Write the settings into the description of a folder."""
    write_table({TABLE: asdict(settings)}, folder)


def _value(key: str, value: Any) -> Any:
    if key == "bias":
        return tuple(map(float, value))
    if key == "risk":
        return tuple((float(least), float(wrong)) for least, wrong in value)
    return value


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
