"""The joint judge: one model reads the whole abstract, labels it and chooses the sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.models.loader import Models
from claimscope.models.verifier.joint import Abstract, Verified
from claimscope.models.verifier.settings import RelevancePrior, VerifierSettings, shares
from claimscope.pipeline.stage import Composable, Kind, Part, map_candidates
from claimscope.stages.oracle import certain
from claimscope.stages.select.pair_selector import check_order, chosen
from claimscope.types import Candidate, Case, Claim, LabelProbabilities, RationaleSentence

_FITTED = (
    "threshold",
    "force_rationale",
    "evidence",
    "share",
    "most",
    "relevance",
    "typical",
    "named",
)
"""What the model's folder says unless the preset does."""
WHOLE_AGAINST_SENTENCE = "The abstract and its best sentence are read as opposite sides."
LABEL_AGAINST_SENTENCE = "Every sentence to quote is read as the opposite of the label."


@dataclass(frozen=True)
class JointJudge(Composable):
    """Labels each abstract and takes the sentences whose probability reaches the threshold.

    No sentence is quoted that the model reads as the opposite of the label. An abstract of which
    none is left does not count, nor one whose whole and best sentence are read as opposite sides.

    Thresholds and prior were fitted for the model and come from its folder; a parameter that is
    given goes before. A document without an abstract is NOT_ENOUGH_INFO.
    """

    model: str
    threshold: float | None = None
    force_rationale: bool | None = None
    """Gives an abstract that decides the claim its best sentence if none passes, an option of
    MultiVerS's published code."""
    evidence: float | None = None
    """From which probability of support and refutation together an abstract is evidence; one that
    is none has no sentences. Without it the likeliest of the three labels decides."""
    share: float | None = None
    """Least probability of a sentence beside that of the abstract's best one."""
    most: int | None = None
    """At most so many sentences; 0 for all that reach the threshold."""
    relevance: float | None = None
    """How much an abstract that was found well is likelier evidence: the weight of a
    `RelevancePrior`; 0 asks the model alone."""
    typical: float | None = None
    """The share of the best retrieval score at which the model's probability stands."""
    named: float | None = None
    """The share of a document that was named rather than found."""
    reread: int | None = None
    """How many of an abstract's best sentences the model reads again, each by itself; as many as
    its description says if left out."""
    order: str = "score"
    """"score" gives the best sentence first; "index" keeps the order of the abstract, as
    MultiVerS's published code does."""
    models: Models = field(default_factory=Models, repr=False, compare=False)

    kind: ClassVar[Kind] = Kind.JUDGE
    name: ClassVar[str] = "joint"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.RATIONALE, Part.LABELS})

    def __post_init__(self) -> None:
        fitted = self.models.verifier_settings(self.model) or VerifierSettings()
        for name in _FITTED:
            if getattr(self, name) is None:
                object.__setattr__(self, name, getattr(fitted, name))
        check_order(self.order)
        rule = self._rule
        parts = {"threshold": rule.threshold, "evidence": rule.evidence, "share": rule.share}
        for name, value in parts.items():
            if value is not None and not 0 <= value <= 1:
                raise ConfigurationError(
                    f"Parameter {name!r} of stage judge.joint must lie between 0 and 1, "
                    f"not {value:g}."
                )
        if rule.relevance < 0:
            raise ConfigurationError(
                "Parameter 'relevance' of stage judge.joint must be 0 or more, "
                f"not {rule.relevance:g}."
            )
        for name, count in (("most", rule.most), ("reread", self.reread or 0)):
            if count < 0:
                raise ConfigurationError(
                    f"Parameter {name!r} of stage judge.joint must be 0 or more, not {count}."
                )

    @cached_property
    def _rule(self) -> VerifierSettings:
        """The numbers in force."""
        return VerifierSettings(**{name: getattr(self, name) for name in _FITTED})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Verify the candidates of all cases together."""
        abstracts = [
            Abstract(case.claim.text, item.document.title, item.document.sentences)
            for case in cases
            for item in case.candidates
            if item.document.has_abstract
        ]
        verifier = self.models.verifier(self.model, self.reread) if abstracts else None
        results = iter(verifier.verify(abstracts) if verifier else ())
        found = iter(
            [share for case in cases for share in shares(case.candidates, self._rule.named)]
        )

        def judge(_: Claim, item: Candidate) -> Candidate:
            share = next(found)
            if not item.document.has_abstract:
                return replace(item, labels=certain(Label.NOT_ENOUGH_INFO), rationale=())
            return self._judged(item, next(results), share)

        return map_candidates(cases, judge)

    def _judged(self, candidate: Candidate, result: Verified, share: float) -> Candidate:
        rule = self._rule
        sentences = [RationaleSentence(*item) for item in enumerate(result.sentences)]
        prior = RelevancePrior(rule.relevance, rule.typical)
        known = prior.applied(result.labels, share) if rule.relevance else result.labels
        labels = self._decided(known)
        if labels.decided is Label.NOT_ENOUGH_INFO:
            return replace(candidate, labels=labels, rationale=())
        if result.in_conflict and labels.label is not Label.NOT_ENOUGH_INFO:
            return _abstaining(candidate, labels, WHOLE_AGAINST_SENTENCE)
        best = max((each.probability or 0.0 for each in result.sentences), default=0.0)
        least = max(rule.threshold, rule.share * best)
        rationale = chosen(sentences, least, rule.most, self.order)
        decides = labels.label is not Label.NOT_ENOUGH_INFO
        if rule.force_rationale and decides and not rationale:
            rationale = chosen(sentences, 0.0, n=1)
        if rationale and decides:
            kept = tuple(each for each in rationale if _agrees(labels, result, each))
            if not kept:
                return _abstaining(candidate, labels, LABEL_AGAINST_SENTENCE)
            rationale = kept
        return replace(candidate, labels=labels, rationale=rationale)

    def _decided(self, labels: LabelProbabilities) -> LabelProbabilities:
        least = self._rule.evidence
        if least is None:
            return labels
        stance = Label.SUPPORTS if labels.supports > labels.refutes else Label.REFUTES
        enough = labels.supports + labels.refutes >= least
        return replace(labels, decided=stance if enough else Label.NOT_ENOUGH_INFO)


def _agrees(labels: LabelProbabilities, result: Verified, sentence: RationaleSentence) -> bool:
    """Say whether a sentence is not read as the opposite of the label."""
    if not result.leanings:
        return True
    leaning = result.leanings[sentence.index]
    return leaning >= 0 if labels.label is Label.SUPPORTS else leaning <= 0


def _abstaining(candidate: Candidate, labels: LabelProbabilities, reason: str) -> Candidate:
    silent = replace(labels, decided=Label.NOT_ENOUGH_INFO)
    return replace(candidate, labels=silent, rationale=(), abstained=reason)
