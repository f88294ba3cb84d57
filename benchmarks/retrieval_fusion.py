"""Whether BM25 fused with the vectors of a small bi-encoder finds more evidence than BM25 alone.

    python benchmarks/retrieval_fusion.py [--set scifact:dev] [--model all-minilm-l6-v2]

BM25 is the default preset's. The weight of the weighted sum is chosen on SciFact's train claims.
Recall is micro, over evidence abstracts; "all" is the share of claims with all evidence found; both
over claims that have evidence, in per cent. Vectors are kept in .benchmarks/vectors.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path

import numpy as np

from claimscope.datasets.registry import open_dataset
from claimscope.evaluate.corpus import open_corpus
from claimscope.measures import contributions, evaluate, parse_measure
from claimscope.measures.contributions import Counts
from claimscope.measures.intervals import bootstrap
from claimscope.measures.measure import Qrels, RankingData, Run
from claimscope.models.loader import Models
from claimscope.models.runtime import Settings
from claimscope.models.text_encoder import TextEncoder, Vectors
from claimscope.stages.rerank.combo import min_max
from claimscope.stages.retrieve.dense import DenseRetriever
from claimscope.stages.retrieve.library_bm25 import LibraryBM25
from claimscope.stages.retrieve.ranking import ReciprocalRankFusion
from claimscope.types import Case

KEPT = Path(__file__).parents[1] / ".benchmarks" / "vectors"
CHOOSING = "scifact:train"
REPORTED = ("scifact:dev", "check-covid:dev", "healthver:dev", "covidfact:train")
DEPTHS = (1, 3, 5, 10, 20)
POOL = 100
"""How many documents of each retriever are fused."""
WEIGHTS = tuple(step / 20 for step in range(21))
CHOSEN_BY = ("R@3", "R@5", "R@10")
SHARES = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
PART = 64


class KeptEncoder:
    """Reads a text once and keeps its vector on disk, so that a stopped run goes on."""

    def __init__(self, opened: Callable[[], TextEncoder], folder: Path) -> None:
        self._opened = opened
        self._folder = folder
        self._known: dict[str, Vectors] = {}
        for path in folder.glob("*.npz"):
            with np.load(path, allow_pickle=False) as part:
                self._known.update(zip(part["keys"].tolist(), part["vectors"], strict=True))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Give one row a text, from disk where it is known."""
        keys = [blake2b(text.encode(), digest_size=16).hexdigest() for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        for start in range(0, len(new), PART):
            self._read(dict(list(new.items())[start : start + PART]))
            print(f"{min(start + PART, len(new))} of {len(new)} texts encoded", flush=True)
        return np.stack([self._known[key] for key in keys])

    def _read(self, part: Mapping[str, str]) -> None:
        keys, vectors = list(part), self._opened().encode(list(part.values()))
        self._folder.mkdir(parents=True, exist_ok=True)
        np.savez(self._folder / f"{keys[0]}.npz", keys=np.array(keys), vectors=vectors)
        self._known.update(zip(keys, vectors, strict=True))


@dataclass
class KeptModels(Models):
    """Opens encoders that keep their vectors."""

    kept: dict[str, KeptEncoder] = field(default_factory=dict)

    def encoder(self, model: str) -> TextEncoder:
        """Open an encoder of single texts."""
        if model not in self.kept:
            folder = KEPT / (self.sha256(model) or "unknown")[:16]
            self.kept[model] = KeptEncoder(partial(super().encoder, model), folder)
        return self.kept[model]


@dataclass(frozen=True)
class Rankings:
    """The claims of a set that have evidence, and what each retriever ranks for them."""

    qrels: Qrels
    runs: Mapping[str, Run]

    def data(self, name: str) -> RankingData:
        """Give a retriever's ranking with what is relevant."""
        return RankingData(self.qrels, self.runs[name])


def rankings_of(name: str, models: Models, model: str) -> Rankings:
    """Run the registered stages on a split such as "scifact:dev"."""
    dataset, split = name.split(":")
    opened = open_dataset(dataset)
    qrels = {claim: gold for claim, gold in opened.qrels(split).items() if gold}
    claims = [each.claim for each in opened.claims(split) if each.claim.id in qrels]
    models.encoder(model).encode([claim.text for claim in claims])
    with open_corpus(opened) as library:
        members = (
            LibraryBM25(library, POOL),
            DenseRetriever(library, POOL, model=model, models=models),
        )
        fused = ReciprocalRankFusion(members, k=2 * POOL)
        cases = fused.run([Case(claim) for claim in claims])
    stages = {"BM25": "retrieve.bm25", "dense": "retrieve.dense", "rank fusion": "retrieve.rrf"}
    return Rankings(qrels, {name: _run(cases, stage) for name, stage in stages.items()})


def _run(cases: Sequence[Case], stage: str) -> Run:
    """Rank the candidates that a stage scored by its score."""
    return {
        case.claim.id: ranked(
            {
                item.document.id: item.scores[stage].raw
                for item in case.candidates
                if stage in item.scores
            }
        )
        for case in cases
    }


def ranked(scores: Mapping[str, float]) -> list[tuple[str, float]]:
    """Put documents in the order of their scores."""
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def weighted_sum(sparse: Run, dense: Run, weight: float) -> Run:
    """Add scores stretched to 0 to 1 over each ranking (Bruch et al., 2023, section 4).

    A document that one retriever does not rank has 0 there.
    """
    found = {}
    for claim in sparse:
        totals: dict[str, float] = {}
        for run, share in ((sparse, 1 - weight), (dense, weight)):
            scores = min_max([score for _, score in run[claim]])
            for (name, _), score in zip(run[claim], scores, strict=True):
                totals[name] = totals.get(name, 0.0) + share * score
        found[claim] = ranked(totals)
    return found


def choose_weight(train: Rankings) -> float:
    """Print the recalls at every weight of the dense scores, and give the best."""
    print(f"weight of dense in the weighted sum, {CHOOSING}: {', '.join(CHOSEN_BY)} and their mean")
    means = {}
    for weight in WEIGHTS:
        run = weighted_sum(train.runs["BM25"], train.runs["dense"], weight)
        data = RankingData(train.qrels, run)
        values = [evaluate(parse_measure(name), data) for name in CHOSEN_BY]
        means[weight] = float(np.mean(values))
        cells = "".join(f"{100 * value:8.1f}" for value in [*values, means[weight]])
        print(f"{weight:6.2f}{cells}")
    return max(means, key=lambda weight: means[weight])


def show(name: str, found: Rankings) -> None:
    """Print recalls with intervals, and what each retriever gains over BM25."""
    abstracts = sum(map(len, found.qrels.values()))
    print(f"\n{name}: {len(found.qrels)} claims, {abstracts} evidence abstracts")
    for measure, title in (("R", "R"), ("evidence-hit-all", "all")):
        heads = "".join(f"{f'{title}@{depth}':>22}" for depth in DEPTHS)
        print(f"{'':<16}{heads}")
        for retriever in found.runs:
            counted = [_counts(f"{measure}@{depth}", found.data(retriever)) for depth in DEPTHS]
            print(f"{retriever:<16}" + "".join(f"{_interval(each):>22}" for each in counted))
            if retriever != "BM25":
                base = [_counts(f"{measure}@{depth}", found.data("BM25")) for depth in DEPTHS]
                gains = [_interval(minus(*pair), "+") for pair in zip(counted, base, strict=True)]
                print(f"{'  minus BM25':<16}" + "".join(f"{gain:>22}" for gain in gains))


def _counts(measure: str, data: RankingData) -> Counts:
    found = contributions(parse_measure(measure), data)
    if not isinstance(found, Counts):
        raise TypeError(f"{measure} does not add up over claims")
    return found


def minus(one: Counts, other: Counts) -> Counts:
    """Give the difference of two shares of the same total, claim by claim."""
    hits = one.counts[:, 0] - other.counts[:, 0]
    return Counts(one.claim_ids, np.column_stack([hits, one.counts[:, 1]]), one.aggregate)


def _interval(counts: Counts, sign: str = "") -> str:
    found = bootstrap(counts)
    value, low, high = (
        format(100 * each, f"{sign}.1f") for each in (found.value, found.low, found.high)
    )
    return f"{value} ({low}, {high})"


def show_cut(name: str, found: Rankings, retriever: str) -> None:
    """Print recall and candidates a claim by k and by a cut at a share of the best score."""
    print(
        f"\n{name}, {retriever}: candidates a claim and recall, by k and by the least share of the"
    )
    print("best candidate's score")
    run = found.runs[retriever]
    for k in (3, 5, 7, 10, 15, 20, 30, 50):
        cells = []
        for share in SHARES:
            kept = {
                claim: [hit for hit in hits[:k] if hit[1] >= share * hits[0][1]]
                for claim, hits in run.items()
            }
            size = np.mean([len(hits) for hits in kept.values()])
            recall = evaluate(parse_measure(f"R@{k}"), RankingData(found.qrels, kept))
            cells.append(f"{f'{size:.1f}: {100 * recall:.1f}':>14}")
        print(f"k = {k:<4}" + "".join(cells))
    print(f"{'share':<8}" + "".join(f"{share:>14}" for share in SHARES))


def main() -> None:
    """Choose on train, then report every set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", action="append", help="data set and split, such as scifact:dev")
    parser.add_argument("--model", default="all-minilm-l6-v2", help="name or folder of an encoder")
    options = parser.parse_args()
    models = KeptModels(settings=Settings(threads=1))
    train = rankings_of(CHOOSING, models, options.model)
    weight = choose_weight(train)
    for name in (CHOOSING, *(options.set or REPORTED)):
        found = train if name == CHOOSING else rankings_of(name, models, options.model)
        summed = weighted_sum(found.runs["BM25"], found.runs["dense"], weight)
        found = Rankings(found.qrels, {**found.runs, f"sum, dense {weight}": summed})
        show(name, found)
        for retriever in ("BM25", f"sum, dense {weight}"):
            show_cut(name, found, retriever)


if __name__ == "__main__":
    main()
