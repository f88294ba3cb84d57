"""Makes the learner that a configuration names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import torch
from torch import nn

from claimscope.errors import UnknownNameError
from claimscope.models.runtime import Settings
from claimscope.models.torch_models import find_device, load_libraries, load_tokenizer
from claimscope.train.pretrained import (
    PretrainedClassifier,
    PromptNetwork,
    find_encoder,
    load_pretrained,
    read_tokenizer,
    register_attention,
)
from claimscope.train.stages.config import StageConfig
from claimscope.train.stages.dense import (
    DenseLearner,
    Encoders,
    PretrainedDenseLearner,
    StaticEncoder,
    StaticLearner,
    inverse_frequencies,
)
from claimscope.train.stages.learners import (
    Learner,
    PairLearner,
    PretrainedPairLearner,
    PromptLearner,
)
from claimscope.train.stages.scratch import (
    CELLS,
    BlockEncoder,
    PooledClassifier,
    RecurrentEncoder,
    word_tokenizer,
)

Texts = Callable[[], Iterable[str]]
"""Gives the texts a vocabulary is made of, for the networks that need one."""


def open_learner(config: StageConfig, texts: Texts) -> Learner:
    """Make a learner with the weights it starts from."""
    if config.network not in NETWORKS:
        raise UnknownNameError("network", config.network, NETWORKS)
    return NETWORKS[config.network](config, texts)


def _device() -> str:
    return find_device(Settings.from_environment())


def _attention(config: StageConfig) -> dict[str, str]:
    """Ask for the attention that is quick in bfloat16 where that is trained in."""
    _, transformers = load_libraries()
    return {"attn_implementation": register_attention(transformers)} if config.loop.bfloat16 else {}


def _classifier(config: StageConfig, _: Texts) -> Learner:
    folder = find_encoder(config.encoder)
    names = config.labels or ("relevance",)
    model = load_pretrained(
        "AutoModelForSequenceClassification",
        folder,
        config.max_length,
        config.loop.seed,
        num_labels=len(names),
        id2label=dict(enumerate(names)),
        label2id={name: number for number, name in enumerate(names)},
        # A head of the encoder's own, such as a published reranker's, is kept if it fits.
        ignore_mismatched_sizes=True,
        **_attention(config),
    )
    network = PretrainedClassifier(model)
    tokenizer = load_tokenizer(folder)
    return PretrainedPairLearner(network, config.checkpoint, _device(), tokenizer, config.loss)


def _prompt(config: StageConfig, _: Texts) -> Learner:
    folder = find_encoder(config.encoder)
    model = load_pretrained("AutoModelForSeq2SeqLM", folder, config.max_length, config.loop.seed)
    tokenizer = load_tokenizer(folder)
    return PromptLearner(PromptNetwork(model), config.checkpoint, _device(), tokenizer)


def _dense(config: StageConfig, _: Texts) -> Learner:
    folder = find_encoder(config.encoder)
    model = load_pretrained(
        "AutoModel", folder, config.max_length, config.loop.seed, **_attention(config)
    )
    return PretrainedDenseLearner(model, config.checkpoint, _device(), load_tokenizer(folder))


def _static(config: StageConfig, texts: Texts) -> Learner:
    folder = find_encoder(config.encoder)
    model = load_pretrained("AutoModel", folder, config.max_length, config.loop.seed)
    tokenizer = read_tokenizer(folder)
    vectors = model.get_input_embeddings().weight[: tokenizer.get_vocab_size()]
    weights = inverse_frequencies(texts(), tokenizer)
    encoder = StaticEncoder(vectors, weights, config.scratch.width)
    return StaticLearner(encoder, config.checkpoint, _device(), tokenizer)


def _scratch(config: StageConfig, texts: Texts) -> Learner:
    tokenizer = word_tokenizer(texts(), config.scratch.vocabulary)
    torch.manual_seed(config.loop.seed)
    encoder = scratch_encoder(config, tokenizer.get_vocab_size())
    network = PooledClassifier(encoder, config.scratch.width, max(1, len(config.labels)))
    return PairLearner(network, config.checkpoint, _device(), tokenizer, loss=config.loss)


def _two_encoders(config: StageConfig, texts: Texts) -> Learner:
    tokenizer = word_tokenizer(texts(), config.scratch.vocabulary)
    torch.manual_seed(config.loop.seed)
    words = tokenizer.get_vocab_size()
    encoders = Encoders(*(BlockEncoder(words, config.max_length, config.scratch) for _ in "ab"))
    return DenseLearner(encoders, config.checkpoint, _device(), tokenizer)


def scratch_encoder(config: StageConfig, words: int) -> nn.Module:
    """Make the encoder of a network from scratch."""
    if config.network in CELLS:
        return RecurrentEncoder(config.network, words, config.scratch)
    return BlockEncoder(words, config.max_length, config.scratch)


NETWORKS: Mapping[str, Callable[[StageConfig, Texts], Learner]] = MappingProxyType(
    {
        "classifier": _classifier,
        "prompt": _prompt,
        "bi-encoder": _dense,
        "static": _static,
        "transformer": _scratch,
        "two-encoders": _two_encoders,
        **dict.fromkeys(CELLS, _scratch),
    }
)
"""By name; the last ones start from nothing."""
