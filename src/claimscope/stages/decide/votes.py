"""Rules for the verdict: any evidence, strongest, weighted vote, two labels, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.labels import Label
from claimscope.models.loader import Models
from claimscope.pipeline.stage import Composable, Kind, Part
from claimscope.stages.decide.evidence_rule import Decision, Evidence, EvidenceRule, Tally
from claimscope.stages.decide.study_votes import weighed_by_design
from claimscope.types import Case, Rule, Verdict

WEIGHTS = ("equal", "design")


@dataclass(frozen=True)
class AnyEvidence(EvidenceRule):
    """Decides by which sides have at least one abstract (Diggelmann et al., 2020).

    A side's confidence is its best abstract's probability; a dispute is as sure as its weaker side.
    """

    name: ClassVar[str] = "any-evidence"

    def decide(self, count: Tally) -> Decision:
        """Decide by which sides have evidence."""
        sides = [side[0].probability for side in (count.supporting, count.refuting) if side]
        if len(sides) == 2:
            return Decision(
                Label.DISPUTED,
                min(sides),
                f"at least one abstract supports the claim and at least one refutes it{self.sure}",
                "Losing every abstract of one side would settle it for the other.",
            )
        if count.supporting:
            return Decision(
                Label.SUPPORTS,
                sides[0],
                f"at least one abstract supports the claim and none refutes it{self.sure}",
                "One abstract that refutes it would make it DISPUTED.",
            )
        return Decision(
            Label.REFUTES,
            sides[0],
            f"at least one abstract refutes the claim and none supports it{self.sure}",
            "One abstract that supports it would make it DISPUTED.",
        )


@dataclass(frozen=True)
class Strongest(EvidenceRule):
    """Takes the label of the abstract with the highest probability; it never says DISPUTED.

    VerT5erini's rule for whole claims (Pradeep et al., 2021) is of this kind.
    """

    name: ClassVar[str] = "strongest"

    def decide(self, count: Tally) -> Decision:
        """Take the most certain abstract; ties are resolved by document id."""
        best = min(
            (*count.supporting, *count.refuting),
            key=lambda piece: (-piece.probability, piece.document_id),
        )
        return Decision(
            best.label,
            best.probability,
            f"the most certain abstract, {best.document_id}, says so with probability "
            f"{best.probability:.2f}",
            f"An abstract of the other side above {best.probability:.2f} would turn it.",
        )


@dataclass(frozen=True)
class WeightedVote(EvidenceRule):
    """Decides for a side that holds the majority's share of the weight, and else says DISPUTED.

    The confidence in a side is its share times its best abstract's probability, so that a doubtful
    abstract is no certainty when it is alone; a dispute is as sure as its weaker side's best one.
    A model's folder says from which probability an abstract counts, and below which confidence a
    verdict is a leaning.
    """

    majority: float = 0.75
    weigh: str = "equal"
    """What a vote weighs besides its probability: "equal", or "design" for the study's design."""
    model: str = ""
    """The verifier whose fitted strengths apply; none if left out."""
    firm: float | None = None
    """Least confidence of a verdict that is more than a leaning."""
    models: Models = field(default_factory=Models, repr=False, compare=False)

    name: ClassVar[str] = "weighted-vote"

    def __post_init__(self) -> None:
        if not 0.5 < self.majority < 1:
            raise ConfigurationError(
                "Parameter 'majority' of stage decide.weighted-vote must lie between 0.5 and 1, "
                f"not {self.majority:g}."
            )
        if self.weigh not in WEIGHTS:
            raise UnknownNameError("way to weigh evidence", self.weigh, WEIGHTS)
        fitted = self.models.verifier_settings(self.model) if self.model else None
        if fitted is not None:
            object.__setattr__(self, "threshold", max(self.threshold, fitted.least))
            if self.firm is None:
                object.__setattr__(self, "firm", fitted.firm)

    def count(self, case: Case) -> Tally:
        """Count what votes, and weigh it by the design of its study if asked to."""
        count = super().count(case)
        return weighed_by_design(case, count) if self.weigh == "design" else count

    def decide(self, count: Tally) -> Decision:
        """Weigh both sides, and say whether the winning side is more than a leaning."""
        decision = self._weighed(count)
        weak = decision.label is not Label.DISPUTED and (decision.confidence or 0.0) < (
            self.firm or 0.0
        )
        if not weak:
            return decision
        reason = f"this is a leaning only, below a confidence of {self.firm:.2f}; {decision.reason}"
        return replace(decision, reason=reason, leaning=True)

    def _weighed(self, count: Tally) -> Decision:
        support, refute = _weight(count.supporting), _weight(count.refuting)
        larger, smaller = max(support, refute), min(support, refute)
        share = larger / (larger + smaller)
        won = share >= self.majority
        leading = Label.SUPPORTS if support >= refute else Label.REFUTES
        return Decision(
            leading if won else Label.DISPUTED,
            share * _best(leading, count) if won else min(map(_surest, _sides(count))),
            self._reason(leading, len(count.supporting) + len(count.refuting), share),
            self._would_change(leading, larger, smaller, won),
        )

    def _reason(self, leading: Label, abstracts: int, share: float) -> str:
        verb, opposite = "support", "refutes"
        if leading is Label.REFUTES:
            verb, opposite = "refute", "supports"
        if share == 1:
            which = f"one abstract {verb}s" if abstracts == 1 else f"{abstracts} abstracts {verb}"
            return f"{which} the claim and none {opposite} it"
        weight = f"{share:.0%} of the evidence by weight {verb}s the claim"
        if share >= self.majority:
            return f"{weight}, and {self.majority:.0%} is enough"
        return f"{weight}, and a side needs {self.majority:.0%}"

    def _would_change(self, leading: Label, larger: float, smaller: float, won: bool) -> str:
        odds = self.majority / (1 - self.majority)
        if won:
            side = "refuting" if leading is Label.SUPPORTS else "supporting"
            total, verdict = f"more than {larger / odds - smaller:.2f}", Label.DISPUTED.verdict
        else:
            side = "supporting" if leading is Label.SUPPORTS else "refuting"
            total, verdict = f"at least {odds * smaller - larger:.2f}", leading.verdict
        return (
            f"Further {side} abstracts would make it {verdict} if their probabilities add up to "
            f"{total}."
        )


def _sides(count: Tally) -> tuple[Sequence[Evidence], Sequence[Evidence]]:
    return count.supporting, count.refuting


def _best(leading: Label, count: Tally) -> float:
    supporting, refuting = _sides(count)
    return _surest(supporting if leading is Label.SUPPORTS else refuting)


def _surest(pieces: Sequence[Evidence]) -> float:
    return max((piece.probability for piece in pieces), default=0.0)


def _weight(pieces: Sequence[Evidence]) -> float:
    return sum(piece.probability * piece.weight for piece in pieces)


@dataclass(frozen=True)
class CovidTwoLabels(EvidenceRule):
    """Says SUPPORTED if any abstract supports the claim, and REFUTED otherwise.

    VerT5erini, section 2: too little information counts as refutation, the abstracts' maximum
    decides, and a claim without any evidence sentence is refuted. Made for that data set: an
    unanswered question is no refutation elsewhere.
    """

    threshold: float = 0.0

    name: ClassVar[str] = "covid-two-labels"

    def decide(self, count: Tally) -> Decision:
        """Look for support."""
        if count.supporting:
            best = count.supporting[0]
            return Decision(
                Label.SUPPORTS,
                best.probability,
                f"at least one abstract supports the claim, {best.document_id} most surely",
                "Losing every supporting abstract would make it REFUTED.",
            )
        return self._refuted("no abstract supports the claim", count.refuting[0].probability)

    def _nothing_heard(self) -> Decision:
        return self._refuted("no abstract says anything about it, which this rule counts so", None)

    def _refuted(self, reason: str, confidence: float | None) -> Decision:
        return Decision(
            Label.REFUTES, confidence, reason, "One supporting abstract would make it SUPPORTED."
        )


@dataclass(frozen=True)
class Unjudged(Composable):
    """Says NOT_ENOUGH_INFO and why: sentences were found, but nothing has judged them."""

    kind: ClassVar[Kind] = Kind.DECIDE
    name: ClassVar[str] = "unjudged"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.VERDICT})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Leave every case undecided."""
        return [replace(case, verdict=_undecided(case)) for case in cases]


def _undecided(case: Case) -> Verdict:
    quoted = sum(1 for candidate in case.candidates if candidate.rationale)
    return Verdict(
        label=Label.NOT_ENOUGH_INFO,
        confidence=None,
        supporting=(),
        refuting=(),
        rule=Rule(
            "unjudged",
            f"NOT_ENOUGH_INFO: this pipeline finds and quotes related sentences ({quoted} of "
            f"{len(case.candidates)} abstracts have some) but has no model that judges whether "
            "they support or refute the claim.",
            "A preset with a verifier would judge them.",
        ),
    )
