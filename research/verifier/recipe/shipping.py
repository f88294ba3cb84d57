"""Writes an exported verifier as it is shipped: weights of one byte, shared ones once."""

from __future__ import annotations

from pathlib import Path

from claimscope.models.checkpoint import DESCRIPTION
from claimscope.models.verifier.onnx_joint import MODEL, STANCE
from claimscope.train.quantize import round_weights, share_weights, split_weights


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
