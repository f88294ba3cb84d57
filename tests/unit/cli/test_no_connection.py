"""No command opens a connection, except those that download or are given an address."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

RUN = """
import sys

def watch(event, arguments):
    # Asking for the address of a name tells another computer something, too.
    if event in {"socket.connect", "socket.getaddrinfo", "socket.sendto"}:
        print("CONNECTION", event, arguments[-1], file=sys.stderr)

sys.addaudithook(watch)
import socket
if sys.argv[1] == "itself":
    socket.socket().connect_ex(("127.0.0.1", 9))
else:
    from claimscope.cli.app import app
    app(sys.argv[1:], standalone_mode=False)
"""
COMMANDS = (
    ("library", "add", "papers.ris", "--library", "own"),
    ("library", "verify", "--library", "own"),
    ("check", "Aspirin lowers the risk of heart attack.", "--library", "own", "--json"),
    ("check", "Aspirin lowers the risk of heart attack."),
    ("search", "aspirin", "--library", "own"),
    ("library", "export", "all.bib", "--library", "own"),
    ("audit", "paper.md", "--library", "own", "--bib", "references.bib"),
    ("presets",),
    ("models", "list"),
    ("data", "list"),
)


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if "CLAIMSCOPE" not in name}
    return subprocess.run(
        [sys.executable, "-c", RUN, *words],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
        env={**own, "HOME": str(folder)},
    )


def test_a_connection_would_be_noticed(tmp_path: Path) -> None:
    assert "CONNECTION socket.connect" in run(tmp_path, "itself").stderr


def test_no_command_opens_a_connection(tmp_path: Path) -> None:
    (tmp_path / "papers.ris").write_text(
        "TY  - JOUR\nTI  - Aspirin and the heart\nAB  - Aspirin lowers the risk of heart attack.\n"
        "DO  - 10.1000/a\nUR  - https://example.org/a\nER  - \n"
    )
    (tmp_path / "paper.md").write_text("Aspirin lowers the risk of heart attack [@a].\n")
    (tmp_path / "references.bib").write_text(
        "@article{a, title={Aspirin and the heart}, doi={10.1000/a}}\n"
    )
    for words in COMMANDS:
        done = run(tmp_path, *words)
        assert done.returncode == 0, f"{words}: {done.stderr}"
        assert "CONNECTION" not in done.stderr, f"{words}: {done.stderr}"
