"""What is in a data set: its counts against its card, distributions, and leaks between splits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median

from claimscope.datasets.record import Dataset, Expected, LabelledClaim
from claimscope.errors import ClaimscopeError, MissingDataError
from claimscope.labels import Label
from claimscope.types import Document

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_TOP_TERMS = 20

_STOP_WORDS = frozenset(
    """
    a about after all also an and any are as at be because been before being between both but by can
    could did do does during each for from further had has have he her here his how i if in into is
    it its may might more most no nor not of on only or other our out over own s same she should so
    some such t than that the their them then there these they this those through to under until up
    very was we were what when where which while who whom why will with would you your
    """.split()
)


@dataclass(frozen=True, slots=True)
class Distribution:
    """How a number is spread: its extremes, middle and mean, and how often each value occurs."""

    count: int
    minimum: int
    median: float
    mean: float
    maximum: int
    histogram: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class SplitDescription:
    """What is in one split."""

    name: str
    claims: int
    kept_back: int
    """Claims whose answers are not in the files."""
    labels: Mapping[Label, int]
    """Labels of whole claims; a claim without its own takes what its evidence says."""
    document_labels: Mapping[Label, int]
    """Labels of claim-document pairs."""
    claim_words: Distribution
    judged_per_claim: Distribution
    """Documents that annotators listed, whatever they say."""
    evidence_per_claim: Distribution
    """Documents that support or refute, or that have no label of their own."""
    rationales_per_claim: Distribution
    sentences_per_rationale: Distribution


@dataclass(frozen=True, slots=True)
class Leak:
    """What two splits share."""

    first: str
    second: str
    claims: int
    """Claims with the same text, apart from case, punctuation and spaces."""
    evidence_documents: int
    """Documents that are judged for claims of both."""


@dataclass(frozen=True, slots=True)
class Description:
    """What is in a data set."""

    name: str
    splits: Sequence[SplitDescription]
    absent: Sequence[str]
    """Splits that are not on this machine."""
    leaks: Sequence[Leak]
    documents: int
    document_words: Distribution
    document_sentences: Distribution
    evidence_words: Distribution
    """Lengths of the documents that annotators listed for some claim."""
    rationale_words: Distribution
    """Lengths of the sentences that are in some rationale."""
    vocabulary: int
    """Different words in the documents, whatever their case."""
    frequent_terms: Sequence[tuple[str, int]]
    """The words most documents hold, with how many hold them; without function words."""


def describe(dataset: Dataset) -> Description:
    """Describe all splits on this machine and read every document once."""
    claims = {split: found for split in dataset.card.splits if (found := _read(dataset, split))}
    texts = _Texts(_rationale_sentences(each for found in claims.values() for each in found))
    for document in _documents(dataset):
        texts.add(document)
    return Description(
        dataset.name,
        [describe_split(split, found) for split, found in claims.items()],
        [split for split in dataset.card.splits if split not in claims],
        [find_leak(*pair) for pair in combinations(claims.items(), 2)],
        len(texts.words),
        distribution(texts.words),
        distribution(texts.sentences),
        distribution(texts.evidence_words),
        distribution(texts.rationale_words),
        len(texts.frequencies),
        _frequent(texts.frequencies),
    )


class _Texts:
    """Counts words while the documents go by, so that none has to be kept."""

    def __init__(self, rationale_sentences: Mapping[str, Set[int]]) -> None:
        self._rationale_sentences = rationale_sentences
        self.words: list[int] = []
        self.sentences: list[int] = []
        self.evidence_words: list[int] = []
        self.rationale_words: list[int] = []
        self.frequencies: Counter[str] = Counter()

    def add(self, document: Document) -> None:
        """Count one document."""
        words = _words(document.text)
        self.words.append(len(words))
        self.sentences.append(len(document.spans))
        self.frequencies.update(set(words))
        rationale = self._rationale_sentences.get(document.id)
        if rationale is not None:
            self.evidence_words.append(len(words))
            self.rationale_words.extend(
                len(_words(sentence))
                for index, sentence in enumerate(document.sentences)
                if index in rationale
            )


def _rationale_sentences(claims: Iterable[LabelledClaim]) -> Mapping[str, Set[int]]:
    """Give every document some claim lists, with the sentences that are in some rationale."""
    sentences: dict[str, set[int]] = {}
    for each in claims:
        for name, gold in (each.evidence or {}).items():
            sentences.setdefault(name, set()).update(*gold.rationales)
    return sentences


def _read(dataset: Dataset, split: str) -> list[LabelledClaim]:
    """Read a split; one that is not on this machine is empty."""
    try:
        return list(dataset.claims(split))
    except MissingDataError:
        return []


def _documents(dataset: Dataset) -> Iterable[Document]:
    try:
        yield from dataset.documents()
    except MissingDataError:
        return


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _frequent(frequencies: Counter[str]) -> list[tuple[str, int]]:
    """Give the commonest words of content; equally common ones in the order of the alphabet."""
    counted = ((word, count) for word, count in frequencies.items() if word not in _STOP_WORDS)
    return sorted(counted, key=lambda pair: (-pair[1], pair[0]))[:_TOP_TERMS]


def describe_split(name: str, claims: Sequence[LabelledClaim]) -> SplitDescription:
    """Describe the claims of one split."""
    judged = [each.evidence for each in claims if each.evidence is not None]
    pairs = [gold for evidence in judged for gold in evidence.values()]
    return SplitDescription(
        name,
        len(claims),
        sum(each.verdict is None for each in claims),
        Counter(verdict for each in claims if (verdict := each.verdict)),
        Counter(gold.label for gold in pairs if gold.label is not None),
        distribution([len(_words(each.claim.text)) for each in claims]),
        distribution([len(evidence) for evidence in judged]),
        distribution(
            [
                sum(gold.decides or gold.label is None for gold in evidence.values())
                for evidence in judged
            ]
        ),
        distribution(
            [sum(len(gold.rationales) for gold in evidence.values()) for evidence in judged]
        ),
        distribution([len(rationale) for gold in pairs for rationale in gold.rationales]),
    )


def distribution(values: Sequence[int]) -> Distribution:
    """Summarise numbers; of no numbers at all everything is 0."""
    if not values:
        return Distribution(0, 0, 0.0, 0.0, 0, {})
    histogram = dict(sorted(Counter(values).items()))
    return Distribution(
        len(values), min(values), float(median(values)), fmean(values), max(values), histogram
    )


def find_leak(
    first: tuple[str, Sequence[LabelledClaim]], second: tuple[str, Sequence[LabelledClaim]]
) -> Leak:
    """Find what two splits share."""
    texts = [
        {" ".join(_words(each.claim.text)) for each in claims} for _, claims in (first, second)
    ]
    documents = [
        {name for each in claims for name in (each.evidence or ())} for _, claims in (first, second)
    ]
    return Leak(first[0], second[0], len(texts[0] & texts[1]), len(documents[0] & documents[1]))


@dataclass(frozen=True, slots=True)
class Finding:
    """One count of a data set."""

    what: str
    """Such as "claims in dev"."""
    expected: int | None
    """None if nobody has said how many there should be."""
    found: int | None
    """None if it could not be counted."""
    problem: str = ""
    """Why it could not be counted."""
    missing: bool = False
    """Whether its file is simply not there."""

    @property
    def right(self) -> bool:
        """Whether it was counted and nothing speaks against the count."""
        return self.found is not None and self.expected in (None, self.found)


def check(dataset: Dataset) -> Iterator[Finding]:
    """Count what is there, split by split, then the documents."""
    for split, expected in dataset.card.splits.items():
        yield from _check_split(dataset, split, expected)
    yield _check_documents(dataset)


def _check_split(dataset: Dataset, split: str, expected: Expected) -> Iterator[Finding]:
    claims = pairs = 0
    try:
        for labelled in dataset.claims(split):
            claims += 1
            pairs += len(labelled.evidence or ())
    except ClaimscopeError as error:
        yield _failure(f"claims in {split}", expected.claims, error)
        return
    yield Finding(f"claims in {split}", expected.claims, claims)
    if expected.pairs is not None:
        yield Finding(f"pairs in {split}", expected.pairs, pairs)


def _check_documents(dataset: Dataset) -> Finding:
    try:
        found = sum(1 for _ in dataset.documents())
    except ClaimscopeError as error:
        return _failure("documents", dataset.card.documents, error)
    return Finding("documents", dataset.card.documents, found)


def _failure(what: str, expected: int | None, error: ClaimscopeError) -> Finding:
    return Finding(what, expected, None, str(error), isinstance(error, MissingDataError))
