"""Labelled claims to learn from: their documents, their folds, and a search for negatives."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from claimscope.datasets import scifact
from claimscope.datasets.record import Dataset, LabelledClaim
from claimscope.datasets.registry import DATASETS, open_dataset
from claimscope.datasets.scifact_format import read_claims
from claimscope.errors import UnknownNameError
from claimscope.library.protocol import ManagedLibrary
from claimscope.stages.rerank.pair_reranker import CONTENTS
from claimscope.stages.retrieve.bm25 import BM25
from claimscope.train.corrections import ENDINGS, read_corrections
from claimscope.types import Document, GoldEvidence

FREE = "none is known; the data are the user's own"
FOUND = 10
"""How many documents of a library are looked at beside those a claim cites."""


@dataclass(frozen=True)
class Claims:
    """Claims whose answers are known, and the documents they are checked against."""

    claims: Sequence[LabelledClaim]
    documents: Mapping[str, Document]

    def text(self, document: str, content: str) -> str:
        """Give what is read of a document."""
        return CONTENTS[content](self.documents[document])

    def known(self, claim: LabelledClaim) -> list[tuple[Document, GoldEvidence | None]]:
        """Give the abstracts annotators have read, each with what they found in it."""
        evidence = claim.evidence or {}
        names = dict.fromkeys((*evidence, *claim.cited))
        return [
            (self.documents[name], evidence.get(name))
            for name in names
            if name in self.documents and self.documents[name].has_abstract
        ]


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
        """Give a function that names a claim's documents: "retrieved" or of a kind of gold."""
        if kind != "retrieved":
            return GOLD[kind]
        found = self.found(data)
        return lambda claim, _: found[claim.claim.id]


ANSERINI = Search(10, "lucene", 0.9, 0.4, "stem-stop", "abstract")
"""Pyserini's parameters and depth 10."""
STUDY = replace(ANSERINI, k=3)
"""The BERT-T5 study's first stage and the number of abstracts it passes on."""


def dataset_of(data: str) -> Dataset:
    """Open a data set by its name, or a folder in SciFact's format."""
    if data in DATASETS:
        return open_dataset(data)
    if Path(data).expanduser().is_dir():
        return Dataset(scifact.DEFINITION, Path(data).expanduser())
    raise UnknownNameError("data set or folder", data, DATASETS)


def open_claims(data: str, split: str = "train") -> Claims:
    """Read the labelled claims of a data set and its documents.

    Claims whose answers are kept back, and documents a claim cites that are not there, are left
    out.
    """
    dataset = dataset_of(data)
    claims = tuple(each for each in dataset.claims(split) if each.evidence is not None)
    return Claims(claims, {document.id: document for document in dataset.documents()})


def licence(data: str) -> str:
    """Give the licence of a data set, and say if weights trained on it may not be published."""
    if data not in DATASETS:
        return FREE
    card = DATASETS[data].card
    return card.licence if card.may_train else f"{card.licence}; keep the weights to yourself"


def evidence_of(claim: LabelledClaim, data: Claims) -> list[str]:
    """Name the documents that support or refute a claim."""
    known = claim.evidence or {}
    return [name for name, gold in known.items() if gold.decides and name in data.documents]


def judged_of(claim: LabelledClaim, data: Claims) -> list[str]:
    """Name all documents that annotators listed for a claim, with or without evidence."""
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


def groups_of(claims: Sequence[LabelledClaim]) -> Mapping[str, str]:
    """Give each claim its group: claims that share documents, also through other claims.

    Claims written from one citation often say the same; one of them must not be learnt from while
    another is measured on.
    """
    parents: dict[tuple[str, str], tuple[str, str]] = {}

    def root(node: tuple[str, str]) -> tuple[str, str]:
        while parents.setdefault(node, node) != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    for claim in claims:
        for document in (*claim.cited, *(claim.evidence or ())):
            parents[root(("claim", claim.claim.id))] = root(("document", document))
    members: dict[tuple[str, str], list[str]] = {}
    for claim in claims:
        members.setdefault(root(("claim", claim.claim.id)), []).append(claim.claim.id)
    return {claim: min(group) for group in members.values() for claim in group}


def fold_of(group: str, folds: int) -> int:
    """Give the fold of a group, the same on every machine."""
    return bucket(f"fold{group}", folds)


def bucket(key: str, buckets: int) -> int:
    """Assign a key to one of several buckets, the same on every machine."""
    digest = hashlib.blake2b(key.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % buckets


def claims_of_library(path: Path, library: ManagedLibrary) -> Claims:
    """Read claims whose documents a library holds, such as corrections: a table, or SciFact's form.

    The documents are those the claims cite, and those that the library finds for them.
    """
    is_table = path.suffix.lower() in ENDINGS
    read = read_corrections(path, library) if is_table else read_claims(path)
    claims = tuple(each for each in read if each.evidence is not None)
    cited = {name for each in claims for name in (*each.cited, *(each.evidence or ()))}
    found = library.search([each.claim.text for each in claims], FOUND)
    names = dict.fromkeys([*sorted(cited), *(hit.document_id for hits in found for hit in hits)])
    return Claims(claims, {document.id: document for document in library.get(list(names))})
