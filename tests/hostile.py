"""Readers that misbehave in every Python that a test starts; a record's title says how."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

_MISBEHAVE = """
import os, re, time
import claimscope.ingest.jsonl as reader

def spin():
    while True:
        pass

def grow():
    kept = []
    while True:
        kept.append(bytearray(1 << 20))

def fail():
    raise ZeroDivisionError("on purpose")

ACTIONS = {
    "loop": spin,
    # A regular expression holds Python's lock, so that no thread and no handler of signals runs.
    "match": lambda: re.match("(a|a)*b", "a" * 60),
    "sleep": lambda: time.sleep(600),
    "grow": grow,
    "exit": lambda: os._exit(5),
    "crash": lambda: os.kill(os.getpid(), 11),
    "raise": fail,
    "babble": lambda: os.write(1, b"nonsense on standard output\\n"),
}
original = reader.read

def read(path):
    for document in original(path):
        yield document
        ACTIONS.get(getattr(document, "title", ""), lambda: None)()

reader.read = read
"""


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the processes that the test starts from now on load these readers."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitecustomize.py").write_text(_MISBEHAVE)
    paths = [str(folder), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


def lines(*titles: str) -> str:
    """Give records with these titles as JSON Lines."""
    return "".join(json.dumps({"id": title, "title": title}) + "\n" for title in titles)


def readers_of(parent: int) -> list[int]:
    """Give the processes that read files for another one."""
    listing = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    )
    rows = [line.split(None, 2) for line in listing.stdout.splitlines()]
    return [
        int(pid)
        for pid, ppid, *words in rows
        if int(ppid) == parent and "claimscope.ingest.child" in "".join(words)
    ]


def is_running(process: int) -> bool:
    """Say whether a process is there and no mere entry that nobody has collected."""
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False
    )
    return bool(state.stdout.strip()) and not state.stdout.startswith("Z")
