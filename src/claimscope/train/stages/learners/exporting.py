"""Networks from scratch as ONNX, which the package runs without PyTorch."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn

_OPSET = 17


def export_onnx(network: nn.Module, tokenizer: Tokenizer, folder: Path) -> None:
    """Write model.onnx, from token ids and mask to one output, and tokenizer.json."""
    folder.mkdir(parents=True, exist_ok=True)
    ids = torch.ones(2, 8, dtype=torch.long)
    names = ("input_ids", "attention_mask")
    axes = {**{name: {0: "batch", 1: "tokens"} for name in names}, "output": {0: "batch"}}
    with warnings.catch_warnings():
        # The newer exporter cannot leave the number of tokens free in a recurrent network.
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.filterwarnings("ignore", "Converting a tensor")
        warnings.filterwarnings("ignore", "Exporting a model to ONNX with a batch_size")
        torch.onnx.export(
            network.cpu().eval(),
            (ids, ids),
            str(folder / "model.onnx"),
            input_names=list(names),
            output_names=["output"],
            dynamic_axes=axes,
            opset_version=_OPSET,
            dynamo=False,
        )
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)


def write_config(labels: Sequence[str], folder: Path) -> None:
    """Write what ONNX Runtime's scorer reads of a config.json."""
    named = dict(enumerate(labels)) if len(labels) > 1 else {0: "relevance"}
    config = {"model_type": "claimscope-scratch", "id2label": named, "pad_token_id": 0}
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
