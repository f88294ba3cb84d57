"""Weights as whole numbers: a quarter of the size, multiplied out again when a model is opened.

Nothing but the weights is rounded. What is computed with them is in single precision, so that a
result does not depend on what is read beside it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

SHARED = "shared.onnx_data"
"""The weights that several models of a folder have in common."""

_LEAST = 4096
"""Smaller tensors stay as they are."""
_LARGEST = 127
_COLUMNS = frozenset({"MatMul", "Attention"})
"""What multiplies by a weight whose columns are its outputs; others look rows up in it."""


def round_weights(source: Path, target: Path) -> None:
    """Write a model with matrices of one byte a number and a scale for each row or column."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(source))
    graph = model.graph
    columns = {name for node in graph.node if node.op_type in _COLUMNS for name in node.input}
    kept, made = [], []
    for tensor in graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or not _is_matrix(tensor.dims):
            kept.append(tensor)
            continue
        name, values = tensor.name, numpy_helper.to_array(tensor)
        scale = np.abs(values).max(axis=0 if name in columns else 1, keepdims=True) / _LARGEST
        scale = np.where(scale > 0, scale, 1).astype(np.float32)
        whole = np.rint(values / scale).astype(np.int8)
        kept += [
            numpy_helper.from_array(whole, f"{name}_whole"),
            numpy_helper.from_array(scale, f"{name}_scale"),
        ]
        made += [
            helper.make_node("Cast", [f"{name}_whole"], [f"{name}_single"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [f"{name}_single", f"{name}_scale"], [name]),
        ]
    nodes = [*made, *graph.node]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(nodes)
    onnx.save(model, str(target))


def _is_matrix(shape: Sequence[int]) -> bool:
    return len(shape) == 2 and shape[0] * shape[1] >= _LEAST


def share_weights(files: Iterable[Path]) -> None:
    """Move what models of one folder have in common to a file of its own beside them."""
    import onnx
    from onnx.external_data_helper import set_external_data

    models = {path: onnx.load(str(path)) for path in files}
    large = [
        (_checksum(tensor), tensor)
        for model in models.values()
        for tensor in model.graph.initializer
        if len(tensor.raw_data) >= _LEAST
    ]
    counts = Counter(checksum for checksum, _ in large)
    places: dict[str, int] = {}
    held = bytearray()
    for checksum, tensor in large:
        if counts[checksum] < 2:
            continue
        if checksum not in places:
            places[checksum] = len(held)
            held += tensor.raw_data
        size = len(tensor.raw_data)
        set_external_data(tensor, SHARED, offset=places[checksum], length=size)
        tensor.ClearField("raw_data")
    for path, model in models.items():
        (path.parent / SHARED).write_bytes(held)
        path.write_bytes(model.SerializeToString())


def _checksum(tensor: Any) -> str:
    about = f"{tensor.data_type} {list(tensor.dims)} ".encode()
    return hashlib.sha256(about + tensor.raw_data).hexdigest()
