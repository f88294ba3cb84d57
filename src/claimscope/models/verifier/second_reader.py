"""A second reader: another verifier reads whole abstracts, too, and both have their say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from claimscope.models.verifier.averages import evidence_in, mean_labels, mean_score, scaled
from claimscope.models.verifier.joint import Abstract, JointVerifier, Verified


@dataclass(frozen=True, slots=True)
class SecondReader:
    """Verifies with a verifier and has a second one, a larger one say, read the same abstracts.

    Labels are averaged as logarithms of probabilities and scores of sentences as log-odds: two
    networks err in different places. Then labels are divided by the temperature and moved by the
    biases of supports, refutes and neither.
    """

    first: JointVerifier
    second: JointVerifier
    weight: float
    """Share of the second in the label, from 0 to 1."""
    sentence_weight: float
    """Share of the second in the scores of the sentences, from 0 to 1."""
    least: float = 0.0
    """An abstract whose p(supports) + p(refutes) is below this by the first is read by it alone."""
    temperature: float = 1.0
    bias: tuple[float, ...] = ()

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        """Verify abstracts; one without hope is read once."""
        found = self.first.verify(abstracts)
        hopeful = [i for i, each in enumerate(found) if evidence_in(each.labels) >= self.least]
        again = self.second.verify([abstracts[place] for place in hopeful]) if hopeful else []
        for place, result in zip(hopeful, again, strict=True):
            found[place] = self._joined(found[place], result)
        return [
            replace(each, labels=scaled(each.labels, self.temperature, self.bias)) for each in found
        ]

    def _joined(self, first: Verified, second: Verified) -> Verified:
        scores = tuple(
            mean_score(one, other.probability, self.sentence_weight)
            for one, other in zip(first.sentences, second.sentences, strict=True)
        )
        return Verified(mean_labels(first.labels, second.labels, self.weight), scores)
