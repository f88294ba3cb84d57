"""How fast scoring is, how large a report is, and whether memory grows with the number of claims.

    python benchmarks/evaluation_speed.py

SciFact's 300 development claims, and ten times as many by repeating them, go through BM25, a
selector and the majority judge; each run has a process of its own, whose peak memory is read.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from claimscope.datasets.record import Dataset, LabelledClaim
from claimscope.datasets.registry import open_dataset

PRESET = """
summary = "A pipeline with all parts and no model."
[[stages]]
kind = "retrieve"
name = "bm25"
k = 20
[[stages]]
kind = "select"
name = "lexical"
n = 3
threshold = 0.2
[[stages]]
kind = "judge"
name = "majority"
[[stages]]
kind = "decide"
name = "any-evidence"
"""
SIZES = (300, 3_000)
SAMPLES = 1_000


def main() -> None:
    """Print one line per size."""
    heads = ("claims", "run s", "run peak MB", "score s", "score peak MB", "report s", "report MB")
    print("".join(f"{head:>15}" for head in heads))
    with TemporaryDirectory() as folder:
        for size in SIZES:
            path = Path(folder) / str(size)
            ran = _part("run", path, size)
            scored = _part("score", path, size)
            reported = _part("report", path, size)
            cells = (
                f"{size:,}",
                f"{ran['seconds']:.1f}",
                f"{ran['peak']:.0f}",
                f"{scored['seconds']:.2f}",
                f"{scored['peak']:.0f}",
                f"{reported['seconds']:.2f}",
                f"{reported['size']:.2f}",
            )
            print("".join(f"{cell:>15}" for cell in cells))
    print(f"score: reading the run and all measures with {SAMPLES:,} bootstrap samples each")


def _part(part: str, folder: Path, size: int) -> dict[str, float]:
    """Do one part in a new process and give its time and peak memory."""
    command = [sys.executable, __file__, part, str(folder), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def _do(part: str, folder: Path, size: int) -> None:
    """Do one part here, and print what it took."""
    from claimscope.evaluate.experiment import Experiment, run
    from claimscope.evaluate.folder import RunFolder
    from claimscope.evaluate.material import gather
    from claimscope.evaluate.report import write_report
    from claimscope.evaluate.scoring import score
    from claimscope.pipeline.preset import parse

    dataset = _repeated(open_dataset("scifact"), size)
    page = folder / "report.html"
    started = time.perf_counter()
    if part == "run":
        run(Experiment(dataset, "dev", parse(PRESET, "all-parts", "benchmark")), folder)
    else:
        scored = score(gather(RunFolder(folder)), samples=SAMPLES)
        if part == "report":
            started = time.perf_counter()
            write_report(page, [(RunFolder(folder), scored)])
    result = {
        "seconds": time.perf_counter() - started,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "size": page.stat().st_size / 1e6 if page.exists() else 0.0,
    }
    print(json.dumps(result))


def _repeated(dataset: Dataset, size: int) -> Dataset:
    """Give the first claims of a split, again and again under new ids."""
    read = dataset.definition.claims

    def claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
        count = 0
        while True:
            for each in read(folder, split):
                if count == size:
                    return
                count += 1
                yield replace(each, claim=replace(each.claim, id=str(count)))

    return replace(dataset, definition=replace(dataset.definition, claims=claims))


if __name__ == "__main__":
    if len(sys.argv) == 4:
        _do(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
