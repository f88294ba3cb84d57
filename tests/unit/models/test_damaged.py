"""A model or a preset whose files are junk is refused in a sentence of our own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import claimscope.models
from claimscope.errors import ConfigurationError
from claimscope.models.loader import Models
from claimscope.pipeline import preset

SHIPPED = Path(claimscope.models.__file__).parent / "shipped" / "claimscope-verifier"
DEEP = '{"a":' * 100_000
VERIFIER = [
    *(("tokenizer.json", junk) for junk in ("", "{}", "[]", "junk", DEEP)),
    *(("claimscope.json", junk) for junk in ("[", DEEP, '{"shape": "joint", "verifier": [1]}')),
    ("claimscope.json", '{"shape": "joint", "max_length": "abc"}'),
    ("claimscope.json", '{"shape": "joint", "verifier": {"reread": "x", "temperature": []}}'),
    *(("model.onnx", junk) for junk in ("", "junk")),
]


@pytest.mark.parametrize(("name", "junk"), VERIFIER, ids=lambda value: value[:40])
def test_a_damaged_model_is_refused_in_a_sentence(tmp_path: Path, name: str, junk: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(SHIPPED, folder, ignore=shutil.ignore_patterns(name))
    (folder / name).write_text(junk)
    with pytest.raises(ConfigurationError, match="model"):
        Models().verifier(str(folder))


@pytest.mark.parametrize(
    "text",
    ["stages = [1]", "stages = ['a']", "a = " + "[" * 5_000, "a=" + "[" * 90_000, "\udcff", "\0"],
    ids=lambda text: repr(text[:12]),
)
def test_a_preset_of_junk_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(ConfigurationError):
        preset.load(str(path))
