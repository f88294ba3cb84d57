"""How long a claim takes to its verdict, warm, on the SciFact library, and how much memory.

python benchmarks/verifier_speed.py [--preset NAME]... [--claims 60] [--torch]

Every preset is timed with its own number of candidates, the first one also with twenty. With
--torch the same windows are also read by PyTorch, with the weights of the shipped model. The memory
is the largest the process has used so far.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from claimscope.checker import Checker
from claimscope.claims.reading import read_claim
from claimscope.datasets.registry import open_dataset
from claimscope.evaluate.corpus import open_corpus
from claimscope.library.protocol import Library
from claimscope.models.locate import Locator
from claimscope.models.onnx_models import open_session
from claimscope.models.runtime import Settings, run_in_batches
from claimscope.models.scorer import Matrix, probabilities
from claimscope.models.verifier.joint import Abstract
from claimscope.models.verifier.onnx_joint import INPUTS, OUTPUTS, WindowEncoder
from claimscope.pipeline.preset import DEFAULT_PRESET
from claimscope.pipeline.registry import Resources

if TYPE_CHECKING:  # PyTorch would count as memory of the presets.
    from claimscope.models.encoding import Special
    from claimscope.train.verifier.network import Inputs, Row

    Run = Callable[[Inputs], Matrix]

WARM_UP = 3
MANY = 20
MODEL = "claimscope-verifier"
READ = 5
"""Candidates a claim whose windows the two engines read."""


def main() -> None:
    """Print one row per preset, then one row per engine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", action="append")
    parser.add_argument("--claims", type=int, default=60)
    parser.add_argument("--torch", action="store_true", help="read the same windows with PyTorch")
    options = parser.parse_args()
    dataset = open_dataset("scifact")
    claims = [each.claim.text for each in dataset.claims("dev")][: options.claims + WARM_UP]
    presets = options.preset or [DEFAULT_PRESET]
    with open_corpus(dataset) as library:
        print(f"Library open: peak {_peak():.0f} MB\n")
        print("| preset | candidates | claims | p50 s | p95 s | together, claims/s | peak MB |")
        print("|---|--:|--:|--:|--:|--:|--:|")
        for preset, candidates in [*((name, 0) for name in presets), (presets[0], MANY)]:
            _time_preset(_checker(library, preset, candidates), claims)
        if options.torch:
            _compare(library, claims[WARM_UP:])


def _checker(library: Library, preset: str, candidates: int) -> Checker:
    """Open a preset, with another number of candidates unless that is 0."""
    checker = Checker(library, preset)
    if candidates:
        stages = tuple(
            replace(stage, parameters={**stage.parameters, "k": candidates})
            if "k" in stage.parameters
            else stage
            for stage in checker.preset.stages
        )
        checker.preset = replace(checker.preset, stages=stages)
        checker.pipeline = checker.preset.build(Resources(library))
    return checker


def _time_preset(checker: Checker, claims: Sequence[str]) -> None:
    for claim in claims[:WARM_UP]:
        checker.check(claim)
    timed = claims[WARM_UP:]
    times = [_seconds(partial(checker.check, claim)) for claim in timed]
    together = _seconds(lambda: checker.check_many([read_claim(claim) for claim in timed]))
    retrieve = checker.preset.stages[0]
    print(
        f"| {checker.preset.name} | {retrieve.parameters['k']} | {len(times)} | "
        f"{np.quantile(times, 0.5):.3f} | {np.quantile(times, 0.95):.3f} | "
        f"{len(times) / together:.2f} | {_peak():.0f} |",
        flush=True,
    )


def _compare(library: Library, claims: Sequence[str]) -> None:
    """Let ONNX Runtime and PyTorch read the same windows, and print how fast each is."""
    from claimscope.models.encoding import Special
    from claimscope.train.pretrained import read_tokenizer
    from claimscope.train.verifier.network import Row

    found = Locator().find(MODEL)
    tokenizer = read_tokenizer(found.folder)
    special = Special.of(tokenizer)
    layout = WindowEncoder(tokenizer, special.start, special.separator, found.checkpoint.max_length)
    rows = [
        Row(window.ids, window.segments.count(0), window.spans)
        for abstract in _abstracts(library, claims)
        for window in layout.encode(abstract)
    ]
    onnx, torch = _onnx(found.folder), _torch(found.folder)
    print("\n| engine | batch | windows | windows/s | ONNX Runtime is | largest difference |")
    print("|---|--:|--:|--:|--:|--:|")
    first: tuple[float, Matrix] | None = None
    for name, run, size in (("ONNX Runtime", onnx, 1), ("torch", torch, 1), ("torch", torch, 16)):
        rate, labels = _read(run, rows, special, size)
        first = first or (rate, labels)
        print(
            f"| {name} | {size} | {len(rows)} | {rate:.2f} | {first[0] / rate:.2f} × as fast | "
            f"{np.abs(labels - first[1]).max():.3f} |",
            flush=True,
        )
    print(f"\nThe difference is that of the labels' probabilities. Peak, both: {_peak():.0f} MB")


def _read(run: Run, rows: Sequence[Row], special: Special, size: int) -> tuple[float, Matrix]:
    """Give how many windows are read a second, and the probabilities of each one's labels."""
    from claimscope.train.verifier.network import inputs_of

    def logits(batch: Sequence[Row]) -> list[Matrix]:
        return list(run(inputs_of(batch, special)))

    logits(rows[:1])
    started = time.perf_counter()
    read = run_in_batches(rows, lambda row: len(row.ids), logits, size)
    rate = len(rows) / (time.perf_counter() - started)
    return rate, probabilities(np.array(read, dtype=float))


def _onnx(folder: Path) -> Run:
    session = open_session(folder / "model.onnx", Settings())
    return lambda given: session.run(
        list(OUTPUTS), {name: getattr(given, name).numpy() for name in INPUTS}
    )[0]


def _torch(folder: Path) -> Run:
    import torch

    from claimscope.train.verifier.export import read_network

    network = read_network(folder / "model.onnx").eval()

    def run(given: Inputs) -> Matrix:
        with torch.inference_mode():
            label, _ = network(given.ids, given.segments, given.mask, given.pooling)
            return np.asarray(label)

    return run


def _abstracts(library: Library, claims: Sequence[str]) -> list[Abstract]:
    return [
        Abstract(claim, document.title, document.sentences)
        for claim, hits in zip(claims, library.search(claims, READ), strict=True)
        for document in library.get([hit.document_id for hit in hits])
        if document.has_abstract
    ]


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
