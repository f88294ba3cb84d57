"""Sweeps ComboScorer's alpha from 0 to 1 in steps of 0.1, as +VeriRel's figure does.

    python benchmarks/alpha_sweep.py --verifier FOLDER [--relevance MODEL] [--limit CLAIMS]

Relevance model and verifier read the candidates once; only the mixing is repeated. Without a
relevance model BM25's score, stretched to 0 to 1 for each claim, is the relevance.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from claimscope.datasets.registry import open_dataset
from claimscope.evaluate.corpus import open_corpus
from claimscope.measures import evaluate, parse_measure
from claimscope.measures.measure import RankingData
from claimscope.pipeline.preset import parse
from claimscope.pipeline.registry import Resources
from claimscope.stages.rerank.combo import ComboScorer
from claimscope.types import Case

ALPHAS = tuple(step / 10 for step in range(11))
_BM25 = "retrieve.bm25-memory"


def sweep(
    cases: Sequence[Case],
    qrels: dict[str, dict[str, int]],
    measures: Sequence[str],
    scored_by: str,
    scale: str,
) -> dict[float, list[float]]:
    """Give the measures of the ranking at every alpha."""
    found = {}
    for alpha in ALPHAS:
        stage = ComboScorer(alpha, scored_by, scale, k=10_000)
        runs = {
            case.claim.id: tuple(
                (item.document.id, item.scores["rerank.combo"].raw) for item in case.candidates
            )
            for case in stage.run(cases)
        }
        data = RankingData(qrels, runs)
        found[alpha] = [evaluate(parse_measure(name), data) for name in measures]
    return found


def main() -> None:
    """Read the candidates, mix the scores, and print a table."""
    options = _options()
    dataset = open_dataset(options.dataset)
    claims = [each for each in dataset.claims(options.split) if each.evidence is not None]
    claims = claims[: options.limit]
    with open_corpus(dataset) as library:
        pipeline = parse(_preset(options), "sweep", "sweep").build(Resources(library=library))
        cases = pipeline.run([each.claim for each in claims])
    gold = dataset.qrels(options.split)
    qrels = {each.claim.id: dict(gold[each.claim.id]) for each in claims}
    scored_by = "rerank.relevance" if options.relevance else _BM25
    scale = "probability" if options.relevance else "min-max"
    names = [f"R@{k}" for k in (1, 3, 5, 10)]
    print("alpha  " + "  ".join(f"{name:>6}" for name in names))
    for alpha, values in sweep(cases, qrels, names, scored_by, scale).items():
        print(f"{alpha:5.1f}  " + "  ".join(f"{100 * value:6.2f}" for value in values))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--verifier", required=True, help="name or folder of a joint verifier")
    parser.add_argument("--relevance", default="", help="name or folder of a relevance model")
    parser.add_argument("--dataset", default="scifact")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--depth", type=int, default=20, help="abstracts of BM25 a claim")
    parser.add_argument("--limit", type=int, help="only the first so many claims")
    return parser.parse_args()


def _preset(options: argparse.Namespace) -> str:
    stages = [
        f'[[stages]]\nkind = "retrieve"\nname = "bm25-memory"\nk = {options.depth}\n'
        'method = "okapi"\nanalyser = "lower"\n'
    ]
    if options.relevance:
        stages.append(
            f'[[stages]]\nkind = "rerank"\nname = "relevance"\nmodel = "{options.relevance}"\n'
            f'order = "incoming"\nk = {options.depth}\n'
        )
    stages.append(f'[[stages]]\nkind = "judge"\nname = "joint"\nmodel = "{options.verifier}"\n')
    return "\n".join(stages)


if __name__ == "__main__":
    main()
