"""Scores a run by kinds of claims: those with numbers, with rare terms, with joint evidence.

SciFCheX finds its errors by hand in claims of the first two kinds (section 6.4). Here the kinds are
rules, so that every system is measured on the same claims.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from claimscope.evaluate.folder import RunFolder
from claimscope.evaluate.gold import GoldClaim
from claimscope.evaluate.material import gather
from claimscope.measures import Measure, evaluate, parse_measure
from claimscope.measures.measure import EvidenceData
from claimscope.types import Document

_MEASURES = ("abstract-label-only", "abstract-rationalized", "sentence-selection", "sentence-label")
_NUMBER = re.compile(r"(?<![\w.,-])\d[\d.,]*(?:%|-?fold\b|(?![\w-]))")
"""A number of its own: "50%", "3-fold" and "12" are, the one of "IL-6" and "CO2" is not."""
_WORD = re.compile(r"[^\W\d_]\w*")
_RARE = 0.0002
_SHORTEST = 3


class ClaimKind(StrEnum):
    """What may make a claim hard."""

    ALL = "all claims"
    NUMBERS = "with a number"
    RARE = "with a rare term"
    JOINT = "evidence of several sentences"
    PLAIN = "none of these"


_MEANING: Mapping[ClaimKind, str] = {
    ClaimKind.NUMBERS: "a number that is not part of a name",
    ClaimKind.RARE: f"a word that at most {_RARE:.2%} of the documents have",
    ClaimKind.JOINT: "an abstract whose every rationale has several sentences",
}


@dataclass(frozen=True, slots=True)
class KindScores:
    """The measures of the claims of one kind."""

    kind: ClaimKind
    claims: int
    values: Mapping[Measure, float]


class Rarity:
    """Says which words are rare in a collection; without documents, no word is rare."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._holders: Counter[str] = Counter()
        count = 0
        for document in documents:
            count += 1
            self._holders.update(set(words(document.text)))
        self._most = max(1.0, _RARE * count) if count else -1.0

    def is_rare(self, word: str) -> bool:
        """Say whether so few documents have the word that it is rare."""
        return self._holders[word] <= self._most


def words(text: str) -> list[str]:
    """Give the words of a text in lower case, without short ones and numbers."""
    found = (match.group().casefold() for match in _WORD.finditer(text))
    return [word for word in found if len(word) >= _SHORTEST]


def kinds_of(claim: GoldClaim, rarity: Rarity) -> frozenset[ClaimKind]:
    """Give the kinds that a claim belongs to; there may be several."""
    tests: Mapping[ClaimKind, Callable[[], bool]] = {
        ClaimKind.NUMBERS: lambda: _NUMBER.search(claim.text) is not None,
        ClaimKind.RARE: lambda: any(map(rarity.is_rare, words(claim.text))),
        ClaimKind.JOINT: lambda: _needs_several(claim),
    }
    found = frozenset(kind for kind, holds in tests.items() if holds())
    return found | {ClaimKind.ALL} | (frozenset() if found else {ClaimKind.PLAIN})


def _needs_several(claim: GoldClaim) -> bool:
    documents = [each.evidence.rationales for each in claim.evidence.values()]
    return any(sets and all(len(each) > 1 for each in sets) for sets in documents)


def by_kind(folder: RunFolder, documents: Iterable[Document]) -> Sequence[KindScores]:
    """Score a saved run on the claims of each kind; a run without a judge has no scores."""
    data = gather(folder).records.get(EvidenceData)
    if data is None:
        return ()
    rarity = Rarity(documents)
    kinds = {claim.id: kinds_of(claim, rarity) for claim in folder.gold()}
    measures = [parse_measure(f"{name} F1") for name in _MEASURES]
    found = []
    for kind in ClaimKind:
        gold = {name: each for name, each in data.gold.items() if kind in kinds[name]}
        predicted = {name: data.predictions[name] for name in gold if name in data.predictions}
        if gold:
            some = EvidenceData(gold, predicted)
            values = {measure: evaluate(measure, some) for measure in measures}
            found.append(KindScores(kind, len(gold), values))
    return found


def meaning(kind: ClaimKind) -> str:
    """Say what makes a claim of this kind; empty for all claims and for those of no kind."""
    return _MEANING.get(kind, "")
