"""BM25's parameters on SciFact: k1, b, the title's weight and the analyser.

    python benchmarks/bm25_grid.py

All settings are compared on the train claims; dev is scored for the preset's setting and for the
one that train prefers. Scores are Lucene's BM25 over a claim's distinct words, as in the library's
index, which only rounds the lengths of texts. The title's weight says how often its words count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, product

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from claimscope.datasets.record import LabelledClaim
from claimscope.datasets.registry import open_dataset
from claimscope.measures.contributions import Counts, counts, ratio, value
from claimscope.measures.intervals import bootstrap
from claimscope.stages.retrieve.analysis import Analyser, find_analyser
from claimscope.stages.retrieve.ranking import rank
from claimscope.types import Document

ANALYSERS = ("stem", "stem-stop", "lower", "stop")
TITLE_WEIGHTS = (1, 2, 3)
K1 = (0.6, 0.9, 1.2, 1.5, 2.0, 3.0)
B = (0.3, 0.45, 0.6, 0.75, 0.9)
DEPTHS = (1, 3, 5, 10, 20)
SHOWN = 10


@dataclass(frozen=True, order=True)
class Setting:
    """One point of the grid; the default is what the library's index does."""

    analyser: str = "stem"
    title: int = 1
    k1: float = 1.2
    b: float = 0.75

    def __str__(self) -> str:
        return f"{self.analyser}, title x{self.title}, k1 = {self.k1}, b = {self.b}"


class Counted:
    """How often each document has the words of the claims, in its title and in its abstract."""

    def __init__(self, documents: Sequence[Document], claims: Sequence[str], name: str) -> None:
        analyse = find_analyser(name)
        words = [dict.fromkeys(analyse(claim)) for claim in claims]
        known = {word: place for place, word in enumerate(dict.fromkeys(chain(*words)))}
        self.claims = _table([list(each) for each in words], known)
        titles = [each.title for each in documents]
        self._titles, self._title_lengths = _counted(titles, known, analyse)
        abstracts = [each.abstract for each in documents]
        self._abstracts, self._abstract_lengths = _counted(abstracts, known, analyse)

    def scores(self, title: int, k1: float, b: float) -> NDArray[np.float64]:
        """Score every document for every claim."""
        frequency = (self._abstracts + title * self._titles).tocsr()
        lengths = self._abstract_lengths + title * self._title_lengths
        norms = k1 * (1 - b + b * lengths / lengths.mean())
        norms = np.repeat(norms, np.diff(frequency.indptr))
        weights = frequency.copy()
        weights.data = frequency.data / (frequency.data + norms)
        holders = np.bincount(frequency.indices, minlength=frequency.shape[1])
        idf = np.log1p((len(lengths) - holders + 0.5) / (holders + 0.5))
        found: NDArray[np.float64] = (self.claims.multiply(idf) @ weights.T).toarray()
        return found


def _counted(
    texts: Sequence[str], known: dict[str, int], analyse: Analyser
) -> tuple[csr_matrix, NDArray[np.float64]]:
    words = [analyse(text) for text in texts]
    return _table(words, known), np.array([len(each) for each in words], dtype=np.float64)


def _table(texts: Sequence[Sequence[str]], known: dict[str, int]) -> csr_matrix:
    """Count the known words of every text."""
    rows, columns = [], []
    for row, words in enumerate(texts):
        found = [known[word] for word in words if word in known]
        columns += found
        rows += [row] * len(found)
    ones = np.ones(len(rows))
    return csr_matrix((ones, (rows, columns)), shape=(len(texts), len(known)))


def measured(
    scores: NDArray[np.float64], ids: Sequence[str], claims: Sequence[LabelledClaim]
) -> dict[int, Counts]:
    """Count the evidence abstracts found at every depth; a tie goes to the first document."""
    places = {name: place for place, name in enumerate(ids)}
    ranks = [
        [rank(row, places[name]) or len(ids) for name in each.evidence or ()]
        for row, each in zip(scores, claims, strict=True)
    ]
    names = [each.claim.id for each in claims]
    return {
        depth: counts(names, [(sum(r <= depth for r in row), len(row)) for row in ranks], 2, ratio)
        for depth in DEPTHS
    }


def difference(one: Counts, other: Counts) -> str:
    """Give the paired difference of two recalls with its 95 % interval."""
    paired = Counts(
        one.claim_ids,
        np.column_stack([one.counts[:, 0] - other.counts[:, 0], one.counts[:, 1]]),
        one.aggregate,
    )
    given = bootstrap(paired)
    return f"{100 * given.value:+.1f} ({100 * given.low:+.1f} to {100 * given.high:+.1f})"


def row(name: str, found: dict[int, Counts]) -> str:
    """Show the recalls of a setting."""
    cells = "".join(f"{100 * value(found[depth]):>7.1f}" for depth in DEPTHS)
    return f"{name:<44}{cells}"


def main() -> None:
    """Search the grid on train, then score two settings on dev."""
    dataset = open_dataset("scifact")
    documents = list(dataset.documents())
    ids = [each.id for each in documents]
    train = [each for each in dataset.claims("train") if each.evidence]
    texts = [each.claim.text for each in train]
    found: dict[Setting, dict[int, Counts]] = {}
    for analyser in ANALYSERS:
        counted = Counted(documents, texts, analyser)
        for title, k1, b in product(TITLE_WEIGHTS, K1, B):
            setting = Setting(analyser, title, k1, b)
            found[setting] = measured(counted.scores(title, k1, b), ids, train)
    show_train(found)
    best = max(found, key=lambda each: mean_recall(found[each]))
    dev = [each for each in dataset.claims("dev") if each.evidence]
    show_dev(documents, dev, best)


def mean_recall(found: dict[int, Counts]) -> float:
    """Give the mean of R@3, R@5 and R@10: the depths that presets use."""
    return float(np.mean([value(found[depth]) for depth in (3, 5, 10)]))


def show_train(found: dict[Setting, dict[int, Counts]]) -> None:
    """Print the best settings, and the best of each value of each parameter."""
    heads = "".join(f"{f'R@{depth}':>7}" for depth in DEPTHS)
    ranked = sorted(found, key=lambda each: -mean_recall(found[each]))
    print(f"SciFact train, micro recall in %, {len(found)} settings\n{'':<44}{heads}")
    print(row("as the library: " + str(Setting()), found[Setting()]))
    for setting in ranked[:SHOWN]:
        print(row(str(setting), found[setting]))
    print("one parameter changed from the library's setting")
    for setting in sorted(found):
        changed = sum(getattr(setting, n) != getattr(Setting(), n) for n in vars(setting))
        if changed == 1:
            print(row(str(setting), found[setting]))
    pairs = [difference(found[ranked[0]][depth], found[Setting()][depth]) for depth in DEPTHS]
    print("best minus library, train: " + "; ".join(pairs))


def show_dev(documents: Sequence[Document], claims: Sequence[LabelledClaim], best: Setting) -> None:
    """Print both settings on dev."""
    ids = [each.id for each in documents]
    texts = [each.claim.text for each in claims]
    both = []
    for setting in (Setting(), best):
        counted = Counted(documents, texts, setting.analyser)
        both.append(measured(counted.scores(setting.title, setting.k1, setting.b), ids, claims))
        print(row(f"dev: {setting}", both[-1]))
    pairs = [difference(both[1][depth], both[0][depth]) for depth in DEPTHS]
    print("best minus library, dev: " + "; ".join(pairs))


if __name__ == "__main__":
    main()
