"""BM25 over any list of texts, with free parameters, formula and analyser."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal, get_args

import bm25s
import numpy as np
from numpy.typing import NDArray

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.stages.retrieve.analysis import find_analyser
from claimscope.stages.retrieve.ranking import Ranked, top

Method = Literal["lucene", "robertson", "atire", "okapi"]


class BM25:
    """An index in memory that ranks its texts by BM25.

    The methods are those compared by Kamphuis et al. (ECIR 2020) under the same names, and
    "okapi": ATIRE's term weight with Robertson's idf, where a word in more than half of the texts
    gets a quarter of the mean idf. That is `BM25Okapi` of the package rank_bm25, used by several
    papers with k1 = 1.5 and b = 0.75.
    """

    def __init__(
        self,
        texts: Iterable[str],
        *,
        k1: float = 1.5,
        b: float = 0.75,
        method: str = "lucene",
        analyser: str = "stem",
    ) -> None:
        check_parameters(k1, b, method)
        self._analyse = find_analyser(analyser)
        self._vocabulary: dict[str, int] = {}
        documents = [self._learn(text) for text in texts]
        self._size = len(documents)
        self._index: bm25s.BM25 | None = None
        if self._vocabulary:
            self._index = _build(documents, self._vocabulary, k1, b, method)

    def __len__(self) -> int:
        return self._size

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score every text; one that shares no word with the query has zero."""
        words = [
            self._vocabulary[word] for word in self._analyse(query) if word in self._vocabulary
        ]
        if self._index is None or not words:
            return np.zeros(self._size)
        scores: NDArray[np.float64] = self._index.get_scores_from_ids(words)
        return scores

    def search(self, query: str, k: int) -> Ranked:
        """Rank the k best texts; ties keep the order of the texts."""
        return top(self.scores(query), k)

    def _learn(self, text: str) -> list[int]:
        known = self._vocabulary
        return [known.setdefault(word, len(known)) for word in self._analyse(text)]


def check_parameters(k1: float, b: float, method: str) -> None:
    """Refuse parameters outside the formula's range."""
    if method not in get_args(Method):
        raise UnknownNameError("BM25 method", method, get_args(Method))
    if not (0 <= k1 < math.inf and 0 <= b <= 1):
        raise ConfigurationError(
            f"BM25 needs k1 of at least 0 and b from 0 to 1, not k1 = {k1} and b = {b}."
        )


def _build(
    documents: list[list[int]], vocabulary: dict[str, int], k1: float, b: float, method: str
) -> bm25s.BM25:
    weight, idf = ("atire", "lucene") if method == "okapi" else (method, method)
    index = bm25s.BM25(k1=k1, b=b, method=weight, idf_method=idf, dtype="float64")
    index.index((documents, vocabulary), create_empty_token=False, show_progress=False)
    if method == "okapi":
        _use_okapi_idf(index.scores)
    return index


def _use_okapi_idf(scores: dict[str, Any]) -> None:
    """Replace Lucene's idf, which is never zero, by that of rank_bm25."""
    frequency = np.diff(scores["indptr"])
    size = scores["num_docs"]
    odds = (size - frequency + 0.5) / (frequency + 0.5)
    idf = np.log(odds)
    idf = np.where(idf < 0, 0.25 * idf.mean(), idf)
    scores["data"] *= np.repeat(idf / np.log1p(odds), frequency)
