"""Whether static vectors put more evidence first among what BM25 finds.

    python benchmarks/vector_ranking.py [--set scifact:dev] [--model NAME] [--weight W]

BM25 and the stage rerank.vectors as in the default preset. Recalls on SciFact's train claims, which
the vectors have not learnt from, are printed for every weight; the sets are reported with the
preset's, and with "whole library": vectors add their own first thirty of all documents to BM25's.
Recall is micro, over evidence abstracts, in per cent, with what it gains over BM25 alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

import numpy as np

from claimscope.datasets.registry import open_dataset
from claimscope.evaluate.corpus import open_corpus
from claimscope.measures import evaluate, parse_measure
from claimscope.measures.measure import Run
from claimscope.models.catalogue import VECTORS
from claimscope.models.loader import Models
from claimscope.models.text_encoder import TextEncoder
from claimscope.stages.rerank.vectors import cosines, likeness, summed
from claimscope.stages.retrieve.library_bm25 import LibraryBM25
from claimscope.types import Case
from retrieval_fusion import CHOOSING, CHOSEN_BY, Rankings, ranked, show

FOUND = 30
PRESET = 1.0
WEIGHTS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
REPORTED = ("scifact:dev", "check-covid:dev", "healthver:dev", "covidfact:train")


def rankings_of(
    name: str, model: str, weights: Sequence[float], with_library: bool = False
) -> Rankings:
    """Rank a split such as "scifact:dev" by BM25, and by the stage with each weight."""
    dataset, split = name.split(":")
    opened = open_dataset(dataset)
    qrels = {claim: gold for claim, gold in opened.qrels(split).items() if gold}
    claims = [each.claim for each in opened.claims(split) if each.claim.id in qrels]
    with open_corpus(opened) as library:
        found = LibraryBM25(library, FOUND).run([Case(claim) for claim in claims])
        documents = {each.id: each.text for each in library.documents()}
    encoder = Models().encoder(model)
    runs: dict[str, Run] = {"BM25": {}, **{f"vectors, {weight:g}": {} for weight in weights}}
    for case in found:
        names = [item.document.id for item in case.candidates]
        scores = [item.score.raw for item in case.candidates if item.score]
        texts = [item.document.text for item in case.candidates]
        likenesses = likeness(encoder, case.claim.text, texts)
        for run, weight in zip(runs, (0.0, *weights), strict=True):
            both = summed(scores, likenesses, weight)
            runs[run][case.claim.id] = ranked(dict(zip(names, both, strict=True)))
    if with_library:
        runs["whole library"] = _searched(encoder, documents, found, weights[0])
    return Rankings(qrels, runs)


def _searched(
    encoder: TextEncoder, documents: Mapping[str, str], found: Sequence[Case], weight: float
) -> Run:
    """Add the documents of the likeliest vectors to those that BM25 found, and rank all."""
    names, vectors = list(documents), encoder.encode(list(documents.values()))
    run: Run = {}
    for case in found:
        [claim] = encoder.encode([case.claim.text])
        likenesses = dict(zip(names, cosines(claim, vectors), strict=True))
        scores = {item.document.id: item.score.raw for item in case.candidates if item.score}
        scores |= {
            name: 0.0
            for name in sorted(names, key=lambda name: -likenesses[name])[:FOUND]
            if name not in scores
        }
        both = summed(list(scores.values()), [likenesses[name] for name in scores], weight)
        run[case.claim.id] = ranked(dict(zip(scores, both, strict=True)))
    return run


def show_weights(train: Rankings) -> None:
    """Print the recalls at every weight."""
    print(f"weight, {CHOOSING}: {', '.join(CHOSEN_BY)} and their mean")
    for name in train.runs:
        values = [evaluate(parse_measure(each), train.data(name)) for each in CHOSEN_BY]
        cells = "".join(f"{100 * value:8.1f}" for value in [*values, float(np.mean(values))])
        print(f"{name:<14}{cells}")


def main() -> None:
    """Print the weights on train, then every set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", action="append", help="data set and split, such as scifact:dev")
    parser.add_argument("--model", default=VECTORS, help="name or folder of an encoder")
    parser.add_argument("--weight", type=float, default=PRESET, help="of rerank.vectors")
    options = parser.parse_args()
    show_weights(rankings_of(CHOOSING, options.model, WEIGHTS))
    for each in (CHOOSING, *(options.set or REPORTED)):
        show(each, rankings_of(each, options.model, [options.weight], with_library=True))


if __name__ == "__main__":
    main()
