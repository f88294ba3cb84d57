"""Labelled claims with their documents and the documents that only look like evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from claimscope.datasets import scifact
from claimscope.datasets.files import find_file, need_file, parse_label, read_json_lines
from claimscope.datasets.record import Dataset, LabelledClaim
from claimscope.datasets.registry import DATASETS, open_dataset
from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.measures.measure import DECIDING
from claimscope.models.catalogue import VECTORS
from claimscope.models.loader import Models
from claimscope.models.text_encoder import TextEncoder
from claimscope.stages.rerank.vectors import likeness, summed
from claimscope.stages.retrieve.bm25 import BM25
from claimscope.train.claims import fold_of, groups_of
from claimscope.train.verifier.abstracts import View
from claimscope.types import Document
from recipe.written import SETS, Marked, labelled, papers_under, read_written

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
    marked: Marked = field(default_factory=dict)

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
    """Open written claims or a data set by name, or a folder in SciFact's format.

    Without candidates nothing is searched.
    """
    if data in SETS:
        papers = papers_under(data)
        claims, marked = labelled(read_written(data), papers)
        return _ranked(claims, papers, marked, candidates, vectors)
    dataset = _dataset(data)
    known = [claim for claim in dataset.claims(split) if claim.evidence is not None]
    documents = {document.id: document for document in dataset.documents()}
    marked = context_of(data, dataset.folder, split)
    return _ranked(known, documents, marked, candidates, vectors)


def _dataset(data: str) -> Dataset:
    check_data(data)
    return open_dataset(data) if data in DATASETS else Dataset(scifact.DEFINITION, Path(data))


def check_data(data: str) -> None:
    """Refuse a data set that does not exist or that shipped weights may not learn from."""
    if data in DATASETS and not DATASETS[data].card.may_train:
        allowed = [name for name, each in DATASETS.items() if each.card.may_train]
        raise ConfigurationError(
            f"The data set {data!r} is for measuring only; a verifier that is given to others may "
            f"learn from: {', '.join([*allowed, *SETS])}, or from a folder of your own."
        )
    if data not in DATASETS and not Path(data).is_dir():
        raise UnknownNameError("data set or folder", data, [*DATASETS, *SETS])


def _ranked(
    claims: Sequence[LabelledClaim],
    documents: Mapping[str, Document],
    marked: Marked,
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


def context_of(data: str, folder: Path, split: str) -> Marked:
    """Read the sentences that annotators marked as near a claim without being its evidence.

    Check-COVID's reader leaves them out, since no measure counts them. In training, a sentence that
    supplements the evidence must not be learnt as unrelated.
    """
    if data != "check-covid":
        return {}
    whole = find_file(folder, f"claims_{split}.jsonl")
    ways = ("composed", "extracted")
    names = [f"covidCheck_{split}_{way}.json" for way in ways]
    paths = [whole] if whole else [need_file(folder, name) for name in names]
    return dict(each for path in paths for each in read_json_lines(path, _marked))


def _marked(record: Any) -> tuple[tuple[str, str], frozenset[int]]:
    evidence = record["evidence_set"]
    primary = frozenset(each["sent_index"] for each in evidence if each["type"] == "PRIMARY")
    other = frozenset(each["sent_index"] for each in evidence) - primary
    key = (str(record["id"]), str(record["cord_id"]))
    return key, other if parse_label(record["label"]) in DECIDING else primary
