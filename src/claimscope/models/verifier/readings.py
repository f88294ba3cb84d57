"""Several readings of one abstract: sentences read again, a stance classifier, a second network."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from claimscope.errors import ConfigurationError
from claimscope.models.verifier.joint import (
    LEAST,
    Abstract,
    JointVerifier,
    Verified,
    leaning,
    logarithms,
)
from claimscope.models.verifier.settings import VerifierSettings
from claimscope.types import LabelProbabilities, Score


@dataclass(frozen=True, slots=True)
class RereadingVerifier:
    """Verifies with a verifier, then verifies each of its best sentences without the others.

    In a whole abstract most sentences say nothing of the claim, which blurs support and refutation;
    a sentence alone is read as sharply as in training on pairs. The label of the sentence that is
    likeliest to be evidence joins that of the abstract: the two are averaged as logarithms of
    probabilities, divided by the temperature, and moved by the biases of the three labels. The
    scores of a sentence in the two readings are averaged as log-odds; one that is read once keeps
    its score.

    The stance classifier, if there is one, reads the likeliest sentences, and its log-odds of
    support against refutation, weighted by how likely each sentence is evidence, join the others.
    """

    verifier: JointVerifier
    settings: VerifierSettings
    stances: JointVerifier | None = None

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        """Verify abstracts; one that is unlikely to be evidence is read once.

        So is one of a single sentence, which would be read as before; the stance classifier reads
        it all the same.
        """
        first = self.verifier.verify(abstracts)
        again = {
            place: _best(result.sentences, self.settings.reread)
            for place, result in enumerate(first)
            if self._is_hopeful(result) and len(result.sentences) > 1
        }
        second = self._alone(self.verifier, abstracts, again)
        both = [self._joined(result, second.get(place, {})) for place, result in enumerate(first)]
        if self.stances is not None:
            told = {
                place: _best(result.sentences, self.settings.stance_sentences)
                for place, result in enumerate(both)
                if self._is_hopeful(first[place])
            }
            for place, labels in self._alone(self.stances, abstracts, told).items():
                both[place] = self._told(both[place], labels)
        return [
            _finished(result, leaning(whole.labels), self.settings)
            for whole, result in zip(first, both, strict=True)
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
        return evidence_in(result.labels) >= self.settings.reread_least

    def _joined(self, first: Verified, second: Mapping[int, LabelProbabilities]) -> Verified:
        if not second:
            return first
        scores, leanings = list(first.sentences), list(first.leanings)
        for index, read in second.items():
            scores[index] = mean_score(
                scores[index], evidence_in(read), self.settings.reread_sentence_weight
            )
            if leanings:
                leanings[index] = leaning(read)
        surest = max(second, key=lambda index: scores[index].raw)
        labels = mean_labels(first.labels, second[surest], self.settings.reread_weight)
        return Verified(labels, tuple(scores), tuple(leanings))

    def _told(self, result: Verified, told: Mapping[int, LabelProbabilities]) -> Verified:
        """Divide the probability of evidence anew between support and refutation."""
        share = self.settings.stance_weight
        leanings = list(result.leanings)
        for index in told if leanings else ():
            leanings[index] = share * leaning(told[index]) + (1 - share) * leanings[index]
        weights = {index: max(result.sentences[index].raw, LEAST) for index in told}
        odds = sum(weights[index] * leaning(told[index]) for index in told)
        odds /= sum(weights.values())
        odds = share * odds + (1 - share) * leaning(result.labels)
        evidence = evidence_in(result.labels)
        supports = evidence / (1 + math.exp(-odds))
        labels = LabelProbabilities(supports, evidence - supports, result.labels.not_enough_info)
        return replace(result, labels=labels, leanings=tuple(leanings))


def _finished(result: Verified, whole: float, settings: VerifierSettings) -> Verified:
    """Scale the labels, and compare the sides of the whole abstract and its best sentence."""
    labels = scaled(result.labels, settings)
    if settings.agreement is None or not result.leanings:
        return replace(result, labels=labels)
    sentence = result.leanings[_best(result.sentences, 1)[0]]
    opposite = whole * sentence < 0 and min(abs(whole), abs(sentence)) >= settings.agreement
    return replace(result, labels=labels, in_conflict=opposite)


def _best(scores: Sequence[Score], count: int) -> list[int]:
    """Give the places of the best scores, the best first."""
    order = sorted(range(len(scores)), key=lambda index: (-scores[index].raw, index))
    return order[:count]


@dataclass(frozen=True, slots=True)
class SecondReader:
    """Verifies with a verifier and lets a second one, a larger one say, read the same abstracts.

    Labels are averaged as logarithms of probabilities and scores of sentences as log-odds, because
    two networks err in different places. The settings are those of the second, and so is the share
    that it has.
    """

    first: JointVerifier
    second: JointVerifier
    settings: VerifierSettings

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        """Verify abstracts; one that is hardly evidence is read by the first alone."""
        least = self.settings.reread_least
        found = self.first.verify(abstracts)
        hopeful = [i for i, each in enumerate(found) if evidence_in(each.labels) >= least]
        again = self.second.verify([abstracts[place] for place in hopeful]) if hopeful else []
        for place, result in zip(hopeful, again, strict=True):
            found[place] = self._joined(found[place], result)
        return [_finished(each, leaning(each.labels), self.settings) for each in found]

    def _joined(self, first: Verified, second: Verified) -> Verified:
        weight = self.settings.beside
        leanings = tuple(
            (1 - weight) * one + weight * other
            for one, other in zip(first.leanings, second.leanings, strict=False)
        )
        scores = tuple(
            mean_score(one, other.probability, self.settings.beside_sentences)
            for one, other in zip(first.sentences, second.sentences, strict=True)
        )
        labels = mean_labels(first.labels, second.labels, weight)
        return Verified(labels, scores, leanings)


def mean_labels(
    first: LabelProbabilities, second: LabelProbabilities, weight: float
) -> LabelProbabilities:
    """Average logarithms of probabilities, the second's with this weight from 0 to 1."""
    pairs = zip(logarithms(first), logarithms(second), strict=True)
    return _shares([(1 - weight) * one + weight * other for one, other in pairs])


def mean_score(first: Score, second: float | None, weight: float) -> Score:
    """Average log-odds of a sentence's probabilities, the second's with this weight from 0 to 1."""
    if not weight:
        return first
    if first.probability is None or second is None:
        raise ConfigurationError(
            "A verifier that gives sentences no probabilities cannot have them read again; set "
            "reread_sentence_weight and beside_sentences in its claimscope.json to 0."
        )
    odds = (1 - weight) * _log_odds(first.probability) + weight * _log_odds(second)
    value = 1 / (1 + math.exp(-odds))
    return Score(value, value)


def scaled(labels: LabelProbabilities, settings: VerifierSettings) -> LabelProbabilities:
    """Divide logarithms by the temperature and move them by the bias of each label, if any."""
    rows = zip(logarithms(labels), settings.bias or (0.0, 0.0, 0.0), strict=True)
    return _shares([row / settings.temperature + each for row, each in rows])


def evidence_in(labels: LabelProbabilities) -> float:
    """Give the probability of either support or refutation."""
    return labels.supports + labels.refutes


def _shares(logits: Sequence[float]) -> LabelProbabilities:
    highest = max(logits)
    raised = [math.exp(each - highest) for each in logits]
    supports, refutes, neither = (each / sum(raised) for each in raised)
    return LabelProbabilities(supports, refutes, neither)


def _log_odds(probability: float) -> float:
    kept = min(max(probability, LEAST), 1 - LEAST)
    return math.log(kept / (1 - kept))
