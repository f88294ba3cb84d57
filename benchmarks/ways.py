"""Count the source files that one check, one import and one request to the service run through.

    python benchmarks/ways.py [--packages FOLDER] [--names]

A file counts if one of its functions runs; what only loads it does not. `--packages` measures
another version, installed into a folder with `pip install --no-deps --target FOLDER .`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLAIM = "Aspirin prevents heart attacks"
_COUNT = """
import json, os, runpy, socket, sys, threading, time, urllib.request

seen = set()
IS_FUNCTION = 2  # the flag of code with local names: neither a module nor the body of a class

def note(frame, event, _argument):
    code = frame.f_code
    if event == "call" and code.co_flags & IS_FUNCTION and "/claimscope/" in code.co_filename:
        seen.add(code.co_filename.rpartition("/claimscope/")[2])

def run(words):
    sys.argv = ["claimscope", *words]
    try:
        runpy.run_module("claimscope", run_name="__main__")
    except SystemExit:
        pass

def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]

def request(words, claim):
    port = free_port()
    address = f"http://127.0.0.1:{port}/api/v1/check"
    threading.Thread(target=run, args=([*words, "--port", str(port)],), daemon=True).start()
    body = json.dumps({"claim": claim}).encode()
    asked = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    for _ in range(600):
        try:
            urllib.request.urlopen(asked).read()
            break
        except urllib.error.URLError:
            time.sleep(0.1)
    seen.clear()
    urllib.request.urlopen(asked).read()

kind, *words = sys.argv[1:]
threading.setprofile(note)
sys.setprofile(note)
if kind == "request":
    request(words[:-1], words[-1])
else:
    run(words)
sys.setprofile(None)
print(json.dumps(sorted(seen)), file=sys.stderr, flush=True)
os._exit(0)
"""


def main() -> None:
    """Print one line per way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", type=Path, default=ROOT / "src")
    parser.add_argument("--names", action="store_true", help="name the files, too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        export = ROOT / "examples" / "papers.ris"
        ways = {
            "check": ["check", "--library", "demo", CLAIM],
            "import": ["library", "add", "--library", str(home / "library"), str(export)],
            "request": ["serve", "--library", "demo", CLAIM],
        }
        # The first run builds the demonstration library, which no later one does.
        files_of("check", ways["check"], options.packages, home)
        for kind, words in ways.items():
            files = files_of(kind, words, options.packages, home)
            print(f"{kind}: {len(files)} files")
            if options.names:
                print("  " + " ".join(files))


def files_of(kind: str, words: list[str], packages: Path, home: Path) -> list[str]:
    """Give the files that a command of a version runs through."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(packages)}
    done = subprocess.run(
        [sys.executable, "-c", _COUNT, kind, *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    last = done.stderr.splitlines()[-1]
    return [name.strip('"') for name in last.strip("[]").split(", ")]


if __name__ == "__main__":
    main()
