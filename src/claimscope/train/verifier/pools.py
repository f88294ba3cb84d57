"""Labelled claims with their documents and the documents that only look like evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from claimscope.datasets import scifact
from claimscope.datasets.record import Dataset, LabelledClaim
from claimscope.datasets.registry import DATASETS, open_dataset
from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.models.catalogue import VECTORS
from claimscope.models.loader import Models
from claimscope.models.text_encoder import TextEncoder
from claimscope.stages.rerank.vectors import likeness, summed
from claimscope.stages.retrieve.bm25 import BM25
from claimscope.train.folds import fold_of, groups_of
from claimscope.train.verifier.abstracts import View
from claimscope.train.verifier.context import Context, context_of
from claimscope.train.verifier.sources import folder_of
from claimscope.train.weak.papers import read_papers
from claimscope.train.written import reading as written
from claimscope.types import Document

_K1, _B = 1.2, 0.75


@dataclass(frozen=True, slots=True)
class VectorRanking:
    """How what BM25 finds is ranked once more, as the stage `rerank.vectors` does."""

    found: int = 30
    """How many documents a claim are ranked."""
    weight: float = 1.0
    share: float = 0.0
    """Least score beside the best one's that is kept, as by `rerank.cut`."""
    model: str = VECTORS


@dataclass(frozen=True)
class ClaimPool:
    """Claims, the documents they are checked against, and the best of them by a search."""

    claims: Sequence[LabelledClaim]
    documents: Mapping[str, Document]
    ranked: Mapping[str, Mapping[str, float]]
    """Claim id to the ids of documents, best first, with their score beside the best one's."""
    marked: Context = field(default_factory=dict)

    def known(self, claim: LabelledClaim) -> list[View]:
        """Give the abstracts annotators have read: the evidence and what the claim cites."""
        evidence = claim.evidence or {}
        names = dict.fromkeys((*evidence, *claim.cited))
        return [
            View(
                claim.claim.text,
                self.documents[name],
                evidence.get(name),
                self.marked.get((claim.claim.id, name), frozenset()),
            )
            for name in names
            if self.has_text(name)
        ]

    def negatives(self, claim: LabelledClaim, first: int) -> list[View]:
        """Give those of the first ranked documents that are neither evidence nor cited."""
        known = {*(claim.evidence or ()), *claim.cited}
        names = [n for n in self.ranked.get(claim.claim.id, ()) if n not in known]
        return [View(claim.claim.text, self.documents[name], None) for name in names[:first]]

    def has_text(self, name: str) -> bool:
        """Say whether there is a document with an abstract under this id."""
        return name in self.documents and self.documents[name].has_abstract

    def divided(self, fold: int | None, folds: int) -> tuple[ClaimPool, ClaimPool]:
        """Part the claims into those to learn from and those of one fold, kept to measure on."""
        groups = groups_of(self.claims)
        held = [fold_of(groups[claim.claim.id], folds) == fold for claim in self.claims]
        kept = tuple(c for c, out in zip(self.claims, held, strict=True) if not out)
        measured = tuple(c for c, out in zip(self.claims, held, strict=True) if out)
        return replace(self, claims=kept), replace(self, claims=measured)


def open_pool(
    data: str, candidates: int, split: str = "train", vectors: VectorRanking | None = None
) -> ClaimPool:
    """Open a data set by its name, or a folder of one's own in SciFact's format.

    A folder has `corpus.jsonl` and `claims_train.jsonl`. Without candidates nothing is searched.
    """
    if data in written.LICENCES:
        papers = _papers_under(data)
        claims, marked = written.labelled(written.read_written(data), papers)
        return _ranked(claims, papers, marked, candidates, vectors)
    dataset = _dataset(data)
    known = [claim for claim in dataset.claims(split) if claim.evidence is not None]
    documents = {document.id: document for document in dataset.documents()}
    marked = context_of(data, dataset.folder, split)
    return _ranked(known, documents, marked, candidates, vectors)


def _papers_under(data: str) -> dict[str, Document]:
    """Give the papers that claims were written over."""
    if data == written.SCIFACT:
        return {paper.id: paper for paper in open_dataset("scifact").documents()}
    return {paper.id: paper for paper in read_papers(folder_of("pubmed-edits"))}


def _ranked(
    claims: Sequence[LabelledClaim],
    documents: Mapping[str, Document],
    marked: Context,
    candidates: int,
    vectors: VectorRanking | None,
) -> ClaimPool:
    """Find the candidates of every claim."""
    if not candidates:
        return ClaimPool(tuple(claims), documents, {}, marked)
    names = [name for name, document in documents.items() if document.has_abstract]
    index = BM25((documents[n].text for n in names), k1=_K1, b=_B, analyser="stem-stop")
    models = Models()
    ranked: dict[str, dict[str, float]] = {}
    for claim in claims:
        found = index.search(claim.claim.text, vectors.found if vectors else candidates)
        scores = {names[place]: score for place, score in found}
        if vectors is not None:
            encoder = models.encoder(vectors.model)
            scores = _by_vectors(claim.claim.text, scores, documents, encoder, vectors.weight)
        best = max(scores.values(), default=1.0) or 1.0
        least = best * vectors.share if vectors else 0.0
        kept = list(scores.items())[:candidates]
        ranked[claim.claim.id] = {name: score / best for name, score in kept if score >= least}
    return ClaimPool(tuple(claims), documents, ranked, marked)


def _by_vectors(
    claim: str,
    scores: Mapping[str, float],
    documents: Mapping[str, Document],
    encoder: TextEncoder,
    weight: float,
) -> dict[str, float]:
    """Rank documents anew, best first."""
    texts = [documents[name].text for name in scores]
    likenesses = likeness(encoder, claim, texts) if texts else []
    both = dict(zip(scores, summed(list(scores.values()), likenesses, weight), strict=True))
    return dict(sorted(both.items(), key=lambda item: (-item[1], item[0])))


def licence_of(data: str) -> str:
    """Give the licence of a data set; of a folder of one's own nothing is known."""
    if data in written.LICENCES:
        return written.LICENCES[data]
    return DATASETS[data].card.licence if data in DATASETS else "the user's own"


def check_data(data: str) -> None:
    """Refuse a data set that does not exist or that weights may not learn from."""
    if data in written.LICENCES:
        return
    if data in DATASETS and not DATASETS[data].card.may_train:
        allowed = [name for name, each in DATASETS.items() if each.card.may_train]
        allowed += written.LICENCES
        raise ConfigurationError(
            f"The data set {data!r} is for measuring only; a verifier that is given to others may "
            f"learn from: {', '.join(allowed)}, or from a folder of your own."
        )
    if data not in DATASETS and not Path(data).is_dir():
        raise UnknownNameError("data set or folder", data, [*DATASETS, *written.LICENCES])


def _dataset(data: str) -> Dataset:
    check_data(data)
    return open_dataset(data) if data in DATASETS else Dataset(scifact.DEFINITION, Path(data))
