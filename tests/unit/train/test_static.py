"""Static vectors: what they begin with, what the table keeps of them, and what they learn."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from claimscope.models.loader import Models
from tests.tiny_models import REASON, save_pair_model, wordpiece
from tests.unit.train.small_data import small_folder

torch = pytest.importorskip("torch", reason=REASON)
pytest.importorskip("transformers", reason=REASON)
pytest.importorskip("onnx", reason="this test exports a model: pip install '.[train]'")

from claimscope.train.claims import Search, open_claims  # noqa: E402
from claimscope.train.stages.dense import (  # noqa: E402
    StaticEncoder,
    TableEncoder,
    inverse_frequencies,
)
from claimscope.train.stages.recipes import stage_config  # noqa: E402
from claimscope.train.stages.training import StageTraining  # noqa: E402

WIDTH = 8


def encoder(width: int = WIDTH) -> StaticEncoder:
    generator = torch.Generator().manual_seed(3)
    vectors = torch.randn(20, 16, generator=generator)
    return StaticEncoder(vectors, torch.rand(20, generator=generator) + 0.1, width)


def test_a_text_is_the_weighted_sum_of_its_tokens() -> None:
    network = encoder(16)
    ids, mask = torch.tensor([[3, 5, 5, 0]]), torch.tensor([[1, 1, 1, 0]])
    table = network.table()
    expected = table[3] + 2 * table[5]
    assert torch.allclose(network(ids, mask)[0], expected, atol=1e-5)
    assert torch.allclose(TableEncoder(table)(ids, mask)[0], expected, atol=1e-5)


def test_the_projection_begins_with_the_widest_axes() -> None:
    vectors = torch.zeros(6, 4)
    vectors[:, 2] = torch.tensor([5.0, -4, 3, -5, 4, -3])
    vectors[:, 0] = torch.tensor([0.1, 0.2, -0.1, 0.1, -0.2, 0.1])
    network = StaticEncoder(vectors, torch.ones(6), 1)
    kept = network.table().square().sum() / vectors.square().sum()
    assert kept.item() > 0.99


def test_a_rare_word_weighs_more_and_a_mark_nothing() -> None:
    tokenizer = wordpiece()
    texts = ["aspirin lowers risk", "statins lower risk", "the risk of a heart attack"]
    weights = inverse_frequencies(texts, tokenizer)
    rare, common = (tokenizer.token_to_id(word) for word in ("aspirin", "risk"))
    assert float(weights[rare]) == pytest.approx(math.log(4 / 2), abs=1e-5)
    assert float(weights[common]) == pytest.approx(0.1)
    assert float(weights[tokenizer.token_to_id("[CLS]")]) == 0.0


def test_training_brings_claims_nearer_to_their_abstracts_and_writes_bytes(tmp_path: Path) -> None:
    data = small_folder(tmp_path / "data")
    start = save_pair_model(tmp_path / "encoder", 2)
    changes = {
        "data": str(data),
        "encoder": str(start),
        "batch": 8,
        "effective_batch": 8,
        "threads": 1,
        "scratch": {"width": WIDTH},
        "loop": {"learning_rate": 5e-3, "checkpoint_minutes": 60.0},
    }
    before = _mean_likeness({**changes, "epochs": 1, "loop": {"learning_rate": 0.0}}, tmp_path, "a")
    after = _mean_likeness({**changes, "epochs": 60}, tmp_path, "b")
    assert after > before + 0.05
    assert (tmp_path / "b" / "model.onnx").stat().st_size < 40_000, "a byte a number"


def _mean_likeness(changes: dict[str, object], folder: Path, name: str) -> float:
    """Give how much nearer claims are to their own abstracts than to the others."""
    config = stage_config("vectors", changes=changes)
    assert StageTraining(config, folder / name).run()
    opened = Models().encoder(str(folder / name))
    data = open_claims(str(folder / "data"))
    claims = [each for each in data.claims if each.evidence]
    texts = [data.documents[next(iter(each.evidence or {}))].text for each in claims]
    vectors = opened.encode([each.claim.text for each in claims])
    assert vectors.shape == (len(claims), WIDTH)
    cosines = vectors @ opened.encode(texts).T
    own = np.array([[a == b for b in texts] for a in texts])
    return float(cosines[own].mean() - cosines[~own].mean())


def test_a_search_for_nothing_finds_nothing(tmp_path: Path) -> None:
    data = open_claims(str(small_folder(tmp_path)))
    assert Search(k=0).found(data) == {each.claim.id: [] for each in data.claims}
