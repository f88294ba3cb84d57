"""A second reading: the sentences that look like evidence are read again, each by itself."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from claimscope.models.verifier.averages import (
    LEAST,
    evidence_in,
    leaning,
    mean_labels,
    mean_score,
    scaled,
)
from claimscope.models.verifier.joint import Abstract, JointVerifier, Verified
from claimscope.types import LabelProbabilities, Score


@dataclass(frozen=True, slots=True)
class Rereading:
    """What is read again, and how much that counts."""

    sentences: int
    """How many of the best sentences are read again, each by itself."""
    weight: float
    """Share of the second reading in the label, from 0 to 1; the rest is the first one's."""
    least: float
    """An abstract whose p(supports) + p(refutes) is below this is not read again."""
    sentence_weight: float = 0.0
    """Share of the second reading in the scores of the sentences, from 0 to 1."""
    stance_weight: float = 1.0
    """Share of the network of stances, where there is one, in telling support from refutation."""
    stance_sentences: int = 1
    """How many of the likeliest sentences that network reads, each by itself."""


class RereadingVerifier:
    """Verifies with a verifier, then verifies each of its best sentences by itself.

    In a whole abstract most sentences are silent, and telling support from refutation suffers from
    it; alone, a sentence is read as sharply as in training on pairs. The label of the sentence
    that is likeliest to be evidence joins that of the abstract: the two are averaged as logarithms
    of probabilities, divided by the temperature, and moved by the biases of supports, refutes and
    neither. The scores of a sentence in the two readings are averaged as log-odds; one that is
    read once keeps its score.

    A second network, if there is one, reads the likeliest sentences, and its log-odds of support
    against refutation, weighted by how likely each sentence is evidence, join those of the first.
    """

    def __init__(
        self,
        verifier: JointVerifier,
        settings: Rereading,
        temperature: float = 1.0,
        bias: Sequence[float] = (),
        stances: JointVerifier | None = None,
    ) -> None:
        self._verifier = verifier
        self._settings = settings
        self._temperature = temperature
        self._bias = tuple(bias)
        self._stances = stances

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        """Verify abstracts; one without hope is read once.

        So is one of a single sentence, of which the same would be said again; its stance is told
        by the second network, too.
        """
        first = self._verifier.verify(abstracts)
        again = {
            place: _best(result.sentences, self._settings.sentences)
            for place, result in enumerate(first)
            if self._is_hopeful(result) and len(result.sentences) > 1
        }
        second = self._alone(self._verifier, abstracts, again)
        both = [self._joined(result, second.get(place, {})) for place, result in enumerate(first)]
        if self._stances is not None:
            told = {
                place: _best(result.sentences, self._settings.stance_sentences)
                for place, result in enumerate(both)
                if self._is_hopeful(first[place])
            }
            for place, labels in self._alone(self._stances, abstracts, told).items():
                both[place] = self._told(both[place], labels)
        return [
            replace(result, labels=scaled(result.labels, self._temperature, self._bias))
            for result in both
        ]

    def _alone(
        self,
        verifier: JointVerifier,
        abstracts: Sequence[Abstract],
        chosen: Mapping[int, Sequence[int]],
    ) -> dict[int, dict[int, LabelProbabilities]]:
        """Read chosen sentences of abstracts, each by itself."""
        places = [(place, index) for place, indexes in chosen.items() for index in indexes]
        shown = [
            replace(abstracts[place], sentences=(abstracts[place].sentences[index],))
            for place, index in places
        ]
        labels: dict[int, dict[int, LabelProbabilities]] = {}
        found = verifier.verify(shown) if shown else []
        for (place, index), result in zip(places, found, strict=True):
            labels.setdefault(place, {})[index] = result.labels
        return labels

    def _is_hopeful(self, result: Verified) -> bool:
        return evidence_in(result.labels) >= self._settings.least

    def _joined(self, first: Verified, second: Mapping[int, LabelProbabilities]) -> Verified:
        if not second:
            return first
        scores = list(first.sentences)
        for index, read in second.items():
            scores[index] = mean_score(
                scores[index], evidence_in(read), self._settings.sentence_weight
            )
        surest = max(second, key=lambda index: scores[index].raw)
        labels = mean_labels(first.labels, second[surest], self._settings.weight)
        return Verified(labels, tuple(scores))

    def _told(self, result: Verified, told: Mapping[int, LabelProbabilities]) -> Verified:
        """Part the probability of evidence anew between support and refutation."""
        weights = {index: max(result.sentences[index].raw, LEAST) for index in told}
        odds = sum(weights[index] * leaning(told[index]) for index in told)
        odds /= sum(weights.values())
        share = self._settings.stance_weight
        odds = share * odds + (1 - share) * leaning(result.labels)
        evidence = evidence_in(result.labels)
        supports = evidence / (1 + math.exp(-odds))
        labels = LabelProbabilities(supports, evidence - supports, result.labels.not_enough_info)
        return replace(result, labels=labels)


def _best(scores: Sequence[Score], count: int) -> list[int]:
    """Give the places of the best scores, the best first."""
    order = sorted(range(len(scores)), key=lambda index: (-scores[index].raw, index))
    return order[:count]
