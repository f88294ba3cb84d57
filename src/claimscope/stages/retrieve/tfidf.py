"""TF-IDF with cosine similarity over words and word pairs, as VeriSci retrieves."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from claimscope.stages.retrieve.analysis import find_analyser
from claimscope.stages.retrieve.ranking import Ranked, top


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
