"""Compare a library on Qdrant with one in a folder: results, verdicts, speed, and killed nodes.

The server is the one that the tests use, on this machine and its loopback alone. Corpora: abstracts
of SciFact, PubMed and arXiv, in that order; with more documents than there are, copies with other
ids and a changed word. Run

    python benchmarks/qdrant_library.py parity [--documents 20000]
    python benchmarks/qdrant_library.py verdicts [--claims 300]
    python benchmarks/qdrant_library.py speed [--sizes 5000 238409] [--nodes 1 3]
    python benchmarks/qdrant_library.py shards [--documents 5183]
    python benchmarks/qdrant_library.py node-killed [--seconds 300]
    python benchmarks/qdrant_library.py client-killed [--kills 50] [--seconds 300]
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.qdrant import Node, running

from claimscope.checker import Checker
from claimscope.datasets.registry import open_dataset
from claimscope.errors import ClaimscopeError
from claimscope.library import importer
from claimscope.library.filters import Filter
from claimscope.library.location import open_library
from claimscope.library.protocol import ManagedLibrary
from claimscope.types import Case, Claim, Document
from library_scale import documents as all_documents

TOP = 10
BEFORE = Filter(first_year=1900, retracted=False)


def main() -> None:
    """Run one measurement and print its table."""
    options = arguments()
    MEASUREMENTS[options.measurement](options)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measurement", choices=MEASUREMENTS)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--claims", type=int, default=300)
    parser.add_argument("--sizes", type=int, nargs="+", help="for speed: print a line at each")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1])
    parser.add_argument("--seconds", type=float, default=300.0, help="for the two with kills")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    return parser.parse_args()


def abstracts(limit: int) -> Iterator[Document]:
    """Give SciFact, PubMed and arXiv, then copies with other ids and one word more."""
    again = max(0, limit - ALL)
    first: list[Document] = []
    for document in islice(all_documents(), limit):
        if len(first) < again:
            first.append(document)
        yield document
    for number in range(again):
        document = first[number % len(first)]
        yield replace(
            document, id=f"copy-{number}-{document.id}", title=f"{document.title} c{number}"
        )


ALL = 238_409


@contextmanager
def cluster(nodes: int) -> Iterator[list[Node]]:
    """Run a server, or a cluster of several."""
    with tempfile.TemporaryDirectory(prefix="qdrant-") as folder:
        first = Node(Path(folder) / "0", is_cluster=nodes > 1)
        others = [
            Node(Path(folder) / str(number), bootstrap=first, is_cluster=True)
            for number in range(1, nodes)
        ]
        with running(first, *others):
            yield [first, *others]


def url(nodes: Sequence[Node], name: str, options: str = "") -> str:
    """Give the URL of a library on some nodes."""
    hosts = ",".join(f"127.0.0.1:{node.port}" for node in nodes)
    return f"qdrant://{hosts}/{name}{options}"


def parity(options: argparse.Namespace) -> None:
    """Compare rankings and verdicts."""
    dataset = open_dataset("scifact")
    claims = [each.claim for each in dataset.claims("dev")]
    gold = evidence()
    print(COMPARED)
    with tempfile.TemporaryDirectory() as folder, cluster(1) as nodes:
        for name, corpus in (
            ("SciFact", list(dataset.documents())),
            ("mixed", list(abstracts(options.documents))),
        ):
            queries = [claim.text for claim in claims]
            if name == "mixed":
                queries += sentences(corpus, 700, options.seed)
            with (
                open_library(f"{folder}/{name}", create=True) as local,
                open_library(url(nodes, name, "?vectors=none"), create=True) as remote,
            ):
                local.add(corpus, merge=False)
                local.rebuild()
                remote.add(corpus, merge=False)
                compare(name, "after adding", local, remote, queries)
                if name == "SciFact":
                    recalls(claims, gold, local, remote)
                remote.rebuild()
                compare(name, "after library rebuild", local, remote, queries)


def compare(
    name: str, when: str, local: ManagedLibrary, remote: ManagedLibrary, queries: list[str]
) -> None:
    """Print for how many queries both give the same top 10."""
    own, other = local.search(queries, TOP), remote.search(queries, TOP)
    pairs = list(zip(own, other, strict=True))
    same = sum(ids(one) == ids(two) for one, two in pairs)
    sets = sum(set(ids(one)) == set(ids(two)) for one, two in pairs)
    common = sum(len(set(ids(one)) & set(ids(two))) / max(1, len(one)) for one, two in pairs)
    first = sum(ids(one)[:1] == ids(two)[:1] for one, two in pairs)
    shares = " | ".join(f"{each / len(queries):.1%}" for each in (same, sets, common, first))
    print(f"| {name} | {len(local):,} | {when} | {len(queries)} | {shares} |", flush=True)


COMPARED = f"""
| corpus | documents | | queries | same order | same {TOP} | of {TOP} in both | same first |
|---|--:|---|--:|--:|--:|--:|--:|"""
RECALLED = """
| macro recall, % | folder | Qdrant |
|---|--:|--:|"""


def evidence(prefix: str = "") -> dict[str, set[str]]:
    """Name the documents that decide each claim."""
    return {
        each.claim.id: {
            prefix + name for name, found in (each.evidence or {}).items() if found.decides
        }
        for each in open_dataset("scifact").claims("dev")
    }


def recalls(
    claims: list[Claim],
    gold: dict[str, set[str]],
    local: ManagedLibrary,
    remote: ManagedLibrary,
) -> None:
    """Print the macro recall of both."""
    print(RECALLED)
    asked = [claim for claim in claims if gold[claim.id]]
    for depth in (1, 3, 5, 10, 20, 100):
        shown = []
        for library in (local, remote):
            found = library.search([claim.text for claim in asked], depth)
            shares = [
                len(gold[claim.id] & set(ids(hits))) / len(gold[claim.id])
                for claim, hits in zip(asked, found, strict=True)
            ]
            shown.append(100 * sum(shares) / len(shares))
        print(f"| R@{depth} | {shown[0]:.2f} | {shown[1]:.2f} |", flush=True)


def verdicts(options: argparse.Namespace) -> None:
    """Print on how many claims both come to the same verdict, and what differs in the others."""
    dataset = open_dataset("scifact")
    claims = [each.claim for each in dataset.claims("dev")][: options.claims]
    with (
        tempfile.TemporaryDirectory() as folder,
        cluster(1) as nodes,
        open_library(f"{folder}/library", create=True) as local,
        open_library(url(nodes, "verdicts", "?vectors=none"), create=True) as remote,
    ):
        for library in (local, remote):
            library.add(dataset.documents(), merge=False)
        one, two = Checker(local), Checker(remote)
        same = labels = 0
        for number, claim in enumerate(claims, start=1):
            here, there = one.check_many([claim])[0], two.check_many([claim])[0]
            same += here.verdict == there.verdict
            labels += label_of(here) == label_of(there)
            if here.verdict != there.verdict:
                print(f"{claim.id}: {label_of(here)}, {label_of(there)}; {differing(here, there)}")
            told = f"{number} claims, same label {labels}, same verdict {same} "
            print(f"\r{told}", end="", file=sys.stderr, flush=True)
    print(f"of {len(claims)} claims, same label {labels}, same verdict in every part {same}")


def label_of(case: Case) -> str:
    """Name a case's verdict."""
    return "none" if case.verdict is None else case.verdict.label.verdict


def differing(here: Case, there: Case) -> str:
    """Say which papers only one of two cases has, and whether their order differs."""
    own, other = ([each.document.id for each in case.candidates] for case in (here, there))
    if set(own) == set(other):
        return "the same papers" + ("" if own == other else " in another order")
    return f"papers of the folder only: {set(own) - set(other)}, of Qdrant: {set(other) - set(own)}"


def ids(hits: Iterable[object]) -> list[str]:
    """Name the documents of hits."""
    return [hit.document_id for hit in hits]  # type: ignore[attr-defined]


def sentences(corpus: list[Document], number: int, seed: int) -> list[str]:
    """Take a sentence each from some documents."""
    chance = random.Random(seed)
    possible = [each for each in corpus if each.sentences]
    chosen = chance.sample(possible, min(number, len(possible)))
    return [chance.choice(each.sentences) for each in chosen]


def speed(options: argparse.Namespace) -> None:
    """Print documents a second, memory, disk and latency, beside the folder's."""
    dataset = open_dataset("scifact")
    claims = [each.claim.text for each in dataset.claims("dev")]
    sizes = sorted(options.sizes or [options.documents])
    print(SPEEDS)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_library(f"{folder}/library", create=True) as local,
    ):
        grow("folder", local, sizes, claims, None)
        for number in options.nodes:
            with cluster(number) as nodes:
                shards = "?vectors=none" if number == 1 else "?vectors=none&shards=3&replicas=2"
                with open_library(url(nodes, "speed", shards), create=True) as remote:
                    grow(f"Qdrant, {counted(number)}", remote, sizes, claims, nodes)
                    print(COMPARED)
                    queries = claims + sentences(some_of(sizes[-1]), 700, options.seed)
                    compare("mixed", counted(number), local, remote, queries)


def grow(
    name: str,
    library: ManagedLibrary,
    sizes: Sequence[int],
    claims: list[str],
    nodes: list[Node] | None,
) -> None:
    """Add abstracts up to each size, and print a line at each."""
    corpus = abstracts(sizes[-1])
    seconds = processor = 0.0
    for before, size in pairwise([0, *sizes]):
        more = timed(partial(library.add, islice(corpus, size - before)))
        seconds, processor = seconds + more[0], processor + more[1]
        row(f"{name}, {len(library):,}", size, seconds, processor, library, claims, nodes)


def some_of(limit: int) -> list[Document]:
    """Give one abstract of twenty."""
    return list(islice(abstracts(limit), 0, None, 20))


SPEEDS = """
| library | papers/s | papers/s of CPU | RAM MB | disk MB | search ms | filtered ms | check ms |
|---|--:|--:|--:|--:|--:|--:|--:|"""


def counted(nodes: int) -> str:
    """Say how many nodes there are."""
    return "1 node" if nodes == 1 else f"{nodes} nodes (3 shards, 2 replicas)"


def timed(action: Callable[[], object]) -> tuple[float, float]:
    """Give the seconds and the processor's seconds in this process that an action took."""
    started, processor = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - started, time.process_time() - processor


def row(
    name: str,
    documents: int,
    seconds: float,
    processor: float,
    library: ManagedLibrary,
    claims: list[str],
    nodes: list[Node] | None,
) -> None:
    """Print one line of the table."""
    for query in claims[:20]:
        library.search([query], TOP)
    plain = latencies(lambda query: library.search([query], TOP), claims)
    filtered = latencies(lambda query: library.search([query], TOP, BEFORE), claims)
    fetched = latencies(
        lambda query: library.get([hit.document_id for hit in library.search([query], 20)[0]]),
        claims,
    )
    memory = "–" if nodes is None else f"{sum(map(resident, nodes)):,.0f}"
    folders = [Path(library.location)] if nodes is None else [node.folder for node in nodes]
    disk = sum(
        each.stat().st_blocks * 512
        for folder in folders
        for each in folder.rglob("*")
        if each.is_file()
    )
    print(
        f"| {name} | {documents / seconds:,.0f} | {documents / processor:,.0f} | {memory} "
        f"| {disk / 1e6:,.0f} | {plain} | {filtered} | {fetched} |",
        flush=True,
    )


def latencies(ask: Callable[[str], object], queries: list[str]) -> str:
    """Give p50, p95 and p99 in milliseconds."""
    times = []
    for query in queries:
        started = time.perf_counter()
        ask(query)
        times.append(1000 * (time.perf_counter() - started))
    cuts = quantiles(times, n=100)
    return f"{median(times):.1f} / {cuts[94]:.1f} / {cuts[98]:.1f}"


def resident(node: Node) -> float:
    """Give the megabytes that a server holds in memory."""
    if node.process is None:
        return 0.0
    status = Path(f"/proc/{node.process.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def shards(options: argparse.Namespace) -> None:
    """Print how rankings change because every shard counts words for itself."""
    dataset = open_dataset("scifact")
    claims = [each.claim for each in dataset.claims("dev")]
    gold = evidence("scifact:")
    queries = [claim.text for claim in claims]
    corpus = list(abstracts(options.documents))
    print(COMPARED)
    with (
        tempfile.TemporaryDirectory() as folder,
        cluster(1) as nodes,
        open_library(f"{folder}/library", create=True) as local,
    ):
        local.add(corpus, merge=False)
        local.rebuild()
        for number in (1, 3, 12):
            place = url(nodes, f"shards{number}", f"?vectors=none&shards={number}")
            with open_library(place, create=True) as remote:
                remote.add(corpus, merge=False)
                compare("SciFact first", f"{number} shards", local, remote, queries)
                recalls(claims, gold, local, remote)


def node_killed(options: argparse.Namespace) -> None:
    """Kill one node of three under searches and additions, start it again, then kill all."""
    corpus = list(abstracts(options.documents))
    half = len(corpus) // 2
    claims = [each.claim.text for each in open_dataset("scifact").claims("dev")]
    with cluster(3) as nodes:
        place = url(nodes, "killed", "?vectors=none&shards=3&replicas=2")
        with open_library(place, create=True) as library:
            library.add(corpus[:half], merge=False)
            acknowledged: list[int] = []
            stop = threading.Event()
            adding = threading.Thread(
                target=add_slowly, args=(place, corpus[half:], acknowledged, stop)
            )
            adding.start()
            searches = failures = 0
            end, chance = time.monotonic() + options.seconds, random.Random(options.seed)
            killed = started = False
            while time.monotonic() < end:
                try:
                    library.search([chance.choice(claims)], TOP)
                    searches += 1
                except ClaimscopeError as error:
                    failures += 1
                    print(error)
                left = end - time.monotonic()
                if not killed and left < options.seconds * 0.75:
                    nodes[0].kill()
                    killed = True
                if not started and left < options.seconds * 0.4:
                    nodes[0].start()
                    started = True
            stop.set()
            adding.join()
            nodes[0].wait()
            print(f"searches {searches:,}, failed {failures}; acknowledged {sum(acknowledged):,}")
            check_all(library, corpus[: half + sum(acknowledged)])
            for node in nodes:
                node.kill()
            for node in nodes:
                node.start()
            for node in nodes:
                node.wait()
            check_all(library, corpus[: half + sum(acknowledged)])


def add_slowly(
    place: str, corpus: list[Document], acknowledged: list[int], stop: threading.Event
) -> None:
    """Add a hundred documents at a time until told to stop."""
    with open_library(place, write=True) as library:
        for start in range(0, len(corpus), 100):
            if stop.is_set():
                return
            some = corpus[start : start + 100]
            library.add(some, merge=False)
            acknowledged.append(len(some))


def check_all(library: ManagedLibrary, corpus: list[Document]) -> None:
    """Print how many acknowledged documents are there."""
    there = sum(
        len(library.present([each.id for each in corpus[start : start + 500]]))
        for start in range(0, len(corpus), 500)
    )
    problems = [problem.sentence for problem in library.verify()]
    print(f"acknowledged {len(corpus):,}, there {there:,}; verify: {problems or 'all is well'}")


def client_killed(options: argparse.Namespace) -> None:
    """Kill a client that adds documents at random moments, and let the next one go on."""
    if options.child:
        importer._DOCUMENTS = 200  # so that batches are acknowledged often
        print("opening", flush=True)
        with open_library(options.child, create=True) as library:
            library.add(abstracts(options.documents), lambda count: print(count, flush=True))
        return
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder, cluster(1) as nodes:
        place = url(nodes, "kills", "?vectors=none")
        command = [sys.executable, __file__, "client-killed", "--documents"]
        command += [str(options.documents), "--child", place]
        kills, began = [], time.monotonic()
        while len(kills) < options.kills and time.monotonic() - began < options.seconds:
            print(f"\r{len(kills)} kills ", end="", file=sys.stderr, flush=True)
            batches = run_and_kill(command, chance.choice((0, 0, 1, 2)), chance.uniform(0, 2))
            if batches is not None:
                kills.append(batches)
                continue
            print(f"complete after {len(kills)} kills; emptied to go on")
            with open_library(place, write=True) as library:
                library.remove([each.id for each in abstracts(options.documents)])
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with (
            open_library(f"{folder}/library", create=True) as local,
            open_library(place) as remote,
        ):
            local.add(abstracts(options.documents))
            problems = [problem.sentence for problem in remote.verify()]
            print(
                f"kills {len(kills)}, {sum(map(bool, kills))} of them after a batch was "
                f"acknowledged; documents {len(remote):,}, in a folder {len(local):,}; "
                f"same papers: {list(remote.papers()) == list(local.papers())}; "
                f"same revision: {remote.revision == local.revision}; "
                f"verify: {problems or 'all is well'}"
            )


def run_and_kill(command: list[str], batches: int, seconds: float) -> int | None:
    """Kill a client some seconds after its library opens, or after batches were acknowledged.

    Give how many batches were; None if it came to its end before.
    """
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        lines = child.stdout or iter(())
        told = [line for line in islice(lines, 1 + batches) if line]
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
        told += list(lines)
    return max(0, len(told) - 1) if child.returncode == -signal.SIGKILL else None


MEASUREMENTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "parity": parity,
    "verdicts": verdicts,
    "speed": speed,
    "shards": shards,
    "node-killed": node_killed,
    "client-killed": client_killed,
}

if __name__ == "__main__":
    main()
