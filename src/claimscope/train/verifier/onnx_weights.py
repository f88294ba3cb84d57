"""Reads a shipped verifier back into a network, so that training can go on from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from claimscope.errors import ConfigurationError
from claimscope.models.torch_models import load_libraries
from claimscope.train.pretrained import register_attention
from claimscope.train.verifier.network import VerifierNetwork

Matrix = npt.NDArray[Any]

_LAYER = "encoder.encoder.layer.{number}.attention.self.{part}.{kind}"


def read_network(path: Path, dropout: float = 0.1) -> VerifierNetwork:
    """Read a network of BERT's kind from its ONNX file; rounded weights are multiplied out."""
    import onnx

    graph = onnx.load(str(path)).graph
    weights = _named(graph, _initializers(graph))
    attentions = [node for node in graph.node if node.op_type == "Attention"]
    network = VerifierNetwork(_encoder(weights, attentions, path, dropout))
    tensors = {name: torch.tensor(value) for name, value in weights.items()}
    try:
        network.load_state_dict(tensors)
    except RuntimeError as error:
        raise _not_ours(path) from error
    return network


def _initializers(graph: Any) -> dict[str, Matrix]:
    """Give the constants of a graph; rounded ones by the name they had before."""
    from onnx import numpy_helper

    found = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    for name in [name for name in found if name.endswith("_whole")]:
        plain = name.removesuffix("_whole")
        found[plain] = found.pop(name).astype(np.float32) * found.pop(f"{plain}_scale")
    return found


def _named(graph: Any, constants: dict[str, Matrix]) -> dict[str, Matrix]:
    """Give weights the names they have in the network.

    The exporter keeps the names of biases only. A matrix belongs to the bias that is added to its
    product; fused attention has one matrix and one bias for query, key and value.
    """
    named = {name: value for name, value in constants.items() if name.endswith(("weight", "bias"))}
    biases = {
        given: bias
        for node in graph.node
        for given in node.input
        for bias in node.input
        if bias.endswith(".bias") and bias in constants and given != bias
    }
    attentions = [node for node in graph.node if node.op_type == "Attention"]
    for number, node in enumerate(attentions):
        for kind, fused in (("weight", node.input[1]), ("bias", node.input[2])):
            named.pop(fused, None)
            parts = np.split(constants[fused], 3, axis=-1)
            for part, value in zip(("query", "key", "value"), parts, strict=True):
                named[_LAYER.format(number=number, part=part, kind=kind)] = value.T
    for node in graph.node:
        bias = biases.get(node.output[0]) if node.op_type == "MatMul" else None
        if bias is not None and node.input[1] in constants:
            named[f"{bias.removesuffix('bias')}weight"] = constants[node.input[1]].T
    return named


def _encoder(weights: dict[str, Matrix], attentions: list[Any], path: Path, dropout: float) -> Any:
    """Make an encoder of the size that the weights have."""
    _, transformers = load_libraries()
    tables = "encoder.embeddings.{}_embeddings.weight"
    try:
        words, positions, types = (
            weights[tables.format(name)] for name in ("word", "position", "token_type")
        )
        between = weights["encoder.encoder.layer.0.intermediate.dense.bias"]
        [heads] = {each.i for each in attentions[0].attribute if each.name == "num_heads"}
    except (KeyError, IndexError, ValueError) as error:
        raise _not_ours(path) from error
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=words.shape[1],
        num_hidden_layers=len(attentions),
        num_attention_heads=heads,
        intermediate_size=len(between),
        max_position_embeddings=len(positions),
        type_vocab_size=len(types),
        hidden_dropout_prob=dropout,
        # On a processor, dropping attention weights takes as long as attention itself.
        attention_probs_dropout_prob=0.0,
    )
    config._attn_implementation = register_attention(transformers)
    return transformers.BertModel(config, add_pooling_layer=False)


def _not_ours(path: Path) -> ConfigurationError:
    return ConfigurationError(
        f"Training cannot go on from {path}; name a verifier of BERT's kind that Claimscope "
        "exported, such as claimscope-verifier."
    )
