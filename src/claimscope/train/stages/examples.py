"""What a stage learns from: a claim, one or several texts, and the right answer."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol, TypeVar

from claimscope.datasets.record import LabelledClaim
from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.labels import Label
from claimscope.models.loader import Models
from claimscope.models.scorer import label_order, relevant_column
from claimscope.stages.decide.classifier import ClaimClassifier
from claimscope.stages.rerank.pair_reranker import RelevanceReranker
from claimscope.train.claims import Claims, Search, fold_of, groups_of, judged_of
from claimscope.types import Candidate, Case

Item = TypeVar("Item")
Target = bool | Label | float
"""Whether the text is relevant, what it says of the claim, or a score between 0 and 1."""


@dataclass(frozen=True, slots=True)
class Example:
    """One claim beside one text; claims are held out by their ids."""

    claim_id: str
    claim: str
    evidence: str
    target: Target


@dataclass(frozen=True)
class Work:
    """What a builder needs: random numbers, a folder for costly results, a progress callback."""

    generator: random.Random
    folder: Path
    progress: Callable[[int, int], None] = lambda done, total: None
    """Told how many of how many claims are done, by builders that take long."""


class Builder(Protocol):
    """Makes the examples of one stage as its paper does."""

    def build(self, data: Claims, work: Work) -> list[Example]:
        """Make the examples, the same ones for the same generator."""


def output_of(target: Target, names: Sequence[str]) -> float:
    """Give the number of a target's output, or the value of a single output."""
    if len(names) <= 1:
        if isinstance(target, Label):
            raise ConfigurationError(
                "A network with one output cannot learn labels; name an output for each label."
            )
        return float(target)
    if isinstance(target, Label):
        parsed = tuple(map(Label.parse, names))
        return label_order(names, frozenset(parsed)).index(target)
    if not isinstance(target, bool):
        raise ConfigurationError(
            f"Scores are learnt by one output, and there are {len(names)}; leave the labels out."
        )
    column = relevant_column(names)
    return column if target else 1 - column


def divided(
    examples: Sequence[Example], claims: Sequence[LabelledClaim], folds: int, fold: int | None
) -> tuple[list[Example], list[Example]]:
    """Split examples into training examples and those of one fold of claims.

    Claims that share a document lie on the same side; without a fold none is held out.
    """
    groups = groups_of(claims)
    held = {name for name, group in groups.items() if fold_of(group, folds) == fold}
    learnt = [each for each in examples if each.claim_id not in held]
    return learnt, [each for each in examples if each.claim_id in held]


def oversampled(
    examples: Sequence[Example], factors: Mapping[str, int], names: Sequence[str]
) -> list[Example]:
    """Repeat the examples of an output as many times as its factor says.

    A single output is that of relevance, whose examples are relevant or irrelevant.
    """
    names = names if len(names) > 1 else ("irrelevant", "relevant")
    unknown = sorted(factors.keys() - set(names))
    if unknown:
        raise UnknownNameError("output to oversample", unknown[0], names)
    if not factors:
        return list(examples)
    counts = [factors.get(name, 1) for name in names]
    return [each for each in examples for _ in range(counts[int(output_of(each.target, names))])]


def checksum(examples: Sequence[Example]) -> str:
    """Give a checksum of examples, by which a resumed training knows its data."""
    digest = hashlib.blake2b(digest_size=16)
    for each in examples:
        digest.update(repr(each).encode())
    return digest.hexdigest()


def sampled(items: Sequence[Item], count: int, generator: random.Random) -> list[Item]:
    """Draw up to a number of items, in their own order."""
    places = generator.sample(range(len(items)), min(count, len(items)))
    return [items[place] for place in sorted(places)]


PASSAGES = ("gold", "retrieved")
_CLAIMS = 64
"""Claims whose passages are scored together."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Joins the passages of a claim and takes the claim's own label (section 2.2.4).

    The authors' code learns from passages as they are found: the first k of the search, and the
    cross-encoder's best if it is not among them. The cross-encoder reads `pool` passages of the
    search and the gold ones that the search misses. "gold" is the row "Ground Truth Evidence" of
    the paper's table 3.
    """

    passages: str = "gold"
    separator: str = " "
    """What stands between passages, as in the stage decide.classifier."""
    search: Search = field(default_factory=lambda: Search(4, "lucene", 0.5, 0.85, "stem-stop"))
    reranker: str = ""
    """Name or folder of the cross-encoder; without it the search alone finds passages."""
    pool: int = 10

    def __post_init__(self) -> None:
        if self.passages not in PASSAGES:
            raise UnknownNameError("source of passages", self.passages, PASSAGES)

    def build(self, data: Claims, work: Work) -> list[Example]:
        """Make one example per claim; a claim without passage or label gives none."""
        names = self._names(data, work)
        joins = ClaimClassifier("", self.separator)
        return [
            Example(each.claim.id, each.claim.text, joins.evidence(found), each.verdict)
            for each in data.claims
            if each.verdict is not None
            and (found := [data.documents[name] for name in names[each.claim.id]])
        ]

    def _names(self, data: Claims, work: Work) -> dict[str, list[str]]:
        """Name each claim's passages."""
        if self.passages == "gold":
            return {each.claim.id: judged_of(each, data) for each in data.claims}
        deep = replace(self.search, k=max(self.search.k, self.pool)).found(data)
        found = {claim: names[: self.search.k] for claim, names in deep.items()}
        if not self.reranker:
            return found
        best = self._best(data, {claim: names[: self.pool] for claim, names in deep.items()}, work)
        return {
            claim: list(dict.fromkeys((*names, *best[claim]))) for claim, names in found.items()
        }

    def _best(
        self, data: Claims, found: dict[str, list[str]], work: Work
    ) -> dict[str, Sequence[str]]:
        """Name the passage of each claim that the cross-encoder prefers."""
        stage = RelevanceReranker(self.reranker, content="abstract", k=1, models=Models())
        best: dict[str, Sequence[str]] = {}
        for start in range(0, len(data.claims), _CLAIMS):
            some = data.claims[start : start + _CLAIMS]
            for case in stage.run([_case(each, data, found[each.claim.id]) for each in some]):
                best[case.claim.id] = [item.document.id for item in case.candidates]
            work.progress(len(best), len(data.claims))
        return best


def _case(claim: LabelledClaim, data: Claims, found: list[str]) -> Case:
    names = dict.fromkeys((*found, *judged_of(claim, data)))
    return Case(claim.claim, tuple(Candidate(data.documents[name]) for name in names))
