"""Writes a trained verifier as a folder that runs without PyTorch, and reads one back."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer

from claimscope.errors import ConfigurationError
from claimscope.models.checkpoint import Checkpoint, write_description
from claimscope.models.torch_models import load_libraries
from claimscope.models.verifier.onnx_joint import INPUTS, MODEL, OUTPUTS, STANCE
from claimscope.train.pretrained import register_attention
from claimscope.train.quantize import PACKED, SCALE, WHOLE, unpacked
from claimscope.train.verifier.network import VerifierNetwork

_OPSET = 17


def export_folder(
    network: VerifierNetwork,
    tokenizer: Tokenizer,
    folder: Path,
    description: Checkpoint,
    stances: VerifierNetwork | None = None,
) -> Path:
    """Write the network with fused operations, tokenizer.json and claimscope.json.

    The stance classifier becomes stance.onnx.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _write(network, folder / MODEL)
    if stances is not None:
        _write(stances, folder / STANCE)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    write_description(description, folder)
    return folder


def _write(network: VerifierNetwork, path: Path) -> None:
    from onnxruntime.transformers.optimizer import (  # type: ignore[import-untyped]
        optimize_model,
    )

    raw = path.with_name("raw.onnx")
    with warnings.catch_warnings():
        # A batch is given whole, so what the exporter takes as fixed is fixed.
        warnings.filterwarnings("ignore", "Converting a tensor")
        warnings.filterwarnings("ignore", "Exporting aten::index")
        export_onnx(network, raw)
    config = network.encoder.config
    optimised = optimize_model(
        str(raw), "bert", num_heads=config.num_attention_heads, hidden_size=config.hidden_size
    )
    optimised.save_model_to_file(str(path))
    raw.unlink()


def export_onnx(network: VerifierNetwork, path: Path) -> None:
    """Write the network as ONNX with free batch, token and sentence numbers."""
    ids = torch.ones(2, 16, dtype=torch.long)
    axes = {
        **{name: {0: "batch", 1: "tokens"} for name in INPUTS[:3]},
        "pooling": {0: "batch", 1: "sentences", 2: "tokens"},
        "label": {0: "batch"},
        "sentence": {0: "batch", 1: "sentences"},
    }
    # The fused attention of PyTorch has no ONNX form that the optimiser knows.
    network.encoder.config._attn_implementation = "eager"
    with warnings.catch_warnings():
        # The newer exporter writes graphs that ONNX Runtime's optimiser cannot fuse.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            network.eval(),
            (ids, ids, ids, torch.rand(2, 3, 16)),
            str(path),
            input_names=list(INPUTS),
            output_names=list(OUTPUTS),
            dynamic_axes=axes,
            opset_version=_OPSET,
            dynamo=False,
        )


Matrix = npt.NDArray[Any]

_LAYER = "encoder.encoder.layer.{number}.attention.self.{part}.{kind}"
_RELATIVE = "encoder.encoder.relative_attention_bias.weight"
_PRODUCTS = frozenset({"MatMul", "MatMulNBits"})


def read_network(path: Path, dropout: float = 0.1) -> VerifierNetwork:
    """Read a network from its ONNX file; eight-bit weights are restored."""
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
    for name in [name for name in found if name.endswith((WHOLE, PACKED))]:
        plain = name.removesuffix(WHOLE).removesuffix(PACKED)
        scale = found.pop(f"{plain}{SCALE}")
        rounded = found.pop(name)
        found[plain] = unpacked(rounded, scale) if name.endswith(PACKED) else rounded * scale
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
        bias = biases.get(node.output[0]) if node.op_type in _PRODUCTS else None
        matrix = node.input[1].removesuffix(PACKED) if bias is not None else ""
        if bias is not None and matrix in constants:
            named[f"{bias.removesuffix('bias')}weight"] = constants[matrix].T
    return named


def _encoder(weights: dict[str, Matrix], attentions: list[Any], path: Path, dropout: float) -> Any:
    """Make an encoder of the size that the weights have."""
    _, transformers = load_libraries()
    tables = "encoder.embeddings.{}_embeddings.weight"
    try:
        words, positions = (weights[tables.format(name)] for name in ("word", "position"))
        size = {
            "vocab_size": len(words),
            "hidden_size": words.shape[1],
            "intermediate_size": len(weights["encoder.encoder.layer.0.intermediate.dense.bias"]),
            "max_position_embeddings": len(positions),
            "hidden_dropout_prob": dropout,
            # On a processor, dropping attention weights takes as long as attention itself.
            "attention_probs_dropout_prob": 0.0,
        }
        if _RELATIVE in weights:
            return _mpnet(weights, size)
        [heads] = {each.i for each in attentions[0].attribute if each.name == "num_heads"}
        types = len(weights[tables.format("token_type")])
    except (KeyError, IndexError, ValueError) as error:
        raise _not_ours(path) from error
    config = transformers.BertConfig(
        num_hidden_layers=len(attentions),
        num_attention_heads=heads,
        type_vocab_size=types,
        **size,
    )
    config._attn_implementation = register_attention(transformers)
    return transformers.BertModel(config, add_pooling_layer=False)


def _mpnet(weights: dict[str, Matrix], size: dict[str, Any]) -> Any:
    """Make an encoder of MPNet's kind, which adds relative positions in its attention."""
    _, transformers = load_libraries()
    buckets, heads = weights[_RELATIVE].shape
    config = transformers.MPNetConfig(
        num_hidden_layers=sum(name.endswith("attn.q.bias") for name in weights),
        num_attention_heads=heads,
        relative_attention_num_buckets=buckets,
        **size,
    )
    config._attn_implementation = "eager"
    return transformers.MPNetModel(config, add_pooling_layer=False)


def _not_ours(path: Path) -> ConfigurationError:
    return ConfigurationError(
        f"Training cannot go on from {path}; name a verifier of BERT's or MPNet's kind that "
        "Claimscope exported, such as claimscope-verifier."
    )
