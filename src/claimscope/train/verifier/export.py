"""A trained verifier as a folder the package can run without PyTorch."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tokenizers import Tokenizer

from claimscope.measures.calibration import RiskCoveragePoint
from claimscope.models.checkpoint import DESCRIPTION, Checkpoint, write_description
from claimscope.models.verifier.onnx_joint import MODEL, STANCE
from claimscope.render.charts import thinned
from claimscope.train.rounding import round_weights, share_weights, split_weights
from claimscope.train.verifier.network import VerifierNetwork, export
from claimscope.train.verifier.scaling import UNSCALED, Scaling

_RISK_POINTS = 100


def export_folder(
    network: VerifierNetwork,
    tokenizer: Tokenizer,
    folder: Path,
    plain: Checkpoint,
    stances: VerifierNetwork | None = None,
) -> Path:
    """Write the network with fused operations, tokenizer.json and claimscope.json.

    A second network, which tells support from refutation, becomes stance.onnx.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _write(network, folder / MODEL)
    if stances is not None:
        _write(stances, folder / STANCE)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    describe(folder, plain)
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
        export(network, raw)
    config = network.encoder.config
    optimised = optimize_model(
        str(raw), "bert", num_heads=config.num_attention_heads, hidden_size=config.hidden_size
    )
    optimised.save_model_to_file(str(path))
    raw.unlink()


def round_folder(source: Path, folder: Path, packed: bool = False) -> Path:
    """Write a folder's models with weights of one byte, and what two of them share but once."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in (MODEL, STANCE) if (source / name).is_file()]
    for name in names:
        round_weights(source / name, folder / name, packed)
    if len(names) > 1:
        share_weights([folder / name for name in names])
    else:
        split_weights(folder / MODEL)
    for name in ("tokenizer.json", DESCRIPTION):
        (folder / name).write_bytes((source / name).read_bytes())
    return folder


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
