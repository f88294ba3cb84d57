"""A trained verifier as a folder the package can run without PyTorch."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tokenizers import Tokenizer

from claimscope.measures.calibration import RiskCoveragePoint
from claimscope.models.checkpoint import Checkpoint, write_description
from claimscope.pages.charts import thinned
from claimscope.train.scaling import UNSCALED, Scaling
from claimscope.train.verifier_network import VerifierNetwork, export

MODEL = "model.onnx"
_RISK_POINTS = 100
_FLOAT = 1
"""ONNX's number of the type of a single-precision tensor."""


def export_folder(
    network: VerifierNetwork, tokenizer: Tokenizer, folder: Path, plain: Checkpoint
) -> Path:
    """Write model.onnx with fused operations, tokenizer.json and claimscope.json."""
    folder.mkdir(parents=True, exist_ok=True)
    raw = folder / "raw.onnx"
    with warnings.catch_warnings():
        # A batch is given whole, so what the exporter takes as fixed is fixed.
        warnings.filterwarnings("ignore", "Converting a tensor")
        warnings.filterwarnings("ignore", "Exporting aten::index")
        export(network, raw)
    _fuse(raw, folder / MODEL, network)
    raw.unlink()
    tokenizer.save(str(folder / "tokenizer.json"))
    describe(folder, plain)
    return folder


def _fuse(raw: Path, fused: Path, network: VerifierNetwork) -> None:
    from onnxruntime.transformers.optimizer import (  # type: ignore[import-untyped]
        optimize_model,
    )

    config = network.encoder.config
    optimised = optimize_model(
        str(raw), "bert", num_heads=config.num_attention_heads, hidden_size=config.hidden_size
    )
    optimised.save_model_to_file(str(fused))


def quantise_folder(source: Path, folder: Path) -> Path:
    """Write a folder's model with whole-number weights, less than half as large."""
    from onnxruntime.quantization import (  # type: ignore[import-untyped]
        QuantType,
        quantize_dynamic,
    )

    folder.mkdir(parents=True, exist_ok=True)
    # It advises a preparation that the fusing has done, and misses types that are given below.
    logging.getLogger().addFilter(_is_no_advice)
    try:
        quantize_dynamic(
            str(source / MODEL),
            str(folder / MODEL),
            weight_type=QuantType.QInt8,
            per_channel=True,
            # Without it, processors that lack VNNI let sums overflow.
            reduce_range=True,
            nodes_to_exclude=_narrowing(source / MODEL),
            extra_options={"DefaultTensorType": _FLOAT},
        )
    finally:
        logging.getLogger().removeFilter(_is_no_advice)
    for name in ("tokenizer.json", "claimscope.json"):
        (folder / name).write_bytes((source / name).read_bytes())
    return folder


def _narrowing(model: Path) -> list[str]:
    """Name the products that make a wide state narrow, the second of each feed-forward block.

    What they read is spread over a few large values, which whole numbers for all of it would round
    away: left as they are, they halve what quantising does to the probabilities.
    """
    import onnx

    graph = onnx.load(str(model)).graph
    shapes = {each.name: tuple(each.dims) for each in graph.initializer}
    weights = {
        node.name: shapes[node.input[1]]
        for node in graph.node
        if node.op_type == "MatMul" and node.input[1] in shapes
    }
    return [name for name, (rows, columns) in weights.items() if rows > 2 * columns]


def _is_no_advice(record: logging.LogRecord) -> bool:
    advice = ("pre-processing", "Failed to infer data type")
    return not any(words in record.getMessage() for words in advice)


def describe(
    folder: Path,
    plain: Checkpoint,
    scaling: Scaling = UNSCALED,
    risk: Sequence[RiskCoveragePoint] = (),
) -> None:
    """Write what the model's files cannot say; scaling and risk are known once it is calibrated."""
    points = tuple((each.threshold, each.risk) for each in thinned(risk, _RISK_POINTS))
    described = replace(
        plain, temperature=scaling.temperature, bias=scaling.bias, risk=points, name=folder.name
    )
    write_description(described, folder)
