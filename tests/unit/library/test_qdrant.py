"""What only a library on Qdrant does: its addresses, its state, its weights and its failures."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.request
import warnings
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qdrant_client import QdrantClient, models

from claimscope.errors import (
    InputError,
    LibraryDamagedError,
    LibraryError,
    LibraryLockedError,
    LibraryNotFoundError,
    LibraryTooNewError,
    LibraryUnreachableError,
)
from claimscope.library.local import LocalLibrary
from claimscope.library.location import open_library
from claimscope.library.qdrant import collection as collections
from claimscope.library.qdrant import state as states
from claimscope.library.qdrant.address import API_KEY, Access, read_access, read_address
from claimscope.library.qdrant.library import QdrantLibrary
from claimscope.library.qdrant.weights import rounded_length, weigh
from claimscope.models.loader import static_vectors
from claimscope.types import Document
from tests.conftest import TEXTS, document
from tests.qdrant import Node, emptied, free_port, running

from .papers import paper

TEN = [document(name) for name in TEXTS]


@pytest.fixture
def client(qdrant: Node) -> Iterator[QdrantClient]:
    with closing(
        QdrantClient(url=f"http://127.0.0.1:{qdrant.port}", check_compatibility=False)
    ) as opened:
        yield opened


def name_of(url: str) -> str:
    return read_address(url).collection


# Addresses


def test_an_address_names_nodes_a_collection_and_how_to_make_it() -> None:
    address = read_address("qdrants://a.org,b:7000,[::1]:8/papers?shards=3&replicas=2&vectors=none")
    assert address.hosts == (("a.org", 6333), ("b", 7000), ("[::1]", 8))
    assert (address.collection, address.is_tls) == ("papers", True)
    assert (address.shards, address.replicas, address.vectors) == (3, 2, "none")
    assert address.location == "qdrants://a.org:6333,b:7000,[::1]:8/papers"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("qdrant://host", "cannot name a collection"),
        ("qdrant://host/../etc", "cannot name a collection"),
        ("qdrant://host/a/b", "cannot name a collection"),
        ("qdrant://host/-a", "cannot name a collection"),
        ("qdrant://host/" + "a" * 101, "cannot name a collection"),
        ("qdrant://user:secret@host/a", "must not hold a password"),
        ("qdrant://host:0/a", "no server's address"),
        ("qdrant://host:port/a", "no server's address"),
        ("qdrant:///a", "no server's address"),
        ("qdrant://ho st/a", "no server's address"),
        ("qdrant://host/a?shards=0", "from 1 to 1024"),
        ("qdrant://host/a?shards=x", "from 1 to 1024"),
        ("qdrant://host/a?api_key=secret", "no option"),
    ],
)
def test_an_address_that_cannot_be_is_refused(url: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as error:
        read_address(url)
    assert "secret" not in str(error.value)


@given(st.text(max_size=30))
def test_no_name_reaches_the_server_unchecked(name: str) -> None:
    try:
        found = read_address(f"qdrant://host/{name}").collection
    except InputError:
        return
    assert found.isascii()
    assert found.replace("-", "").replace("_", "").isalnum()


def test_a_key_needs_tls_unless_it_stays_on_this_machine(tmp_path: Path) -> None:
    key = {API_KEY: "secret"}
    assert read_access(read_address("qdrant://127.0.0.1/a"), key).api_key == "secret"
    assert read_access(read_address("qdrants://host/a"), key).api_key == "secret"
    with pytest.raises(InputError, match="qdrants://"):
        read_access(read_address("qdrant://host/a"), key)
    assert "secret" not in repr(Access("secret"))
    with pytest.raises(InputError, match="is not there"):
        read_access(read_address("qdrants://h/a"), {"CLAIMSCOPE_QDRANT_CA": str(tmp_path / "no")})
    with pytest.raises(InputError, match="number of seconds"):
        read_access(read_address("qdrant://h/a"), {"CLAIMSCOPE_QDRANT_TIMEOUT": "soon"})


# Weights


def test_lengths_are_rounded_as_tantivy_rounds_them() -> None:
    given = [0, 23, 39, 40, 41, 42, 55, 56, 59, 60, 87, 88, 95, 96, 1000]
    assert [rounded_length(each) for each in given] == [
        *(0, 23, 39, 40, 40, 42, 54, 56, 56, 60, 84, 88, 88, 96, 984)
    ]
    rounded = [rounded_length(each) for each in range(5000)]
    assert all(one <= two for one, two in pairwise(rounded))


def test_a_term_that_is_repeated_counts_less_each_time() -> None:
    weights = [weigh({1: times}, 10, 10.0)[1] for times in (1, 2, 3, 100)]
    assert weights == sorted(weights)
    assert weights[0] == pytest.approx(1.0)
    assert weights[-1] < 2.2


def test_scores_are_those_of_a_folder(collection: str, tmp_path: Path) -> None:
    """The average length is the collection's own: with Qdrant's default of 256 this would fail."""
    queries = ["aspirin and the risk of heart attack", "older adults", "measles autism"]
    with (
        open_library(collection, create=True) as remote,
        LocalLibrary(tmp_path / "library", create=True) as local,
    ):
        # The second half is shorter, so that the average moves and all are weighed again.
        for library in (remote, local):
            library.add(TEN[:5])
            library.add(TEN[5:])
        for one, two in zip(remote.search(queries, 5), local.search(queries, 5), strict=True):
            assert [hit.document_id for hit in one] == [hit.document_id for hit in two]
            assert [hit.score for hit in one] == pytest.approx([hit.score for hit in two], abs=2e-3)


def test_fusion_merges_shards_first_and_has_the_constant_of_the_paper(qdrant: Node) -> None:
    """A rank counts over all shards; the server's zero-based ranks and its default of 2 do not."""
    with open_library(qdrant.url("fusion") + "?shards=3", create=True) as library:
        assert isinstance(library, QdrantLibrary)
        papers = [
            paper(f"p{number:02}", f"Aspirin and {word} for {number} adults.")
            for number, word in enumerate(["tea", "milk", "statins", "sleep", "iron"] * 8)
        ]
        library.add(papers, merge=False)
        query = "aspirin and statins for adults"
        by_words = {hit.document_id: hit.score for hit in library.search([query], 100)[0]}
        encoder = static_vectors()
        likeness = encoder.encode([each.text for each in papers]) @ encoder.encode([query])[0]
        by_vectors = dict(zip((each.id for each in papers), likeness.tolist(), strict=True))
        for hit in library.fused([query], 3)[0]:
            # Papers of equal score may stand in any order; vectors are compared in half precision.
            of_words = ranks(by_words, hit.document_id, slack=1e-4)
            of_vectors = ranks(by_vectors, hit.document_id, slack=2e-3)
            best, worst = (1 / (60 + of_words[way]) + 1 / (60 + of_vectors[way]) for way in (0, 1))
            assert worst - 1e-7 <= hit.score <= best + 1e-7
        assert len(by_words) == len(papers)


def ranks(scores: dict[str, float], name: str, slack: float) -> tuple[int, int]:
    """Give the best and the worst rank that a paper may have by its score."""
    own = scores[name]
    better = sum(score > own + slack for score in scores.values())
    return 1 + better, sum(score >= own - slack for score in scores.values())


# State


def test_a_library_that_is_not_there_is_named(qdrant: Node) -> None:
    with pytest.raises(LibraryNotFoundError, match="claimscope library add FILE --library qdrant"):
        open_library(qdrant.url("none"))


def test_an_empty_library_does_not_stay(collection: str, client: QdrantClient) -> None:
    with open_library(collection, create=True) as library:
        assert len(library) == 0
    assert not client.collection_exists(name_of(collection))


def test_a_collection_of_another_program_is_refused(qdrant: Node, client: QdrantClient) -> None:
    client.create_collection("foreign", vectors_config={})
    with pytest.raises(LibraryError, match="not a library of Claimscope"):
        open_library(qdrant.url("foreign"), create=True)


def test_a_library_of_a_newer_version_is_refused(qdrant: Node, client: QdrantClient) -> None:
    url = emptied(qdrant, "newer")
    client.set_payload("newer", {"schema": 99, "version": "9.0"}, [states.STATE_ID])
    with pytest.raises(LibraryTooNewError, match=r"written by Claimscope 9\.0"):
        open_library(url)
    client.set_payload("newer", {"schema": 1, "totals": "?"}, [states.STATE_ID])
    with pytest.raises(LibraryDamagedError, match="restore a snapshot"):
        open_library(url)


def test_a_collection_whose_maker_was_killed_is_finished(
    qdrant: Node, client: QdrantClient
) -> None:
    url = emptied(qdrant, "unfinished")
    client.delete("unfinished", [states.STATE_ID])
    with pytest.raises(LibraryError, match="was not finished"):
        open_library(url)
    with open_library(url, create=True) as library:
        assert library.add(TEN).added == 10


def test_a_point_of_another_program_is_named(qdrant: Node, client: QdrantClient) -> None:
    url = emptied(qdrant, "strange")
    client.upsert("strange", [models.PointStruct(id=7, vector={}, payload={"x": 1})])
    with open_library(url) as library, pytest.raises(LibraryDamagedError, match="did not write"):
        list(library.documents())


def test_a_newer_client_says_nothing_about_an_older_server(qdrant: Node) -> None:
    assert version("qdrant-client").split(".")[:2] != ["1", "16"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with open_library(emptied(qdrant, "contract")) as library:
            assert len(library) == 0


def test_a_server_that_is_too_old_is_refused(qdrant: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collections, "OLDEST", (99, 0))
    with pytest.raises(LibraryError, match=r"is Qdrant 1\.16\.3; Claimscope needs 99\.0"):
        open_library(qdrant.url("contract"))


def test_a_server_that_is_away_is_one_sentence() -> None:
    with pytest.raises(LibraryUnreachableError, match="does not answer; start it or correct"):
        open_library(f"qdrant://127.0.0.1:{free_port()}/papers")


def test_totals_that_a_killed_client_left_behind_are_counted_anew(
    qdrant: Node, client: QdrantClient
) -> None:
    url = emptied(qdrant, "left")
    with open_library(url) as library:
        library.add(TEN)
        revision = library.revision
    client.set_payload("left", {"is_clean": False, "totals": {}}, [states.STATE_ID])
    wrong = {"documents": 3, "tokens": 1, "revision": "00"}
    client.set_payload("left", {"totals": wrong}, [states.STATE_ID])
    with open_library(url) as library:
        assert next(library.verify()).fault.value == "revision"
        library.remove(["none"])
        assert library.revision == revision
        assert "10 documents were counted anew" in library.recovery.sentence
        assert list(library.verify()) == []


def test_a_client_that_gives_no_sign_loses_the_right_to_write(
    qdrant: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(states, "PATIENCE", 1.0)
    monkeypatch.setattr(states, "_PULSE", 3600.0)
    url = emptied(qdrant, "silent")
    with open_library(url) as first, open_library(url) as second:
        assert isinstance(first, QdrantLibrary)
        with first._leased():
            assert second.add(TEN[:1]).added == 1
            with pytest.raises(LibraryLockedError):
                first.add(TEN[1:])
        assert len(second) == 1


def test_words_that_lost_their_weights_are_found_by_verify(
    qdrant: Node, client: QdrantClient
) -> None:
    url = emptied(qdrant, "weightless")
    with open_library(url) as library:
        library.add(TEN)
        every = models.Filter(must_not=[models.HasIdCondition(has_id=[states.STATE_ID])])
        client.delete_vectors("weightless", ["bm25"], models.FilterSelector(filter=every))
        assert {problem.fault.value for problem in library.verify()} == {"missing"}
        assert library.rebuild() == 10
        assert list(library.verify()) == []


# Failures


def test_a_server_that_restarts_costs_time_alone(tmp_path: Path) -> None:
    node = Node(tmp_path / "node")
    with running(node), open_library(node.url("papers") + "?vectors=none", create=True) as library:
        library.add(TEN[:5])
        node.kill()
        restart = threading.Timer(1.0, node.start)
        restart.start()
        try:
            assert library.add(TEN).added == 5
        finally:
            restart.join()
        assert list(library.verify()) == []


def test_a_key_opens_the_server_and_is_never_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    node = Node(tmp_path / "node", environment={"QDRANT__SERVICE__API_KEY": "secret-key"})
    with running(node):
        url = node.url("papers") + "?vectors=none"
        with pytest.raises(LibraryError, match=f"refuses access; put its API key into {API_KEY}"):
            open_library(url, create=True)
        monkeypatch.setenv(API_KEY, "wrong-key")
        with pytest.raises(LibraryError, match="refuses access") as error:
            open_library(url, create=True)
        monkeypatch.setenv(API_KEY, "secret-key")
        with open_library(url, create=True) as library:
            assert library.add(TEN).added == 10
            assert "secret" not in library.location
    assert "-key" not in str(error.value)
    assert "secret-key" not in caplog.text


ADDING = """
import sys
from claimscope.library.location import open_library
from claimscope.library import importer
from tests.unit.library.test_qdrant import many
importer._DOCUMENTS = 50
with open_library(sys.argv[1], create=True) as library:
    library.add(many(), lambda count: print(count, flush=True))
"""


def many() -> Iterator[Document]:
    """Give papers of which every tenth is one of the former ones under another id."""
    for number in range(600):
        name = f"{'copy' if number % 10 == 9 else 'p'}{number}"
        text = f"Aspirin trial {number - number % 10} of {number // 10} adults and tea."
        yield paper(name, text, f"A long title on aspirin and tea {number - number % 10}")


def test_a_client_that_is_killed_loses_and_doubles_nothing(collection: str, tmp_path: Path) -> None:
    chance = random.Random(5)
    command = [sys.executable, "-c", ADDING, collection]
    for _ in range(2):
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(chance.uniform(0, 0.2))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with (
        open_library(collection) as remote,
        LocalLibrary(tmp_path / "library", create=True) as local,
    ):
        local.add(many())
        assert list(remote.papers()) == list(local.papers())
        assert remote.revision == local.revision
        assert list(remote.verify()) == []


def test_a_snapshot_brings_a_library_back(qdrant: Node, client: QdrantClient) -> None:
    """The two requests of the page on Qdrant."""
    url = emptied(qdrant, "saved")
    place = f"http://127.0.0.1:{qdrant.port}/collections/saved/snapshots"
    with open_library(url) as library:
        library.add(TEN)
        revision = library.revision
        request = urllib.request.Request(place, method="POST")
        with urllib.request.urlopen(request, timeout=60) as answer:
            name = json.loads(answer.read())["result"]["name"]
        library.remove(["tea"])
    client.delete_collection("saved")
    where = qdrant.folder / "snapshots" / "saved" / name
    request = urllib.request.Request(
        f"{place}/recover",
        json.dumps({"location": where.as_uri()}).encode(),
        {"Content-Type": "application/json"},
        method="PUT",
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.status == 200
    with open_library(url) as library:
        assert library.revision == revision
        assert list(library.verify()) == []
        assert library.search(["iron"], 1)[0][0].document_id == "tea"
