"""Whether a verifier's feedback puts evidence first: +VeriRel's tables 2 to 4 with our own models.

    python benchmarks/verification_feedback.py [--set scifact:dev] [--verifier MODEL]
        [--relevance MODEL] [--student FOLDER] [--depth 20]

BM25's first abstracts are ranked by BM25, by a relevance model (the static vectors of the default
preset unless another is named), by ComboScorer at every alpha, and by students. `--verifier` and
`--student` take `NAME=FOLDER,FOLDER`: runs of one training with several seeds, which are shown as
mean ± standard deviation. The verifier's verdicts on the first 3, 5 and 10 of each ranking are
scored, too. What the models said is kept in .benchmarks/feedback, and a stopped run goes on.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from claimscope.datasets.registry import open_dataset
from claimscope.evaluate.cases import predictions_of
from claimscope.evaluate.experiment import Experiment, run
from claimscope.measures import Contributions, bootstrap, contributions, parse_measure, spread
from claimscope.measures.contributions import Counts, value
from claimscope.measures.measure import EvidenceData, PredictedEvidence, RankingData, Run
from claimscope.models.catalogue import VECTORS
from claimscope.models.fingerprint import weights_sha256
from claimscope.models.locate import Locator
from claimscope.pipeline.preset import Preset, StageSetting
from claimscope.pipeline.stage import Kind
from claimscope.stages.rerank.combo import ComboScorer
from claimscope.types import Case, Gold

KEPT = Path(".benchmarks") / "feedback"
ALPHAS = tuple(step / 10 for step in range(11))
DEPTHS = (1, 3, 5, 10, 20)
VERDICTS = (3, 5, 10)
HITS = ("evidence-hit-one", "evidence-hit-all", "hit-one", "hit-all")
_BM25 = "retrieve.bm25-memory"
_STUDENT = "rerank.relevance"


@dataclass(frozen=True)
class Asked:
    """What is measured on one split."""

    dataset: str
    split: str
    relevance: str
    depth: int
    limit: int | None


@dataclass(frozen=True)
class Ranking:
    """One way to rank, in one or more runs of it."""

    name: str
    runs: Sequence[Run]
    judged: Sequence[Sequence[Case]]
    """The cases whose verdicts go with each run."""


def read_by(asked: Asked, model: str, *, student: bool = False) -> list[Case]:
    """Let a model read every claim's candidates, or take what it said before."""
    preset = Preset("feedback", "", tuple(_stages(asked, model, student)))
    folder = Locator().find(model).folder
    limit = "" if asked.limit is None else f"-{asked.limit}"
    words = [asked.dataset, asked.split + limit, Path(asked.relevance).name, str(asked.depth)]
    name = "-".join([*words, weights_sha256(folder)[:12]])
    experiment = Experiment(open_dataset(asked.dataset), asked.split, preset, limit=asked.limit)
    return [case for _, case in run(experiment, KEPT / name, on_progress=_told).pairs()]


def _told(done: int, total: int) -> None:
    print(f"\r{done:,} of {total:,} claims", end="\n" if done == total else "", flush=True)


def _stages(asked: Asked, model: str, student: bool) -> Iterator[StageSetting]:
    depth = asked.depth
    # The paper's BM25 as its code prepares the words; see docs/papers.md.
    words = {"method": "okapi", "k1": 1.5, "b": 0.75, "analyser": "letters-stop"}
    yield StageSetting(Kind.RETRIEVE, "bm25-memory", {"k": depth, **words})
    if student:
        yield StageSetting(Kind.RERANK, "relevance", {"model": model, "k": depth})
        return
    name = "vectors" if asked.relevance == VECTORS else "relevance"
    yield StageSetting(Kind.RERANK, name, {"model": asked.relevance, "k": depth})
    # Without its prior the verifier says what it reads, and not how well an abstract was found.
    judged = {"model": model, "relevance": 0.0, "reread": 0}
    yield StageSetting(Kind.JUDGE, "joint", judged)


def ranked(cases: Sequence[Case], stage: str) -> Run:
    """Rank the candidates by the score of a stage."""
    return {
        case.claim.id: tuple(
            sorted(
                ((item.document.id, item.scores[stage].raw) for item in case.candidates),
                key=lambda found: (-found[1], found[0]),
            )
        )
        for case in cases
    }


def combined(cases: Sequence[Case], alpha: float, scored_by: str, scale: str) -> Run:
    """Rank the candidates by ComboScorer."""
    mixed = ComboScorer(alpha, scored_by, scale, k=10_000).run(cases)
    return ranked(mixed, "rerank.combo")


def predicted(
    cases: Sequence[Case], found: Run, top: int
) -> dict[str, dict[str, PredictedEvidence]]:
    """Give the verifier's verdicts on the first documents of a ranking."""
    said = {}
    for case in cases:
        kept = {name for name, _ in found[case.claim.id][:top]}
        candidates = tuple(item for item in case.candidates if item.document.id in kept)
        said[case.claim.id] = predictions_of(replace(case, candidates=candidates))
    return said


def main() -> None:
    """Read, rank, and print the tables of every set."""
    options = _options()
    for name in options.set or ["scifact:dev"]:
        dataset, split = name.split(":")
        asked = Asked(dataset, split, options.relevance, options.depth, options.limit)
        verifiers = _named(options.verifier or ["claimscope-verifier"])
        read = {
            group: [read_by(asked, model) for model in models]
            for group, models in verifiers.items()
        }
        students = {
            group: [read_by(asked, model, student=True) for model in models]
            for group, models in _named(options.student or []).items()
        }
        _show(asked, read, students)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", action="append", help="data set and split, such as scifact:dev")
    parser.add_argument("--verifier", action="append", help="MODEL, or NAME=MODEL,MODEL")
    parser.add_argument("--student", action="append", help="the same, of +VeriRel's students")
    parser.add_argument("--relevance", default=VECTORS, help="name or folder of a relevance model")
    parser.add_argument("--depth", type=int, default=20, help="abstracts of BM25 for each claim")
    parser.add_argument("--limit", type=int, help="only the first so many claims")
    return parser.parse_args()


def _named(words: Sequence[str]) -> dict[str, list[str]]:
    """Read "NAME=MODEL,MODEL"; a model alone is its own name."""
    found = {}
    for word in words:
        name, sign, models = word.partition("=")
        found[name if sign else Path(word).name] = (models if sign else word).split(",")
    return found


def _rankings(
    asked: Asked,
    read: Mapping[str, Sequence[Sequence[Case]]],
    students: Mapping[str, Sequence[Sequence[Case]]],
    alphas: Sequence[float],
) -> Iterator[Ranking]:
    first = next(iter(read.values()))[0]
    vectors = asked.relevance == VECTORS
    scored_by = "rerank.vectors" if vectors else "rerank.relevance"
    scale = "min-max" if vectors else "probability"
    yield Ranking("BM25", [ranked(first, _BM25)], [first])
    yield Ranking("relevance", [ranked(first, scored_by)], [first])
    for name, runs in read.items():
        for alpha in alphas:
            title = f"ComboScorer ({name}), alpha {alpha:.1f}"
            found = [combined(cases, alpha, scored_by, scale) for cases in runs]
            yield Ranking(title, found, runs)
    for name, runs in students.items():
        # The verdicts on what a student ranks are the first verifier's.
        found = [ranked(cases, _STUDENT) for cases in runs]
        yield Ranking(f"student ({name})", found, [first] * len(runs))


def _show(
    asked: Asked,
    read: Mapping[str, Sequence[Sequence[Case]]],
    students: Mapping[str, Sequence[Sequence[Case]]],
) -> None:
    dataset = open_dataset(asked.dataset)
    claims = list(dataset.claims(asked.split))[: asked.limit]
    names = {each.claim.id for each in claims}
    qrels = {name: found for name, found in dataset.qrels(asked.split).items() if name in names}
    gold = {each.claim.id: each.evidence for each in claims if each.evidence is not None}
    abstracts = sum(map(len, qrels.values()))
    print(f"\n## {asked.dataset} {asked.split}: {len(claims)} claims, {abstracts} abstracts")
    depths = [depth for depth in DEPTHS if depth <= asked.depth]
    recalls = [f"R@{depth}" for depth in depths]
    print("\nTable 2 and the sweep of alpha: recall\n")
    swept = list(_rankings(asked, read, students, ALPHAS))
    _table(swept, recalls, lambda name, run, _: _counts(name, RankingData(qrels, run)))
    chosen = [each for each in swept if "alpha" not in each.name or each.name.endswith("alpha 0.5")]
    print("\nGain of alpha 0.5 over the relevance alone, in points\n")
    _gains(chosen, recalls, lambda name, run, _: _counts(name, RankingData(qrels, run)))
    print("\nTable 3: claims of which one abstract, or all, are among the first\n")
    hits = [f"{name}@{depth}" for depth in (3, 20) if depth <= asked.depth for name in HITS]
    _table(chosen, hits, lambda name, run, _: _counts(name, RankingData(qrels, run)))
    print("\nTable 4: the verifier's verdicts on the first abstracts, label-only\n")
    for top in VERDICTS:
        print(f"First {top}:\n")
        parts = [f"abstract-label-only {part}" for part in ("P", "R", "F1")]
        _table(chosen, parts, _verdicts(gold, top))
        print()


def _verdicts(gold: Gold, top: int) -> Callable[[str, Run, Sequence[Case]], Contributions]:
    def scored(name: str, found: Run, cases: Sequence[Case]) -> Contributions:
        return _counts(name, EvidenceData(gold, predicted(cases, found, top)))

    return scored


def _counts(name: str, data: object) -> Contributions:
    return contributions(parse_measure(name), data)


_Scored = Callable[[str, Run, Sequence[Case]], Contributions]


def _table(rankings: Sequence[Ranking], measures: Sequence[str], scored: _Scored) -> None:
    """Print a row for each ranking, in per cent; mean ± deviation where there are several runs."""
    print("| ranking | " + " | ".join(measures) + " |")
    print("|---|" + "--:|" * len(measures))
    for each in rankings:
        cells = []
        for name in measures:
            values = [100 * value(scored(name, *pair)) for pair in _pairs(each)]
            found = spread(values)
            more = f" ± {found.standard_deviation:.1f}" if len(values) > 1 else ""
            cells.append(f"{found.mean:.1f}{more}")
        print(f"| {each.name} | " + " | ".join(cells) + " |")


def _pairs(ranking: Ranking) -> Iterator[tuple[Run, Sequence[Case]]]:
    return zip(ranking.runs, ranking.judged, strict=True)


def _gains(rankings: Sequence[Ranking], measures: Sequence[str], scored: _Scored) -> None:
    """Print what each ranking gains over the relevance alone, with its 95 % interval."""
    base = next(each for each in rankings if each.name == "relevance")
    print("| ranking | " + " | ".join(measures) + " |")
    print("|---|" + "--:|" * len(measures))
    for each in rankings:
        if each is base or len(each.runs) > 1:
            continue
        cells = []
        for name in measures:
            one, other = (scored(name, *next(_pairs(rank))) for rank in (each, base))
            cells.append(_interval(one, other))
        print(f"| {each.name} | " + " | ".join(cells) + " |")


def _interval(one: Contributions, other: Contributions) -> str:
    if not isinstance(one, Counts) or not isinstance(other, Counts):
        raise TypeError("Only counts that add up over claims can be subtracted.")
    gained = one.counts[:, 0] - other.counts[:, 0]
    both = np.column_stack([gained, one.counts[:, 1]])
    found = bootstrap(Counts(one.claim_ids, both, one.aggregate))
    return f"{100 * found.value:+.1f} ({100 * found.low:+.1f}, {100 * found.high:+.1f})"


if __name__ == "__main__":
    main()
