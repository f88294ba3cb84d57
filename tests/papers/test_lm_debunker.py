"""LM Debunker: the threshold is tuned on other claims, and perplexity depends on the evidence."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from typing import Any

import pytest

from claimscope.labels import Label
from tests.tiny_models import REASON

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
GOLD = {str(n): Label.REFUTES if n % 3 else Label.SUPPORTS for n in range(24)}


@pytest.fixture
def debunker(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("lm_debunker")


def test_every_claim_is_measured_once_and_tuned_on_elsewhere(debunker: Any) -> None:
    parts = list(debunker.folds(list(GOLD)))
    assert len(parts) == 4
    assert sorted(name for _, held in parts for name in held) == sorted(GOLD)
    assert all(not set(tuned) & set(held) for tuned, held in parts)


def test_the_threshold_parts_likely_claims_from_unlikely_ones(debunker: Any) -> None:
    known = {name: 50.0 if label is Label.REFUTES else 10.0 for name, label in GOLD.items()}
    assert 10.0 <= debunker.best_threshold(known, GOLD) < 50.0
    flat = dict.fromkeys(GOLD, 5.0)
    assert debunker.best_threshold(flat, GOLD) == -math.inf, "all refuted, as most are"
    assert debunker.judged(5.0, 5.0) is Label.SUPPORTS


def test_folds_are_scored_with_the_threshold_of_the_others(debunker: Any) -> None:
    known = {name: 50.0 if label is Label.REFUTES else 10.0 for name, label in GOLD.items()}
    scores = debunker.cross_validated(known, GOLD)
    assert [values[0] for values in scores] == [1.0] * 4
    known["1"] = 1.0
    assert sum(values[0] for values in debunker.cross_validated(known, GOLD)) < 4


def test_perplexity_is_that_of_the_claim_after_its_evidence(debunker: Any, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason=REASON)
    transformers = pytest.importorskip("transformers", reason=REASON)
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = ["<s>", "masks", "help", "people", "breathe", "viruses", "spread", "?"]
    tokenizer = Tokenizer(models.WordLevel({w: n for n, w in enumerate(words)}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>")
    fast.save_pretrained(tmp_path)
    torch.manual_seed(3)
    sizes = {"n_embd": 8, "n_layer": 1, "n_head": 2, "n_positions": 16, "vocab_size": len(words)}
    network = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes)).eval()
    network.save_pretrained(tmp_path)
    perplexity = debunker.language_model(str(tmp_path))
    found = perplexity("viruses spread", "masks help")
    with torch.inference_mode():
        logs = network(torch.tensor([[0, 5, 6, 1, 2]])).logits.log_softmax(-1)[0]
    assert found == pytest.approx(math.exp(-(logs[2, 1] + logs[3, 2]).item() / 2), rel=1e-4)
    assert found != pytest.approx(perplexity("people breathe", "masks help"), rel=1e-6)
    assert perplexity("viruses spread " * 40, "masks help") > 0, "long evidence is cut"
