"""Whether static vectors put more evidence first among what BM25 finds.

    python benchmarks/vector_ranking.py [--set scifact:dev] [--model claimscope-vectors]

BM25 and the stage rerank.vectors as in the default preset; its weight is chosen on SciFact's train
claims, which the vectors have not learnt from. Recall is micro, over evidence abstracts, in per
cent, with what it gains over BM25 alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from claimscope.datasets.registry import open_dataset
from claimscope.evaluate.corpus import open_corpus
from claimscope.measures import evaluate, parse_measure
from claimscope.measures.records import Run
from claimscope.models.checkpoints import VECTORS
from claimscope.models.loader import Models
from claimscope.rerank.vectors import likeness, summed
from claimscope.retrieve.library_bm25 import LibraryBM25
from claimscope.types import Case
from retrieval_fusion import CHOOSING, CHOSEN_BY, Rankings, ranked, show

FOUND = 30
WEIGHTS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
REPORTED = ("scifact:dev", "check-covid:dev", "healthver:dev", "covidfact:train")


def rankings_of(name: str, model: str, weights: Sequence[float]) -> Rankings:
    """Rank a split such as "scifact:dev" by BM25, and by the stage with each weight."""
    dataset, split = name.split(":")
    opened = open_dataset(dataset)
    qrels = {claim: gold for claim, gold in opened.qrels(split).items() if gold}
    claims = [each.claim for each in opened.claims(split) if each.claim.id in qrels]
    with open_corpus(opened) as library:
        found = LibraryBM25(library, FOUND).run([Case(claim) for claim in claims])
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
    return Rankings(qrels, runs)


def choose_weight(train: Rankings) -> float:
    """Print the recalls at every weight, and give the best."""
    print(f"weight, {CHOOSING}: {', '.join(CHOSEN_BY)} and their mean")
    means = []
    for name in train.runs:
        values = [evaluate(parse_measure(each), train.data(name)) for each in CHOSEN_BY]
        means.append(float(np.mean(values)))
        cells = "".join(f"{100 * value:8.1f}" for value in [*values, means[-1]])
        print(f"{name:<14}{cells}")
    return WEIGHTS[int(np.argmax(means[1:]))]


def main() -> None:
    """Choose on train, then report every set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", action="append", help="data set and split, such as scifact:dev")
    parser.add_argument("--model", default=VECTORS, help="name or folder of an encoder")
    options = parser.parse_args()
    train = rankings_of(CHOOSING, options.model, WEIGHTS)
    weight = choose_weight(train)
    name = f"vectors, {weight:g}"
    show(CHOOSING, Rankings(train.qrels, {each: train.runs[each] for each in ("BM25", name)}))
    for each in options.set or REPORTED:
        show(each, rankings_of(each, options.model, [weight]))


if __name__ == "__main__":
    main()
