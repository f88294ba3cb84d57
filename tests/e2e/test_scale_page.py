"""The commands of docs/scale.md work from top to bottom, on real processes."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.test_docs import ROOT

PAGE = ROOT / "docs" / "scale.md"
NOT_RUN = ("pip install",)
STAYS = ("dask ",)
"""Commands that go on until they are ended; the page runs them beside the next ones."""


def blocks(page: Path) -> list[list[str]]:
    """Give the commands of a page, block by block."""
    found = re.findall(r"```sh\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    lines = [code.replace("\\\n", " ").splitlines() for code in found]
    return [[line.partition(" #")[0].strip() for line in block if line.strip()] for block in lines]


@dataclass
class Reader:
    """Somebody who types the commands of the page into one folder."""

    folder: Path
    environment: dict[str, str]
    stack: ExitStack
    ports: dict[str, str] = field(default_factory=dict)

    def type(self, command: str) -> None:
        command = re.sub(r"(?<=[: ])(878\d)\b", lambda match: self._free(match[1]), command)
        if command.startswith(STAYS):
            with (self.folder / "dask.log").open("ab") as log:
                running = subprocess.Popen(
                    shlex.split(command),
                    cwd=self.folder,
                    env=self.environment,
                    stdout=log,
                    stderr=log,
                )
            self.stack.callback(running.wait)
            self.stack.callback(running.terminate)
            self._wait_for_ports(command, running)
            return
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"

    def _free(self, port: str) -> str:
        """Give a free port instead of the page's, always the same."""
        if port not in self.ports:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.ports[port] = str(probe.getsockname()[1])
        return self.ports[port]

    def _wait_for_ports(self, command: str, running: subprocess.Popen[bytes]) -> None:
        """Wait until a scheduler listens; workers find it by themselves."""
        port = re.search(r"scheduler .*--port (\d+)", command)
        deadline = time.monotonic() + 60
        while port:
            assert running.poll() is None, (self.folder / "dask.log").read_text()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", int(port[1]))) == 0:
                    return
            assert time.monotonic() < deadline
            time.sleep(0.1)


@contextmanager
def reading(folder: Path) -> Iterator[Reader]:
    """Give a reader who has the examples and the commands, and end what was started."""
    (folder / "examples").symlink_to(ROOT / "examples")
    tools = folder / "bin"
    tools.mkdir()
    for name in ("claimscope", "dask"):
        (tools / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m {name} "$@"\n')
        (tools / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    with ExitStack() as stack:
        yield Reader(folder, environment, stack)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    with reading(tmp_path) as made:
        yield made


def test_the_page_can_be_followed_from_top_to_bottom(reader: Reader) -> None:
    ran = [
        command for block in blocks(PAGE) for command in block if not command.startswith(NOT_RUN)
    ]
    for command in ran:
        reader.type(command)
    results = sorted(path.name for path in reader.folder.glob("results*"))
    assert results == ["results", "results-2", "results-3", "results-4"]
    told = {
        b"".join(path.read_bytes() for path in sorted(reader.folder.glob(f"{name}/part-*")))
        for name in results
    }
    assert len(told) == 1, "one process, two, and both clusters give the same bytes"
    assert told != {b""}
