"""The labelled claims that builders make examples of, and the search they take negatives from."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from claimscope.datasets import scifact
from claimscope.datasets.record import Dataset, LabelledClaim
from claimscope.datasets.registry import DATASETS, open_dataset
from claimscope.errors import UnknownNameError
from claimscope.stages.rerank.pair_reranker import CONTENTS
from claimscope.stages.retrieve.bm25 import BM25
from claimscope.train.stages.examples import Example
from claimscope.train.verifier.pools import open_pool
from claimscope.train.written import reading as written
from claimscope.types import Document

FREE = "none is known; the folder is the user's own"


@dataclass(frozen=True)
class Claims:
    """Claims whose answers are known, and the documents they are checked against."""

    claims: Sequence[LabelledClaim]
    documents: Mapping[str, Document]

    def text(self, document: str, content: str) -> str:
        """Give what is read of a document."""
        return CONTENTS[content](self.documents[document])


@dataclass(frozen=True)
class Work:
    """What a builder works with: chance, a folder for what is dear to compute, and a listener."""

    generator: random.Random
    folder: Path
    progress: Callable[[int, int], None] = lambda done, total: None
    """Told how many of how many claims are done, by builders that take long."""


class Builder(Protocol):
    """Makes the examples of one stage as its paper does."""

    def build(self, data: Claims, work: Work) -> list[Example]:
        """Make the examples, the same ones for the same generator."""


@dataclass(frozen=True, slots=True)
class Search:
    """A first stage by BM25, with the parameters of `retrieve.bm25-memory`."""

    k: int = 20
    """How many documents a claim; 0 searches nothing."""
    method: str = "okapi"
    k1: float = 1.5
    b: float = 0.75
    analyser: str = "stop"
    content: str = "title-and-abstract"

    def ranked(self, data: Claims) -> dict[str, list[tuple[str, float]]]:
        """Give each claim's k best documents with their scores, best first."""
        if self.content not in CONTENTS:
            raise UnknownNameError("kind of content", self.content, CONTENTS)
        if not self.k:
            return {each.claim.id: [] for each in data.claims}
        names = list(data.documents)
        index = BM25(
            (data.text(name, self.content) for name in names),
            k1=self.k1,
            b=self.b,
            method=self.method,
            analyser=self.analyser,
        )
        return {
            each.claim.id: [
                (names[place], score) for place, score in index.search(each.claim.text, self.k)
            ]
            for each in data.claims
        }

    def found(self, data: Claims) -> dict[str, list[str]]:
        """Name each claim's k best documents, best first."""
        return {claim: [name for name, _ in best] for claim, best in self.ranked(data).items()}

    def pool(self, kind: str, data: Claims) -> Callable[[LabelledClaim, Claims], list[str]]:
        """Give what names a claim's documents: gold ones of a kind, or those "retrieved" here."""
        if kind != "retrieved":
            return GOLD[kind]
        found = self.found(data)
        return lambda claim, _: found[claim.claim.id]


ANSERINI = Search(10, "lucene", 0.9, 0.4, "stem-stop", "abstract")
"""Pyserini's parameters and depth 10."""
STUDY = replace(ANSERINI, k=3)
"""The BERT-T5 study's first stage and the number of abstracts it passes on."""


def open_claims(data: str, split: str = "train") -> Claims:
    """Open a data set or written claims by their name, or a folder in SciFact's format.

    Claims whose answers are kept back, and documents a claim cites that are not there, are left
    out.
    """
    if data in written.LICENCES:
        pool = open_pool(data, candidates=0)
        return Claims(pool.claims, pool.documents)
    if data in DATASETS:
        dataset = open_dataset(data)
    elif Path(data).expanduser().is_dir():
        dataset = Dataset(scifact.DEFINITION, Path(data).expanduser())
    else:
        raise UnknownNameError("data set or folder", data, [*DATASETS, *written.LICENCES])
    claims = tuple(each for each in dataset.claims(split) if each.evidence is not None)
    return Claims(claims, {document.id: document for document in dataset.documents()})


def licence(data: str) -> str:
    """Give the licence of a data set, and say where it keeps weights from being given away."""
    if data in written.LICENCES:
        return written.LICENCES[data]
    if data not in DATASETS:
        return FREE
    card = DATASETS[data].card
    return card.licence if card.may_train else f"{card.licence}; keep the weights to yourself"


def evidence_of(claim: LabelledClaim, data: Claims) -> list[str]:
    """Name the documents that support or refute a claim."""
    known = claim.evidence or {}
    return [name for name, gold in known.items() if gold.decides and name in data.documents]


def judged_of(claim: LabelledClaim, data: Claims) -> list[str]:
    """Name all documents annotators listed for a claim, whatever they say."""
    return [name for name in claim.evidence or {} if name in data.documents]


def cited_of(claim: LabelledClaim, data: Claims) -> list[str]:
    """Name the documents a claim cites, and its evidence, each once."""
    names = dict.fromkeys((*claim.cited, *(claim.evidence or {})))
    return [name for name in names if name in data.documents]


GOLD = {"evidence": evidence_of, "judged": judged_of, "cited": cited_of}
"""Which documents count as right, by name."""


def rationale_of(claim: LabelledClaim, document: str) -> frozenset[int]:
    """Give the sentences of all gold sets of a document that decides a claim."""
    gold = (claim.evidence or {}).get(document)
    if gold is None or not gold.decides:
        return frozenset()
    return frozenset().union(*gold.rationales)
