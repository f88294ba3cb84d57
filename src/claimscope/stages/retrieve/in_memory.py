"""Retrievers that index the library in memory: BM25 with any setting, VeriSci's TF-IDF."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from claimscope.errors import UnknownNameError
from claimscope.library.protocol import Hit, Library
from claimscope.pipeline.stage import Composable, Kind, Part, require_positive, stage_id
from claimscope.stages.retrieve.analysis import find_analyser
from claimscope.stages.retrieve.bm25 import BM25, check_parameters
from claimscope.stages.retrieve.ranking import CONTENTS, Ranked, rank, top, with_hits
from claimscope.types import Case, Claim


class TfIdf:
    """An index in memory of uni- and bigrams.

    A term's weight is its count times ln((1 + n) / (1 + df)) + 1, and vectors have unit length:
    the smoothed variant of scikit-learn's TfidfVectorizer, which VeriSci uses (Wadden et al.,
    EMNLP 2020) with `stop_words="english"` and `ngram_range=(1, 2)`.
    """

    def __init__(
        self, texts: Iterable[str], *, analyser: str = "stop", bigrams: bool = True
    ) -> None:
        self._analyse = find_analyser(analyser)
        self._bigrams = bigrams
        self._vocabulary: dict[str, int] = {}
        self._index(texts)

    def __len__(self) -> int:
        return self._size

    def scores(self, query: str) -> NDArray[np.float64]:
        """Give the cosine similarity of every text with the query."""
        scores = np.zeros(self._size)
        counts = Counter(
            self._vocabulary[term] for term in self._terms(query) if term in self._vocabulary
        )
        weights = {term: count * self._idf[term] for term, count in counts.items()}
        length = float(np.sqrt(sum(weight * weight for weight in weights.values())))
        for term, weight in weights.items():
            posting = slice(self._starts[term], self._starts[term + 1])
            scores[self._documents[posting]] += self._weights[posting] * (weight / length)
        return scores

    def search(self, query: str, k: int) -> Ranked:
        """Rank the k most similar texts; ties keep the order of the texts."""
        return top(self.scores(query), k)

    def _terms(self, text: str) -> list[str]:
        words = self._analyse(text)
        if self._bigrams:
            words += [f"{first} {second}" for first, second in pairwise(words)]
        return words

    def _index(self, texts: Iterable[str]) -> None:
        """Build the postings: for each term the documents that hold it and its weight there."""
        terms, lengths = array("q"), array("q")
        known = self._vocabulary
        for text in texts:
            found = [known.setdefault(term, len(known)) for term in self._terms(text)]
            terms.extend(found)
            lengths.append(len(found))
        self._size = len(lengths)
        owners = np.repeat(np.arange(self._size), np.asarray(lengths))
        pairs, counts = np.unique(np.asarray(terms) * self._size + owners, return_counts=True)
        postings, self._documents = np.divmod(pairs, max(self._size, 1))
        frequency = np.bincount(postings, minlength=len(known))
        self._starts = np.concatenate(([0], np.cumsum(frequency)))
        self._idf = np.log((1 + self._size) / (1 + frequency)) + 1
        weights = counts * self._idf[postings]
        norms = np.sqrt(np.bincount(self._documents, weights * weights, minlength=self._size))
        self._weights = weights / norms[self._documents]


class Index(Protocol):
    """Texts that can be ranked for a query."""

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score every text."""

    def search(self, query: str, k: int) -> Ranked:
        """Rank the k best texts."""


@dataclass(frozen=True)
class _Built:
    """An index with the ids of its documents and the revision of the library it shows."""

    revision: str
    ids: Sequence[str]
    index: Index


@dataclass(frozen=True)
class InMemory(Composable, ABC):
    """Indexes the text of every document on first use, and again after a change."""

    library: Library = field(repr=False)
    k: int = 20
    content: str = "title-and-abstract"
    """What of a document is indexed: one of `CONTENTS`."""
    _kept: list[_Built] = field(default_factory=list, init=False, repr=False, compare=False)

    kind: ClassVar[Kind] = Kind.RETRIEVE
    requires: ClassVar[frozenset[Part]] = frozenset()
    provides: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    name: ClassVar[str]

    def __post_init__(self) -> None:
        require_positive(self, "k")
        if self.content not in CONTENTS:
            raise UnknownNameError("kind of content", self.content, CONTENTS)

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Rank the library's documents for every claim; ties are broken by id."""
        built = self._built()
        rankings = [
            [
                Hit(built.ids[place], score)
                for place, score in built.index.search(case.claim.text, self.k)
            ]
            for case in cases
        ]
        return with_hits(cases, rankings, self.library, stage_id(self))

    def rank_of(self, claim: Claim, document_id: str) -> int | None:
        """Rank one document among all."""
        built = self._built()
        if document_id not in built.ids:
            return None
        return rank(built.index.scores(claim.text), built.ids.index(document_id))

    @abstractmethod
    def build(self, texts: Iterable[str]) -> Index:
        """Index the texts by the stage's own method."""

    def _built(self) -> _Built:
        revision = self.library.revision
        if not self._kept or self._kept[0].revision != revision:
            ids: list[str] = []
            index = self.build(self._texts(ids))
            self._kept[:] = [_Built(revision, ids, index)]
        return self._kept[0]

    def _texts(self, ids: list[str]) -> Iterable[str]:
        """Pass the documents' texts one by one and note their ids."""
        for document in self.library.documents():
            ids.append(document.id)
            yield CONTENTS[self.content](document)


@dataclass(frozen=True)
class InMemoryBM25(InMemory):
    """Takes the k best documents by BM25 with any parameters; see `BM25` for the methods."""

    k1: float = 1.5
    b: float = 0.75
    method: str = "lucene"
    analyser: str = "stem"

    name: ClassVar[str] = "bm25-memory"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_parameters(self.k1, self.b, self.method)
        find_analyser(self.analyser)

    def build(self, texts: Iterable[str]) -> BM25:
        """Index the texts for BM25."""
        return BM25(texts, k1=self.k1, b=self.b, method=self.method, analyser=self.analyser)


@dataclass(frozen=True)
class InMemoryTfIdf(InMemory):
    """Takes the k documents most similar to the claim by TF-IDF; see `TfIdf`."""

    analyser: str = "stop"
    bigrams: bool = True

    name: ClassVar[str] = "tfidf"

    def __post_init__(self) -> None:
        super().__post_init__()
        find_analyser(self.analyser)

    def build(self, texts: Iterable[str]) -> TfIdf:
        """Index the texts for TF-IDF."""
        return TfIdf(texts, analyser=self.analyser, bigrams=self.bigrams)
