"""Build a library of 238,409 abstracts and search it, beside three other BM25 engines.

Corpora: 200,000 abstracts of arXiv, 33,226 of PubMed and 5,183 of SciFact; queries: the claims of
SciFact dev. Every engine runs in a process of its own, so that peak memory is its own, reads the
same files, and answers the same queries until all are answered or 30 seconds are over. Run

    python benchmarks/library_scale.py [--limit N] [--engines claimscope,bm25s,...]
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import os
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from statistics import median, quantiles

from claimscope.library.local import LocalLibrary
from claimscope.text import split_sentences
from claimscope.types import Document, Metadata

DATA = Path(os.environ.get("CLAIMSCOPE_DATA", Path(__file__).parents[2] / "shared" / "data"))
ALL = 238_409
TOP = 10
QUERY_SECONDS = 30.0
WORD = re.compile(r"\w+")

Search = Callable[[str], object]


@dataclass(frozen=True)
class Result:
    """What one engine showed."""

    engine: str
    documents: int
    build_seconds: float
    build_cpu_seconds: float
    """Tells the engine's own work from waiting for a busy computer."""
    peak_megabytes: float
    disk_megabytes: float
    reopen_seconds: float
    queries: int
    p50: float
    p95: float

    @property
    def speed(self) -> float:
        """Abstracts a second, from the compressed files to the durable index."""
        return self.documents / self.build_seconds


def main() -> None:
    """Run every engine in its own process and print the table."""
    options = arguments()
    if options.child:
        print(json.dumps(asdict(measure(options.child, options.limit, options.folder))))
        return
    results = [run_child(engine, options.limit) for engine in options.engines.split(",")]
    print_table(results)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=ALL, help="index only the first N abstracts")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def run_child(engine: str, limit: int) -> Result:
    """Measure one engine in a new process and a new folder."""
    log(f"{engine}: building")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--child", engine]
        command += ["--limit", str(limit), "--folder", folder]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return Result(**json.loads(output.splitlines()[-1]))


def measure(engine: str, limit: int, folder: Path) -> Result:
    """Build, reopen and search with one engine."""
    build, reopen = ENGINES[engine]
    started, cpu_started = time.perf_counter(), time.process_time()
    build(islice(documents(), limit), folder)
    built, cpu_built = time.perf_counter(), time.process_time()
    search = reopen(folder)
    reopened = time.perf_counter()
    log(f"{engine}: searching")
    times = time_queries(search)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Result(
        engine,
        limit,
        built - started,
        cpu_built - cpu_started,
        peak,
        sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6,
        reopened - built,
        len(times),
        1000 * median(times),
        1000 * quantiles(times, n=20)[-1],
    )


def time_queries(search: Search) -> list[float]:
    """Time the claims one by one, after one that warms up."""
    lines = (DATA / "scifact" / "claims_dev.jsonl").read_text("utf-8").splitlines()
    claims = [json.loads(line)["claim"] for line in lines]
    search(claims[0])
    times: list[float] = []
    while len(times) < len(claims) and sum(times) < QUERY_SECONDS:
        started = time.perf_counter()
        search(claims[len(times)])
        times.append(time.perf_counter() - started)
    return times


# The corpora.


def documents() -> Iterator[Document]:
    """Read all three corpora, with progress on standard error."""
    started = time.perf_counter()
    for number, document in enumerate(read_corpora(), start=1):
        yield document
        if number % 20_000 == 0:
            log(f"  {number:,} abstracts, {time.perf_counter() - started:.1f} s")


def read_corpora() -> Iterator[Document]:
    """Give SciFact, PubMed and arXiv, in this order so that a limit keeps the queries' papers."""
    with (DATA / "scifact" / "corpus.jsonl").open(encoding="utf-8") as file:
        yield from (from_scifact(json.loads(line)) for line in file)
    with gzip.open(DATA / "corpora" / "pubmed.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from (from_pubmed(json.loads(line)) for line in file)
    with lzma.open(DATA / "corpora" / "arxiv.jsonl.xz", "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            yield make("arxiv:" + record["doc_id"], record["title"], record["abstract"])


def from_scifact(record: dict[str, object]) -> Document:
    """Make a document of SciFact's sentence list."""
    return make(f"scifact:{record['doc_id']}", record["title"], " ".join(record["abstract"]))


def from_pubmed(record: dict[str, object]) -> Document:
    """Make a document of a PubMed record."""
    meta = Metadata(
        doi=record["doi"],
        pmid=str(record["doc_id"]),
        year=int(record["year"]) if record["year"] else None,
        venue=record["journal"],
        language=record["language"],
        publication_types=tuple(record["publication_types"]),
    )
    return make(f"pmid:{record['doc_id']}", record["title"], record["abstract"], meta)


def make(name: str, title: str, abstract: str, meta: Metadata | None = None) -> Document:
    """Make a document with its sentences."""
    return Document(name, title, abstract, split_sentences(abstract), meta or Metadata())


# The engines: a builder, and an opener that gives a search.


def build_claimscope(corpus: Iterable[Document], folder: Path) -> None:
    """Build our library."""
    with LocalLibrary(folder / "library", create=True) as library:
        report = library.add(corpus)
        log(f"  added {report.added:,}, merged {len(report.merged):,}")


def open_claimscope(folder: Path) -> Search:
    """Open our library."""
    library = LocalLibrary(folder / "library")
    return lambda query: library.search([query], TOP)


def build_fts5(corpus: Iterable[Document], folder: Path) -> None:
    """Build SQLite's full-text index with Porter stemming; it keeps the text as well."""
    with sqlite3.connect(folder / "fts.sqlite") as connection:
        connection.execute("CREATE VIRTUAL TABLE f USING fts5(id UNINDEXED, t, tokenize=porter)")
        rows = ((document.id, document.text) for document in corpus)
        connection.executemany("INSERT INTO f VALUES (?, ?)", rows)


def open_fts5(folder: Path) -> Search:
    """Search it with the query's words joined by OR."""
    connection = sqlite3.connect(folder / "fts.sqlite")
    statement = f"SELECT id FROM f WHERE f MATCH ? ORDER BY rank LIMIT {TOP}"

    def search(query: str) -> object:
        words = " OR ".join(f'"{word}"' for word in WORD.findall(query))
        return connection.execute(statement, (words,)).fetchall()

    return search


def build_bm25s(corpus: Iterable[Document], folder: Path) -> None:
    """Build bm25s with its English stop words."""
    import bm25s

    texts = [document.text for document in corpus]
    retriever = bm25s.BM25(k1=1.2, b=0.75)
    retriever.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
    retriever.save(str(folder / "bm25s"))


def open_bm25s(folder: Path) -> Search:
    """Open bm25s."""
    import bm25s

    retriever = bm25s.BM25.load(str(folder / "bm25s"))

    def search(query: str) -> object:
        tokens = bm25s.tokenize(query, return_ids=False, show_progress=False)
        return retriever.retrieve(tokens, k=TOP, show_progress=False)

    return search


def build_rank_bm25(corpus: Iterable[Document], folder: Path) -> None:
    """Leave the texts on the disk: rank_bm25 cannot be saved and is built at opening."""
    with (folder / "texts.txt").open("w", encoding="utf-8") as file:
        file.writelines(" ".join(WORD.findall(document.text)) + "\n" for document in corpus)


def open_rank_bm25(folder: Path) -> Search:
    """Build rank_bm25, in memory only."""
    from rank_bm25 import BM25Okapi

    with (folder / "texts.txt").open(encoding="utf-8") as file:
        model = BM25Okapi([line.lower().split() for line in file])

    def search(query: str) -> object:
        return model.get_scores(WORD.findall(query.lower())).argsort()[::-1][:TOP]

    return search


ENGINES = {
    "claimscope": (build_claimscope, open_claimscope),
    "bm25s": (build_bm25s, open_bm25s),
    "sqlite-fts5": (build_fts5, open_fts5),
    "rank_bm25": (build_rank_bm25, open_rank_bm25),
}


def print_table(results: list[Result]) -> None:
    """Print the figures, and each engine's as a multiple of ours."""
    print(
        f"{'engine':<12}{'abstracts':>10}{'build s':>9}{'CPU s':>8}{'per s':>8}"
        f"{'peak MB':>9}{'disk MB':>9}{'reopen s':>10}{'queries':>9}{'p50 ms':>9}{'p95 ms':>9}"
    )
    for row in results:
        print(
            f"{row.engine:<12}{row.documents:>10,}{row.build_seconds:>9.1f}"
            f"{row.build_cpu_seconds:>8.1f}{row.speed:>8,.0f}"
            f"{row.peak_megabytes:>9,.0f}{row.disk_megabytes:>9,.0f}{row.reopen_seconds:>10.3f}"
            f"{row.queries:>9}{row.p50:>9.2f}{row.p95:>9.2f}"
        )
    ours = next((row for row in results if row.engine == "claimscope"), None)
    for row in results:
        if ours is not None and row is not ours:
            print(
                f"{row.engine} / claimscope: "
                f"memory x{row.peak_megabytes / ours.peak_megabytes:.1f}, "
                f"until it can search x{ready(row) / ready(ours):.2f}, "
                f"p50 x{row.p50 / ours.p50:.2f}, p95 x{row.p95 / ours.p95:.2f}"
            )


def ready(row: Result) -> float:
    """Seconds from the files to the first search; rank_bm25 only builds when it is opened."""
    return row.build_seconds + row.reopen_seconds


def log(message: str) -> None:
    """Tell how far it is."""
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
