"""Recall of evidence abstracts on SciFact's development claims, for each sparse retriever.

Macro is the mean over the 188 claims with evidence, micro the share of their 209 abstracts.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from claimscope.library.local import LocalLibrary
from claimscope.stages.retrieve.analysis import ANALYSERS
from claimscope.stages.retrieve.bm25 import BM25
from claimscope.stages.retrieve.in_memory import TfIdf
from claimscope.text import split_sentences
from claimscope.types import Document

DATA = Path(os.environ.get("CLAIMSCOPE_DATA", Path(__file__).parents[2] / "shared" / "data"))
DEPTHS = (1, 3, 5, 10, 20, 100)

Search = Callable[[str], list[str]]
"""Gives the ids of the best documents for a claim, best first."""


@dataclass(frozen=True)
class Corpus:
    """SciFact's abstracts as texts."""

    ids: Sequence[str]
    titles: Sequence[str]
    abstracts: Sequence[str]

    def joined(self, separator: str) -> list[str]:
        """Join each title and abstract; VeriSci's code does so without a space."""
        pairs = zip(self.titles, self.abstracts, strict=True)
        return [f"{title}{separator}{abstract}" for title, abstract in pairs]


def retrievers(corpus: Corpus) -> Iterator[tuple[str, Search]]:
    """Build one retriever after another, so that only one is in memory."""

    def in_memory(index: BM25 | TfIdf) -> Search:
        return lambda claim: [corpus.ids[place] for place, _ in index.search(claim, max(DEPTHS))]

    yield "TF-IDF, title glued to abstract", in_memory(TfIdf(corpus.joined("")))
    texts = corpus.joined(" ")
    yield "TF-IDF", in_memory(TfIdf(texts))
    for analyser in ANALYSERS:
        index = BM25(texts, k1=1.5, b=0.75, method="okapi", analyser=analyser)
        yield f"BM25Okapi k1=1.5 b=0.75, {analyser}", in_memory(index)
    for analyser in ANALYSERS:
        index = BM25(texts, k1=1.2, b=0.75, method="lucene", analyser=analyser)
        yield f"BM25 Lucene k1=1.2 b=0.75, {analyser}", in_memory(index)
    with TemporaryDirectory() as folder, closing(library_of(corpus, Path(folder))) as library:
        yield "library (tantivy), the default", search_library(library)


def library_of(corpus: Corpus, folder: Path) -> LocalLibrary:
    """Put the abstracts into a library on disk."""
    library = LocalLibrary(folder / "library", create=True)
    library.add(
        Document(name, title, abstract, split_sentences(abstract))
        for name, title, abstract in zip(corpus.ids, corpus.titles, corpus.abstracts, strict=True)
    )
    return library


def search_library(library: LocalLibrary) -> Search:
    """Search the library's own index."""
    return lambda claim: [hit.document_id for hit in library.search([claim], max(DEPTHS))[0]]


REPORTED = {
    "TF-IDF, title glued to abstract": (53.6, 69.4, 75.6, 83.7, 89.5),
    "BM25Okapi k1=1.5 b=0.75, stop": (65.1, 78.0, 82.8, 91.4, 91.9),
}
"""Micro recall in the result files of SciFCheX, for the depths 1 to 20."""


def main() -> None:
    """Print one row a retriever, and under it what a paper reports."""
    corpus = read_corpus()
    gold = {
        claim["claim"]: set(claim["evidence"])
        for claim in read("claims_dev.jsonl")
        if claim["evidence"]
    }
    print(
        f"{len(gold)} claims, {sum(map(len, gold.values()))} evidence abstracts; macro / micro, %"
    )
    heads = "".join(f"{f'R@{depth}':>14}" for depth in DEPTHS)
    print(f"{'retriever':<38}{heads}{'build s':>9}{'ms/claim':>10}")
    started = time.perf_counter()
    for name, search in retrievers(corpus):
        built = time.perf_counter() - started
        started = time.perf_counter()
        rankings = {claim: search(claim) for claim in gold}
        per_claim = 1000 * (time.perf_counter() - started) / len(gold)
        print(f"{name:<38}{recalls(gold, rankings)}{built:>9.1f}{per_claim:>10.2f}")
        if name in REPORTED:
            reported = "".join(f"{f'/{value:5.1f}':>14}" for value in REPORTED[name])
            print(f"{'  reported by SciFCheX':<38}{reported}")
        started = time.perf_counter()


def read_corpus() -> Corpus:
    """Read SciFact's abstracts."""
    documents = read("corpus.jsonl")
    return Corpus(
        ids=[str(document["doc_id"]) for document in documents],
        titles=[document["title"] for document in documents],
        abstracts=[" ".join(document["abstract"]) for document in documents],
    )


def read(name: str) -> list[Any]:
    """Read one of SciFact's files."""
    lines = (DATA / "scifact" / name).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def recalls(gold: Mapping[str, set[str]], rankings: Mapping[str, Sequence[str]]) -> str:
    """Give the macro and micro recall at every depth."""
    cells = []
    for depth in DEPTHS:
        found = {
            claim: len(wanted & set(rankings[claim][:depth])) for claim, wanted in gold.items()
        }
        macro = sum(found[claim] / len(wanted) for claim, wanted in gold.items()) / len(gold)
        micro = sum(found.values()) / sum(map(len, gold.values()))
        cells.append(f"{100 * macro:>7.1f} /{100 * micro:>5.1f}")
    return "".join(cells)


if __name__ == "__main__":
    main()
