"""Real models, two layers each, made by transformers in a second: their answers mean nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, pre_tokenizers, processors
from tokenizers.models import BPE, Unigram, WordPiece
from tokenizers.normalizers import Lowercase

from claimscope.models.catalogue import CHECKPOINTS
from claimscope.models.checkpoint import Checkpoint, Shape, write_description
from claimscope.models.loader import Models
from claimscope.models.locate import Locator
from claimscope.models.runtime import Settings

REASON = "this test runs models on PyTorch: pip install '.[papers]'"
WORDS = (
    "aspirin lowers lowered the risk of heart attack in adults trial a and with statins "
    "cholesterol true false weak query document relevant hypothesis sentence"
).split()
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,:;-_<>/|[]{}()'%"
WIDTH = 32


def wordpiece() -> Tokenizer:
    """A tokeniser like BERT's: known words whole, others letter by letter."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS]
    pieces += [f"{mark}{letter}" for mark in ("", "##") for letter in LETTERS]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    return tokenizer


def unigram() -> Tokenizer:
    """A tokeniser like T5's, with SentencePiece's mark before words."""
    words = [*WORDS, *(word.capitalize() for word in WORDS)]
    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -8.0)]
    pieces += [(f"▁{word}", -1.0) for word in words]
    pieces += [(letter, -9.0) for letter in LETTERS + LETTERS[:26].upper()]
    tokenizer = Tokenizer(Unigram(pieces, unk_id=2))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    tokenizer.add_special_tokens(["<pad>", "</s>", "<unk>"])
    return tokenizer


def byte_level() -> Tokenizer:
    """A tokeniser like RoBERTa's and Longformer's, but without any merges."""
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(BPE(vocabulary, [], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.RobertaProcessing(
        ("</s>", 2), ("<s>", 0), add_prefix_space=False
    )
    tokenizer.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>"])
    return tokenizer


def save_pair_model(folder: Path, outputs: int, names: Iterable[str] = (), seed: int = 1) -> Path:
    """Save a BERT classifier; without names its config leaves the classes unnamed."""
    torch = pytest.importorskip("torch", reason=REASON)
    transformers = pytest.importorskip("transformers", reason=REASON)
    torch.manual_seed(seed)
    tokenizer = wordpiece()
    config = transformers.BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=WIDTH,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=WIDTH,
        initializer_range=0.4,
        num_labels=outputs,
    )
    if names:
        config.id2label = dict(enumerate(names))
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    ).save_pretrained(folder)
    return folder


def save_prompt_model(folder: Path) -> Path:
    """Save a T5."""
    torch = pytest.importorskip("torch", reason=REASON)
    transformers = pytest.importorskip("transformers", reason=REASON)
    torch.manual_seed(2)
    tokenizer = unigram()
    config = transformers.T5Config(
        vocab_size=tokenizer.get_vocab_size(),
        d_model=WIDTH,
        d_kv=8,
        d_ff=WIDTH,
        num_layers=2,
        num_heads=4,
        decoder_start_token_id=0,
        initializer_factor=1.5,
    )
    transformers.T5ForConditionalGeneration(config).save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)
    return folder


def longformer_config(**changes: Any) -> Any:
    """Give the config of a small Longformer."""
    transformers = pytest.importorskip("transformers", reason=REASON)
    values = {
        "vocab_size": byte_level().get_vocab_size(),
        "hidden_size": WIDTH,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": WIDTH,
        "attention_window": [16, 16],
        "max_position_embeddings": 4098,
        "type_vocab_size": 1,
        "bos_token_id": 0,
        "pad_token_id": 1,
        "eos_token_id": 2,
        "initializer_range": 0.4,
        "num_labels": 3,
    }
    return transformers.LongformerConfig(**{**values, **changes})


def save_longformer_tokenizer(folder: Path) -> None:
    transformers = pytest.importorskip("transformers", reason=REASON)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=byte_level(),
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
    ).save_pretrained(folder)


def save_joint_model(folder: Path) -> Path:
    """Save a joint verifier over a Longformer, in the package's own form."""
    torch = pytest.importorskip("torch", reason=REASON)
    from claimscope.models.convert import write_safetensors
    from claimscope.models.verifier.multivers import build_network

    torch.manual_seed(3)
    config = longformer_config()
    config.id2label = {0: "CONTRADICT", 1: "NEI", 2: "SUPPORT"}
    config.save_pretrained(folder)
    save_longformer_tokenizer(folder)
    write_safetensors(build_network(config).state_dict(), folder / "model.safetensors")
    write_description(Checkpoint("joint", Shape.JOINT, max_length=4096), folder)
    return folder


@dataclass(frozen=True)
class TinyModels:
    """The folders of the small models, and what stands in for each model of the table."""

    pair_one: Path
    pair_two: Path
    pair_three: Path
    pair_four: Path
    inference: Path
    prompt: Path
    joint: Path

    def stand_in(self, row: Checkpoint) -> Path:
        if row.shape is Shape.PROMPT:
            return self.prompt
        if row.shape is Shape.JOINT:
            return self.joint
        if row.name.startswith("nli-"):
            return self.inference
        by_outputs = {2: self.pair_two, 3: self.pair_three, 4: self.pair_four}
        return by_outputs.get(len(row.labels), self.pair_one)

    def models(self, **settings: Any) -> Models:
        """Give models in which every name of the table leads to a small one."""
        given = {row.name: self.stand_in(row) for row in CHECKPOINTS.values()}
        return Models(Locator(given), Settings(device="cpu", **settings))


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyModels:
    folder = tmp_path_factory.mktemp("models")
    return TinyModels(
        pair_one=save_pair_model(folder / "one", 1),
        pair_two=save_pair_model(folder / "two", 2),
        pair_three=save_pair_model(folder / "three", 3),
        pair_four=save_pair_model(folder / "four", 4),
        inference=save_pair_model(
            folder / "inference", 3, ("entailment", "contradiction", "neutral")
        ),
        prompt=save_prompt_model(folder / "prompt"),
        joint=save_joint_model(folder / "joint"),
    )
