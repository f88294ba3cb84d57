"""The table holds what its users rely on."""

import pytest

from claimscope.models.catalogue import CHECKPOINTS, named
from claimscope.models.checkpoint import Checkpoint, Shape
from claimscope.models.locate import Locator, advice
from claimscope.pipeline import preset
from claimscope.pipeline.preset import needs

ROWS = list(CHECKPOINTS.values())


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_every_row_is_whole(row: Checkpoint) -> None:
    assert row.about
    assert row.megabytes or row.shape is Shape.BASE
    assert row.source or row.base or row.name.startswith("climate")
    assert (row.shape is Shape.PROMPT) == bool(row.template and row.targets)
    assert row.name in advice(row)


def test_the_papers_encoders_have_names() -> None:
    """Every hub id that a model of the table starts from can be got by a name."""
    bases = {row.base for row in ROWS if row.base}
    unnamed = {base for base in bases if named(base) is None}
    assert not unnamed
    ids = {
        "scibert": "allenai/scibert_scivocab_uncased",
        "biobert": "dmis-lab/biobert-base-cased-v1.1",
        "biobert-large": "dmis-lab/biobert-large-cased-v1.1",
        "biomed-roberta": "allenai/biomed_roberta_base",
        "pubmedbert": "microsoft/BiomedNLP-BiomedBERT-base-uncased-abstract-fulltext",
        "longformer-large": "allenai/longformer-large-4096",
    }
    assert {name: CHECKPOINTS[name].source for name in ids} == ids
    assert named("allenai/scibert_scivocab_uncased") == CHECKPOINTS["scibert"]


def test_every_model_of_every_preset_is_in_the_table() -> None:
    named = {need.model for name in preset.names() for need in needs(preset.load(name))}
    assert {"verisci-label", "multivers-scifact", "climate-label"} <= named
    assert named <= CHECKPOINTS.keys()


def test_doctor_says_what_a_preset_lacks(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path_factory.mktemp("nothing")
    monkeypatch.setenv("CLAIMSCOPE_MODELS", str(empty))
    monkeypatch.setattr("claimscope.models.locate.models_folder", lambda: empty)
    monkeypatch.setattr("claimscope.pipeline.preset.models_folder", lambda: empty)
    here = tmp_path_factory.mktemp("here")
    (here / "model.safetensors").touch()
    found = needs(preset.load("verisci"), Locator({"verisci-label": here}))
    assert [(need.model, need.present) for need in found] == [
        ("verisci-rationale", False),
        ("verisci-label", True),
    ]
    assert found[0].megabytes == 1420
    assert found[0].folder == empty / "verisci-rationale"
    assert "get it from https://" in found[0].advice
    assert found[1].folder == here
    assert needs(preset.load("lexical-baseline")) == []
