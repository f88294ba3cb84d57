"""Batches on real Dask processes: killed workers, a killed scheduler, TLS, stop and resume."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from operator import methodcaller
from pathlib import Path

import psutil
import pytest
from distributed.security import Security

from claimscope.batch import checking
from claimscope.batch import engine as engine_module
from claimscope.batch.addresses import Tls
from claimscope.batch.checking import CheckSpec, check_file
from claimscope.batch.engine import InProcess, cluster_workers, local_workers
from claimscope.errors import ClusterError
from claimscope.library.local import LocalLibrary
from tests.conftest import TEXTS
from tests.dask_processes import Processes, dask_processes
from tests.unit.batch.test_checking import SEARCH_ONLY, content

CLAIMS = 600
PART = 4


@dataclass
class Work:
    claims: Path
    spec: CheckSpec
    expected: dict[str, bytes]


@pytest.fixture(scope="module")
def work(library: LocalLibrary, tmp_path_factory: pytest.TempPathFactory) -> Work:
    """Some hundred claims, and what one process makes of them."""
    folder = tmp_path_factory.mktemp("work")
    sentences = [text for _, text in TEXTS.values() if text]
    path = folder / "claims.txt"
    path.write_text(
        "".join(f"{sentences[n % len(sentences)]} ({n})\n" for n in range(CLAIMS)), "utf-8"
    )
    spec = CheckSpec(library.location, library.revision, "own", SEARCH_ONLY, None, "jsonl")
    check_file(path, spec, folder / "one", InProcess(), PART)
    return Work(path, spec, content(folder / "one"))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    with dask_processes(tmp_path_factory.mktemp("dask"), workers=2) as made:
        yield made


def test_a_killed_worker_changes_no_result(cluster: Processes, work: Work, tmp_path: Path) -> None:
    victim = cluster.workers[0]
    killed_after: list[int] = []

    def kill(done: int, _total: int) -> None:
        if done >= CLAIMS // 4 and not killed_after:
            victim.kill()
            killed_after.append(done)

    with cluster_workers(cluster.address, Tls()) as engine:
        engine.client.wait_for_workers(2, timeout=60)
        summary = check_file(work.claims, work.spec, tmp_path / "out", engine, PART, kill)
        opened = engine.client.run(methodcaller("cache_info"), checking._checker)
    assert killed_after
    assert killed_after[0] < CLAIMS
    assert victim.wait(10) == -signal.SIGKILL
    assert summary.claims == CLAIMS
    assert content(tmp_path / "out") == work.expected
    assert [each.misses for each in opened.values()] == [1], "library and models are opened once"
    cluster.add_worker()


def test_a_worker_that_joins_late_is_used(cluster: Processes, work: Work, tmp_path: Path) -> None:
    joined: list[subprocess.Popen[bytes]] = []

    def join(done: int, _total: int) -> None:
        if done and not joined:
            joined.append(cluster.add_worker())

    with cluster_workers(cluster.address, Tls()) as engine:
        check_file(work.claims, work.spec, tmp_path / "out", engine, PART, join)
        engine.client.wait_for_workers(3, timeout=60)
    assert content(tmp_path / "out") == work.expected


def test_a_worker_with_another_library_is_one_sentence(
    cluster: Processes, work: Work, tmp_path: Path
) -> None:
    spec = replace(work.spec, revision="0" * 32)
    with (
        cluster_workers(cluster.address, Tls()) as engine,
        pytest.raises(ClusterError, match="finds other papers in the library"),
    ):
        check_file(work.claims, spec, tmp_path / "out", engine, PART)


def test_a_scheduler_that_dies_is_one_sentence_and_the_batch_goes_on(
    work: Work, tmp_path: Path
) -> None:
    with dask_processes(tmp_path, workers=1) as lost:

        def kill(done: int, _total: int) -> None:
            if done >= 2 * PART and lost.scheduler is not None:
                lost.scheduler.kill()

        with (
            pytest.raises(ClusterError, match="connection to the Dask scheduler was lost"),
            cluster_workers(lost.address, Tls()) as engine,
        ):
            check_file(work.claims, work.spec, tmp_path / "out", engine, PART, kill)
    summary = check_file(work.claims, work.spec, tmp_path / "out", InProcess(), PART)
    assert 2 * PART <= summary.resumed < CLAIMS
    assert content(tmp_path / "out") == work.expected


def test_no_scheduler_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "_CONNECT_SECONDS", 1)
    with (
        pytest.raises(ClusterError, match="No Dask scheduler answers"),
        cluster_workers("tcp://127.0.0.1:9", Tls()),
    ):
        pass


def test_local_processes_give_the_same_and_listen_to_nobody_else(
    work: Work, tmp_path: Path
) -> None:
    with local_workers(2) as engine:
        listening = [
            (connection.laddr.ip, process.pid)
            for process in (psutil.Process(), *psutil.Process().children(recursive=True))
            for connection in process.net_connections("inet")
            if connection.status == psutil.CONN_LISTEN
        ]
        assert engine.client.scheduler_info()["address"].startswith("tls://127.0.0.1:")
        check_file(work.claims, work.spec, tmp_path / "out", engine, PART)
    assert content(tmp_path / "out") == work.expected
    assert listening
    assert {address for address, _ in listening} <= {"127.0.0.1", "::1"}


def test_a_cluster_with_tls_takes_only_clients_with_a_certificate(
    work: Work, tmp_path: Path
) -> None:
    files = _certificates(tmp_path)
    options = ["--protocol", "tls", "--tls-ca-file", str(files.ca)]
    options += ["--tls-cert", str(files.certificate), "--tls-key", str(files.key)]
    stranger = _certificates(tmp_path / "stranger")
    with dask_processes(tmp_path, workers=1, options=options) as secure:
        assert secure.address.startswith("tls://")
        with cluster_workers(secure.address, files) as engine:
            check_file(work.claims, work.spec, tmp_path / "out", engine, 100)
        with (
            pytest.raises(ClusterError, match="No Dask scheduler answers"),
            cluster_workers(secure.address, stranger),
        ):
            pass
    assert len(content(tmp_path / "out")) == 1 + CLAIMS // 100


def _certificates(folder: Path) -> Tls:
    """Write a certificate that is its own authority."""
    folder.mkdir(exist_ok=True)
    made = Security.temporary()
    files = Tls(folder / "ca.pem", folder / "cert.pem", folder / "key.pem")
    for path, text in zip(
        (files.ca, files.certificate, files.key),
        (made.tls_ca_file, made.tls_client_cert, made.tls_client_key),
        strict=True,
    ):
        assert path is not None
        path.write_text(text)
    return files


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_command_goes_on(work: Work, tmp_path: Path, number: signal.Signals) -> None:
    preset, out = tmp_path / "own.toml", tmp_path / "out"
    preset.write_text(SEARCH_ONLY)
    words = ["batch", str(work.claims), "-o", str(out), "--format", "jsonl", "--part-size", "1"]
    words += ["--preset", str(preset), "--library", work.spec.library]
    command = [sys.executable, "-m", "claimscope", *words, "--workers", "1"]
    first = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A test run in the background ignores Ctrl-C, and its children would, too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    _wait_for(lambda: len(list(out.glob("part-*"))) >= 5)
    # Ctrl-C reaches every process of the terminal; a service manager's SIGTERM only the first.
    os.killpg(first.pid, number) if number is signal.SIGINT else first.send_signal(number)
    _, told = first.communicate(timeout=60)
    assert first.returncode == 130, told
    assert "the same command goes on" in told.splitlines()[-1]
    assert "Traceback" not in told
    assert not list(out.glob(".part-*"))
    finished = len(list(out.glob("part-*")))
    assert 5 <= finished < CLAIMS
    serial = subprocess.run(
        [sys.executable, "-m", "claimscope", *words], stderr=subprocess.PIPE, text=True
    )
    assert serial.returncode == 0, serial.stderr
    assert f"{finished:,} of them by an earlier run" in serial.stderr
    whole = b"".join(work.expected[name] for name in sorted(work.expected) if "part" in name)
    assert b"".join(path.read_bytes() for path in sorted(out.glob("part-*"))) == whole


def _wait_for(condition: object, seconds: float = 60) -> None:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        threading.Event().wait(0.02)
