"""Every preset of the papers runs from end to end on small models."""

import socket

import pytest

from claimscope.errors import ConfigurationError
from claimscope.library.local import LocalLibrary
from claimscope.pipeline import preset
from claimscope.pipeline.registry import Resources
from claimscope.types import Claim
from tests.tiny_models import TinyModels

ASKING = {"llm", "second-opinion"}
"""Presets that ask a server; tests/unit/stages/judge/test_llm.py runs them."""
OWN = {"accurate", "claimscope", "fast", "lexical-baseline", *ASKING}
CLAIMS = [Claim("Aspirin lowers the risk of heart attack", "1"), Claim("Zebras", "2")]


@pytest.mark.parametrize("name", preset.names())
def test_it_is_built_without_weights(name: str, library: LocalLibrary) -> None:
    chosen = preset.load(name)
    assert chosen.build(Resources(library=library)).stages
    assert (chosen.paper is None) == (name in OWN)


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which every attempt to reach another fails the test."""
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("it went online"))


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("name", [name for name in preset.names() if name not in ASKING])
def test_it_runs(name: str, library: LocalLibrary, tiny: TinyModels) -> None:
    pipeline = preset.load(name).build(Resources(library=library, models=tiny.models()))
    first, second = pipeline.run(CLAIMS)
    assert first.verdict is not None
    assert second.verdict is not None
    kept = {trace.stage: len(trace.kept) for trace in first.trace}
    assert next(iter(kept.values())) > 1, "the retriever found something"
    if name.startswith(("scifchex", "vert5erini", "mono", "comboscorer")):
        assert len(first.candidates) <= 3


@pytest.mark.usefixtures("offline")
def test_no_server_is_asked_that_nobody_named(
    library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLAIMSCOPE_LLM_URL", raising=False)
    pipeline = preset.load("llm").build(Resources(library=library))
    with pytest.raises(ConfigurationError, match="CLAIMSCOPE_LLM_URL"):
        pipeline.run(CLAIMS)
