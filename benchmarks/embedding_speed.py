"""Embed SciFact's abstracts as `claimscope library embed` does, on one thread.

Prints papers a second of CPU time, which other jobs disturb least, and the bytes that a paper takes
as Parquet, text and vector together. Run

    python benchmarks/embedding_speed.py [--model claimscope-vectors] [--papers 5183]
"""

from __future__ import annotations

import argparse
import os
import time
from itertools import islice

from claimscope.batch.embedding import PART_SIZE, EmbedSpec, embed_part, spec_for
from claimscope.batch.parts import Part
from claimscope.datasets.registry import open_dataset
from claimscope.evaluate.corpus import open_corpus
from claimscope.models.catalogue import VECTORS
from claimscope.models.loader import Models
from claimscope.types import Document


def main() -> None:
    """Embed and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=VECTORS)
    parser.add_argument("--papers", type=int, default=5_183)
    options = parser.parse_args()
    os.environ["CLAIMSCOPE_THREADS"] = "1"
    with open_corpus(open_dataset("scifact"), None) as library:
        papers = list(islice(library.documents(), options.papers))
    spec = spec_for(options.model)
    embed(spec, papers[:1])
    wall, cpu = time.perf_counter(), time.process_time()
    size = embed(spec, papers)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    width = Models().encoder(options.model).encode(["x"]).shape[1]
    print(f"load average {os.getloadavg()[0]:.1f}\n")
    print("| model | dimensions | papers | s | CPU s | papers/s of CPU | bytes/paper |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    cells = [options.model, width, f"{len(papers):,}", f"{wall:.1f}", f"{cpu:.1f}"]
    cells += [f"{len(papers) / cpu:,.1f}", f"{size / len(papers):,.0f}"]
    print(f"| {' | '.join(map(str, cells))} |")


def embed(spec: EmbedSpec, papers: list[Document]) -> int:
    """Embed papers in parts and give the bytes written."""
    total = 0
    for start in range(0, len(papers), PART_SIZE):
        finished = embed_part(spec, Part(start, papers[start : start + PART_SIZE]))
        if finished.failure is not None:
            raise SystemExit(finished.failure)
        total += len(finished.data)
    return total


if __name__ == "__main__":
    main()
