"""The six development sets that choices are made by; none of them is ever trained on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from claimscope.datasets.record import LabelledClaim
from claimscope.datasets.registry import open_dataset
from claimscope.labels import Label
from claimscope.library.location import open_demo
from claimscope.models.encoding import Special
from claimscope.models.verifier.joint import Abstract, JointVerifier
from claimscope.models.verifier.settings import RelevancePrior, VerifierSettings
from claimscope.train.verifier.abstracts import Example, ExampleMaker, Target, View
from claimscope.train.verifier.network import VerifierNetwork
from claimscope.train.verifier.objective import run
from claimscope.types import Document, GoldEvidence
from recipe.views import held_out_pool

_POLARITY = Path(__file__).parents[3] / "benchmarks" / "polarity" / "pairs.jsonl"
_BATCH = 24
_REREAD = 3
"""How many of an abstract's best sentences are read again, each without the others."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DevelopmentScore:
    """Figures of one set in per cent."""

    pairs: int
    macro_f1: float
    """Of the labels, with the right abstract given."""
    stance: float
    """Accuracy of support against refutation over the pairs that have either label."""
    sentence_ap: float
    """Average precision of sentences within the abstracts that carry evidence."""


def development_views() -> Iterator[tuple[str, list[View]]]:
    """Give the six sets by name."""
    for name in ("scifact", "check-covid"):
        pool = held_out_pool(name)
        views = [view for claim in pool.claims for view in pool.known(claim)]
        if name == "check-covid":
            views += _dataset_views("check-covid", "dev")
        yield name, views
    yield "healthver", _dataset_views("healthver", "dev")
    yield "covidfact", _dataset_views("covidfact", "train")
    yield "climate", _dataset_views("climate", "dev")
    if _POLARITY.is_file():
        yield "polarity", _polarity_views("choose")


def _dataset_views(name: str, split: str) -> list[View]:
    dataset = open_dataset(name)
    documents = {document.id: document for document in dataset.documents()}
    return [view for claim in dataset.claims(split) for view in _views_of_claim(claim, documents)]


def _views_of_claim(claim: LabelledClaim, documents: dict[str, Document]) -> Iterator[View]:
    evidence = claim.evidence or {}
    for name in dict.fromkeys((*claim.cited, *evidence)):
        if documents[name].has_abstract:
            yield View(claim.claim.text, documents[name], evidence.get(name))


def _polarity_views(half: str) -> list[View]:
    with open_demo() as library:
        documents = {document.id: document for document in library.documents()}
    rows = map(json.loads, _POLARITY.read_text("utf-8").splitlines())
    return [
        View(
            row["claim"],
            documents[row["document"]],
            GoldEvidence(Label[row["label"]], _quoted(documents[row["document"]], row["quote"])),
        )
        for row in rows
        if row["half"] == half
    ]


def _quoted(document: Document, quote: str) -> tuple[frozenset[int], ...]:
    found = {i for i, s in enumerate(document.sentences) if quote and (quote in s or s in quote)}
    return (frozenset(found),) if found else ()


@torch.inference_mode()
def measure_views(
    network: VerifierNetwork, tokenizer: Tokenizer, views: Sequence[View]
) -> DevelopmentScore:
    """Read the abstracts whole, then their best sentences alone, and score the mean of both."""
    network.eval()
    reader = _Reader(network, tokenizer)
    labels, sentences = reader.whole(views)
    again = reader.alone(views, sentences)
    both = (labels + again) / 2
    return _score(views, both.argmax(axis=1), both, sentences)


def measure_verifier(
    verifier: JointVerifier, settings: VerifierSettings, views: Sequence[View]
) -> DevelopmentScore:
    """Label abstracts with a finished model as a preset does that is given the right ones."""
    found = verifier.verify(
        [Abstract(view.claim, view.document.title, view.document.sentences) for view in views]
    )
    prior = RelevancePrior(settings.relevance, settings.typical, settings.named)
    labels = [prior.applied(each.labels, prior.named) for each in found]
    rows = np.array([(each.supports, each.refutes, each.not_enough_info) for each in labels])
    given = rows.argmax(axis=1)
    if settings.evidence is not None:
        is_evidence = 1 - rows[:, 2] >= settings.evidence
        given = np.where(is_evidence, rows[:, :2].argmax(axis=1), Target.NOT_ENOUGH_INFO)
    scores = [np.array([score.raw for score in each.sentences]) for each in found]
    return _score(views, given, rows, scores)


def _score(
    views: Sequence[View], given: NDArray[np.int64], labels: Matrix, sentences: Sequence[Matrix]
) -> DevelopmentScore:
    """Score labels that were given, their probabilities and scores of sentences."""
    golds = np.array([int(view.target) for view in views])
    decided = golds < Target.NOT_ENOUGH_INFO
    right = labels[decided, :2].argmax(axis=1) == golds[decided]
    precisions = [
        _average_precision(scores, view.rationale)
        for scores, view in zip(sentences, views, strict=True)
        if view.rationale
    ]
    return DevelopmentScore(
        len(views),
        100 * _macro_f1(given, golds),
        100 * float(right.mean()),
        100 * float(np.mean(precisions)) if precisions else float("nan"),
    )


class _Reader:
    def __init__(self, network: VerifierNetwork, tokenizer: Tokenizer) -> None:
        self._network = network
        self._special = Special.of(tokenizer)
        self._maker = ExampleMaker(tokenizer, 512)

    def whole(self, views: Sequence[View]) -> tuple[Matrix, list[Matrix]]:
        """Give log-probabilities of each abstract and the evidence score of each sentence."""
        windows = [self._maker.whole(view) for view in views]
        flat = self._run([item for items in windows for item in items])
        labels, sentences, place = [], [], 0
        for items in windows:
            parts = flat[place : place + len(items)]
            place += len(items)
            labels.append(min((label for label, _ in parts), key=lambda row: row[2]))
            open_scores = np.concatenate([rows[:, 2] for _, rows in parts])
            sentences.append(1 - np.exp(open_scores))
        return np.array(labels), sentences

    def alone(self, views: Sequence[View], scores: Sequence[Matrix]) -> Matrix:
        """Read the best sentences of each abstract alone; the one with most evidence counts."""
        chosen = [np.argsort(-each)[:_REREAD].tolist() for each in scores]
        items = [
            self._maker.shown(view, [index])
            for view, indexes in zip(views, chosen, strict=True)
            for index in indexes
        ]
        flat, place, labels = self._run(items), 0, []
        for indexes in chosen:
            rows = [label for label, _ in flat[place : place + len(indexes)]]
            place += len(indexes)
            labels.append(min(rows, key=lambda row: row[2]))
        return np.array(labels)

    def _run(self, items: Sequence[Example]) -> list[tuple[Matrix, Matrix]]:
        order = sorted(range(len(items)), key=lambda place: items[place].length)
        results: dict[int, tuple[Matrix, Matrix]] = {}
        for start in range(0, len(order), _BATCH):
            places = order[start : start + _BATCH]
            examples = [items[place] for place in places]
            labels, sentences = run(self._network, examples, self._special)
            logs = torch.log_softmax(labels, -1).double().numpy()
            rows = torch.log_softmax(sentences, -1).double().numpy()
            for number, place in enumerate(places):
                count = len(items[place].stances)
                results[place] = (logs[number], rows[number, :count])
        return [results[place] for place in range(len(items))]


def _macro_f1(found: NDArray[np.int64], golds: NDArray[np.int64]) -> float:
    """Give the mean F1 over the labels that occur in gold."""
    scores = []
    for label in np.unique(golds):
        both = np.sum((found == label) & (golds == label))
        scores.append(2 * both / max(1, np.sum(found == label) + np.sum(golds == label)))
    return float(np.mean(scores))


def _average_precision(scores: Matrix, rationale: frozenset[int]) -> float:
    order = np.argsort(-scores, kind="stable")
    hits = np.isin(order, sorted(rationale))
    return float((np.cumsum(hits) / (1 + np.arange(len(order))))[hits].mean())
