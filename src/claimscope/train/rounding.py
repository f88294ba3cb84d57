"""Weights as whole numbers, of a quarter of the size or of less, multiplied out again when read.

Nothing but the weights is rounded. What is computed with them is in single precision, so that a
result does not depend on what is read beside it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[Any]

SHARED = "shared.onnx_data"
"""The weights that several models of a folder have in common."""

_LEAST = 4096
"""Smaller tensors stay as they are."""
_LARGEST = 127
_BLOCK = 32
"""Numbers of a column that share a scale where each has four bits."""
_MIDDLE = 8
_PARTS = (1.0, 0.95, 0.9, 0.85, 0.8)
"""How far the range of a block is tried to be cut."""
_CONTRIBUTED = "com.microsoft"
_SINGLE = 1
"""The accuracy level of single precision."""
_COLUMNS = frozenset({"MatMul", "Attention"})
"""What multiplies by a weight whose columns are its outputs; others look rows up in it."""


def round_weights(source: Path, target: Path, bits: int = 8) -> None:
    """Write a model with matrices of one byte a number, or of half a byte where they multiply.

    What is looked up keeps a byte, since every row of it stands for itself.
    """
    import onnx
    from onnx import TensorProto, numpy_helper

    model = onnx.load(str(source))
    graph = model.graph
    columns = {name for node in graph.node if node.op_type in _COLUMNS for name in node.input}
    uses = Counter(name for node in graph.node for name in node.input)
    products = {
        node.input[1]: node
        for node in graph.node
        if node.op_type == "MatMul" and uses[node.input[1]] == 1
    }
    kept, made = [], []
    for tensor in graph.initializer:
        name = tensor.name
        if tensor.data_type != TensorProto.FLOAT or not _is_matrix(tensor.dims):
            kept.append(tensor)
            continue
        values = numpy_helper.to_array(tensor)
        if bits == 4 and name in products and len(values) % _BLOCK == 0:
            kept += _in_half_bytes(products[name], values)
            continue
        tensors, nodes = _as_bytes(name, values, 0 if name in columns else 1)
        kept += tensors
        made += nodes
    nodes = [*made, *graph.node]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(nodes)
    if not any(each.domain == _CONTRIBUTED for each in model.opset_import):
        model.opset_import.append(onnx.helper.make_opsetid(_CONTRIBUTED, 1))
    onnx.save(model, str(target))


def _as_bytes(name: str, values: Matrix, axis: int) -> tuple[list[Any], list[Any]]:
    """Round to whole numbers of one byte with a scale for each row or column."""
    from onnx import TensorProto, helper, numpy_helper

    scale = np.abs(values).max(axis=axis, keepdims=True) / _LARGEST
    scale = np.where(scale > 0, scale, 1).astype(np.float32)
    whole = np.rint(values / scale).astype(np.int8)
    tensors = [
        numpy_helper.from_array(whole, f"{name}_whole"),
        numpy_helper.from_array(scale, f"{name}_scale"),
    ]
    nodes = [
        helper.make_node("Cast", [f"{name}_whole"], [f"{name}_single"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{name}_single", f"{name}_scale"], [name]),
    ]
    return tensors, nodes


def _in_half_bytes(node: Any, values: Matrix) -> list[Any]:
    """Let a node multiply by numbers of four bits, with a scale for each block of a column.

    ONNX Runtime's MatMulNBits takes them as they are and computes in single precision.
    """
    from onnx import helper, numpy_helper

    rows, columns = values.shape
    name = node.input[1]
    whole, scale = _blocks(np.ascontiguousarray(values.T).reshape(columns, -1, _BLOCK))
    numbers = (whole + _MIDDLE).astype(np.uint8)
    packed = numbers[..., ::2] | (numbers[..., 1::2] << 4)
    made = helper.make_node(
        "MatMulNBits",
        [node.input[0], f"{name}_packed", f"{name}_scale"],
        list(node.output),
        name=node.name,
        domain=_CONTRIBUTED,
        K=rows,
        N=columns,
        bits=4,
        block_size=_BLOCK,
        accuracy_level=_SINGLE,
    )
    node.CopyFrom(made)
    return [
        numpy_helper.from_array(packed, f"{name}_packed"),
        numpy_helper.from_array(scale.reshape(-1), f"{name}_scale"),
    ]


def _blocks(values: Matrix) -> tuple[Matrix, Matrix]:
    """Give numbers from -8 to 7 and the scales that lose least, each by itself.

    As there is one more number below zero than above, a scale may be negative, too.
    """
    most = np.abs(values).max(axis=-1, keepdims=True)
    whole = np.zeros_like(values)
    scale = np.zeros_like(most)
    least = np.full_like(most, np.inf)
    for sign, part in product((1, -1), _PARTS):
        tried = sign * part * most / _MIDDLE
        tried = np.where(tried == 0, 1, tried).astype(np.float32)
        rounded = np.clip(np.rint(values / tried), -_MIDDLE, _MIDDLE - 1)
        lost = ((rounded * tried - values) ** 2).sum(axis=-1, keepdims=True)
        is_better = lost < least
        whole = np.where(is_better, rounded, whole)
        scale = np.where(is_better, tried, scale)
        least = np.minimum(lost, least)
    return whole, scale


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
