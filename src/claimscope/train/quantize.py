"""Stores weights as eight-bit integers with scales, a quarter of the size.

Nothing but the weights is rounded, except for packed bytes. What is computed with them is in single
precision, so that a result does not depend on what is read beside it; with packed bytes it does not
either, as each row is rounded by itself.
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

WHOLE, PACKED, SCALE = "_whole", "_packed", "_scale"
"""What the names of rounded matrices, of packed ones and of their scales end in."""

_LEAST = 4096
"""Smaller tensors stay as they are."""
LARGEST_FILE = 95_000_000
"""In bytes; hosts of repositories refuse files of more than 100 MB."""
_LARGEST = 127
_BLOCK = 128
"""Numbers of a column that share a scale where they are packed."""
_MIDDLE = 128
"""What is added to a packed number, so that none is negative."""
_PARTS = (1.0, 0.95, 0.9, 0.85, 0.8)
"""How far the range of a block is tried to be cut."""
_CONTRIBUTED = "com.microsoft"
_ACCURACY = 4
"""ONNX Runtime's accuracy level of packed products: whole numbers, where each row of what is
multiplied is rounded by itself. In single precision they take more than twice the time."""
_COLUMNS = frozenset({"MatMul", "Attention"})
"""What multiplies by a weight whose columns are its outputs; others look rows up in it."""


def round_weights(source: Path, target: Path, packed: bool = False) -> None:
    """Write a model whose matrices use one byte per number.

    Packed matrices are multiplied by as they are: a network that is large then needs a third of
    the memory.
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
    lookups = {
        node.input[0]: node
        for node in graph.node
        if node.op_type == "Gather"
        and uses[node.input[0]] == 1
        and not any(each.name == "axis" and each.i for each in node.attribute)
    }
    kept, made = [], []
    instead: dict[str, list[Any]] = {}
    for tensor in graph.initializer:
        name = tensor.name
        if tensor.data_type != TensorProto.FLOAT or not _is_matrix(tensor.dims):
            kept.append(tensor)
            continue
        values = numpy_helper.to_array(tensor)
        if packed and name in products and len(values) % _BLOCK == 0:
            kept += _in_blocks(products[name], values)
            continue
        kept += _bytes(name, values, 0 if name in columns else 1)
        if name in lookups:
            instead[lookups[name].output[0]] = _looked_up(lookups[name])
        else:
            made += _multiplied_out(name)
    nodes = made + [new for old in graph.node for new in instead.get(old.output[0], [old])]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(nodes)
    if not any(each.domain == _CONTRIBUTED for each in model.opset_import):
        model.opset_import.append(onnx.helper.make_opsetid(_CONTRIBUTED, 1))
    onnx.save(model, str(target))


def _bytes(name: str, values: Matrix, axis: int) -> list[Any]:
    """Round to whole numbers of one byte with a scale for each row or column."""
    from onnx import numpy_helper

    scale = np.abs(values).max(axis=axis, keepdims=True) / _LARGEST
    scale = np.where(scale > 0, scale, 1).astype(np.float32)
    whole = np.rint(values / scale).astype(np.int8)
    return [
        numpy_helper.from_array(whole, f"{name}{WHOLE}"),
        numpy_helper.from_array(scale, f"{name}{SCALE}"),
    ]


def _multiplied_out(name: str, to: str = "", part: str = "") -> list[Any]:
    """Make single precision of a rounded matrix, or of a part of it for another name."""
    from onnx import TensorProto, helper

    single = f"{name}_single"
    return [
        helper.make_node("Cast", [f"{name}{WHOLE}{part}"], [single], to=TensorProto.FLOAT),
        helper.make_node("Mul", [single, f"{name}{SCALE}{part}"], [to or name]),
    ]


def _looked_up(node: Any) -> list[Any]:
    """Look rows up in a rounded table first, so that only those are multiplied out."""
    from onnx import helper

    name, places = node.input
    part = "_rows"
    found = [
        helper.make_node("Gather", [f"{name}{kind}", places], [f"{name}{kind}{part}"], axis=0)
        for kind in (WHOLE, SCALE)
    ]
    return [*found, *_multiplied_out(name, node.output[0], part)]


def _in_blocks(node: Any, values: Matrix) -> list[Any]:
    """Let a node multiply by packed bytes, each block of a column with a scale.

    ONNX Runtime's MatMulNBits takes them as they are.
    """
    from onnx import helper, numpy_helper

    rows, columns = values.shape
    name = node.input[1]
    blocks = np.ascontiguousarray(values.T).reshape(columns, -1, _BLOCK)
    whole, scale = _rounded_blocks(blocks)
    made = helper.make_node(
        "MatMulNBits",
        [node.input[0], f"{name}{PACKED}", f"{name}{SCALE}"],
        list(node.output),
        name=node.name,
        domain=_CONTRIBUTED,
        K=rows,
        N=columns,
        bits=8,
        block_size=_BLOCK,
        accuracy_level=_ACCURACY,
    )
    node.CopyFrom(made)
    return [
        numpy_helper.from_array((whole + _MIDDLE).astype(np.uint8), f"{name}{PACKED}"),
        numpy_helper.from_array(scale.reshape(-1), f"{name}{SCALE}"),
    ]


def unpacked(packed: Matrix, scale: Matrix) -> Matrix:
    """Restore a matrix [rows, columns] from packed bytes."""
    columns = len(packed)
    blocks = (packed.astype(np.float32) - _MIDDLE) * scale.reshape(columns, -1, 1)
    return np.ascontiguousarray(blocks.reshape(columns, -1).T)


def _rounded_blocks(values: Matrix) -> tuple[Matrix, Matrix]:
    """Give whole numbers from -128 to 127 and the scales that lose least, each by itself.

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
    """Move the weights that several models of a folder share to a separate file."""
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


def split_weights(path: Path, largest: int = LARGEST_FILE) -> None:
    """Move a model's largest tensors to a file beside it until it has no more bytes than this."""
    import onnx
    from onnx.external_data_helper import set_external_data

    model = onnx.load(str(path))
    held = bytearray()
    for tensor in sorted(model.graph.initializer, key=lambda each: -len(each.raw_data)):
        if path.stat().st_size - len(held) <= largest:
            break
        set_external_data(tensor, SHARED, offset=len(held), length=len(tensor.raw_data))
        held += tensor.raw_data
        tensor.ClearField("raw_data")
    if held:
        (path.parent / SHARED).write_bytes(held)
        path.write_bytes(model.SerializeToString())


def _checksum(tensor: Any) -> str:
    about = f"{tensor.data_type} {list(tensor.dims)} ".encode()
    return hashlib.sha256(about + tensor.raw_data).hexdigest()
