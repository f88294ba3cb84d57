"""Writes a trained verifier as a folder that the package runs without PyTorch."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch
from tokenizers import Tokenizer

from claimscope.models.checkpoint import Checkpoint, write_description
from claimscope.models.verifier.onnx_joint import INPUTS, MODEL, OUTPUTS, STANCE
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
