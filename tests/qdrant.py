"""A real Qdrant for tests: found on this machine, started on free ports, stopped at the end."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

VARIABLE = "CLAIMSCOPE_TEST_QDRANT"
SHA256 = "8019db3c315d27fe663d639a6cdc6f60dff2ae903312daea492b159b553ad66f"
CACHED = Path.home() / ".cache" / "claimscope-tests" / "qdrant-1.16.3" / "qdrant"
_PATIENCE = 90.0


def find_server() -> Path:
    """Find the server, or skip the test and say how to get it."""
    path = Path(os.environ.get(VARIABLE, CACHED))
    if not path.is_file():
        pytest.skip(f"no Qdrant server: .ci/qdrant fetches it, or {VARIABLE} names one")
    if VARIABLE not in os.environ:
        assert hashlib.sha256(path.read_bytes()).hexdigest() == SHA256, f"{path} is another file"
    return path


@dataclass
class Node:
    """One server with its own folder and ports; it can be killed and started again."""

    folder: Path
    bootstrap: Node | None = None
    is_cluster: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    port: int = field(default_factory=lambda: free_port())
    grpc_port: int = field(default_factory=lambda: free_port())
    p2p_port: int = field(default_factory=lambda: free_port())
    process: subprocess.Popen[bytes] | None = None

    @property
    def p2p(self) -> str:
        return f"http://127.0.0.1:{self.p2p_port}"

    def url(self, collection: str) -> str:
        return f"qdrant://127.0.0.1:{self.port}/{collection}"

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        arguments = [str(find_server())]
        if self.is_cluster:
            arguments += ["--uri", self.p2p]
        if self.bootstrap is not None:
            arguments += ["--bootstrap", self.bootstrap.p2p]
        environment = {
            "PATH": os.environ["PATH"],
            "QDRANT__SERVICE__HOST": "127.0.0.1",
            "QDRANT__SERVICE__HTTP_PORT": str(self.port),
            "QDRANT__SERVICE__GRPC_PORT": str(self.grpc_port),
            "QDRANT__CLUSTER__ENABLED": str(self.is_cluster).lower(),
            "QDRANT__CLUSTER__P2P__PORT": str(self.p2p_port),
            "QDRANT__STORAGE__STORAGE_PATH": str(self.folder / "storage"),
            "QDRANT__STORAGE__SNAPSHOTS_PATH": str(self.folder / "snapshots"),
            "QDRANT__TELEMETRY_DISABLED": "true",
            **self.environment,
        }
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                arguments, cwd=self.folder, env=environment, stdout=log, stderr=log
            )

    def wait(self) -> None:
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            with (
                suppress(urllib.error.URLError, ConnectionError, TimeoutError),
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5) as answer,
            ):
                if answer.status == 200:
                    return
            assert self.process is not None
            assert self.process.poll() is None, (self.folder / "log").read_text()[-2000:]
            time.sleep(0.1)
        raise TimeoutError((self.folder / "log").read_text()[-2000:])

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(*nodes: Node) -> Iterator[None]:
    """Run nodes, the first of which the others join."""
    try:
        for node in nodes:
            node.start()
            node.wait()
        yield
    finally:
        for node in nodes:
            node.kill()


def emptied(node: Node, collection: str) -> str:
    """Give the URL of an empty library: to empty one is faster than to make one."""
    from qdrant_client import QdrantClient, models

    from claimscope.library.qdrant.library import QdrantLibrary
    from claimscope.library.qdrant.state import STATE_ID, new_state

    url = node.url(collection)
    client = QdrantClient(url=f"http://127.0.0.1:{node.port}", check_compatibility=False)
    if client.collection_exists(collection):
        papers = models.Filter(must_not=[models.HasIdCondition(has_id=[STATE_ID])])
        client.delete(collection, models.FilterSelector(filter=papers))
        client.upsert(collection, [new_state("none").point()])
    else:
        library = QdrantLibrary(f"{url}?vectors=none", create=True)
        # Closing it would remove it, since it is empty.
        library._connection.close()
    client.close()
    return url
