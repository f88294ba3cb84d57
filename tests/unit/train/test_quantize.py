"""Rounded weights: nearly as good as the single ones, smaller, and held once where shared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

onnx = pytest.importorskip("onnx", reason="this test writes models: pip install '.[train]'")

import onnxruntime  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from claimscope.train.quantize import (  # noqa: E402
    SHARED,
    round_weights,
    share_weights,
    split_weights,
)

ROWS, COLUMNS = 96, 64


def write(path: Path, table: np.ndarray, weight: np.ndarray) -> Path:
    """Write a model that looks rows up in a table and multiplies them by a weight."""
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "ids"], ["rows"]),
            helper.make_node("MatMul", ["rows", "weight"], ["out"]),
        ],
        "lookup",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["n"])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, ["n", COLUMNS])],
        [numpy_helper.from_array(table, "table"), numpy_helper.from_array(weight, "weight")],
    )
    opset = helper.make_opsetid("", 17)
    onnx.save(helper.make_model(graph, opset_imports=[opset], ir_version=8), str(path))
    return path


def run(path: Path) -> np.ndarray:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    found: np.ndarray = session.run(None, {"ids": np.arange(ROWS)})[0]
    return found


def drawn(seed: int, shape: tuple[int, int]) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def test_a_rounded_model_says_the_same_and_is_smaller(tmp_path: Path) -> None:
    table, weight = drawn(1, (ROWS, 64)), drawn(2, (64, COLUMNS))
    # Rows and columns of very different size each keep a scale of their own.
    table[3] *= 1000
    weight[:, 5] /= 1000
    source = write(tmp_path / "single.onnx", table, weight)
    round_weights(source, tmp_path / "rounded.onnx")
    wanted, found = run(source), run(tmp_path / "rounded.onnx")
    assert not np.array_equal(wanted, found)
    size = np.linalg.norm(table, axis=1)[:, None] * np.linalg.norm(weight, axis=0)[None]
    assert np.abs((found - wanted) / size).max() < 0.01
    assert (tmp_path / "rounded.onnx").stat().st_size < 0.35 * source.stat().st_size


@given(
    arrays.arrays(np.float32, (ROWS, 64), elements=st.floats(-100, 100, width=32)),
)
def test_no_weight_is_moved_by_more_than_half_a_step(
    tmp_path_factory: pytest.TempPathFactory, table: np.ndarray
) -> None:
    folder = tmp_path_factory.mktemp("rounded")
    source = write(folder / "single.onnx", table, np.eye(64, dtype=np.float32))
    round_weights(source, folder / "rounded.onnx")
    steps = np.abs(table).max(axis=1, keepdims=True) / 127
    assert (np.abs(run(folder / "rounded.onnx") - table) <= 0.501 * steps + 1e-6).all()


def test_packed_bytes_say_the_same_and_are_multiplied_as_they_are(tmp_path: Path) -> None:
    table, weight = drawn(1, (ROWS, 256)), drawn(2, (256, COLUMNS))
    weight[:128] /= 1000  # A block of rows keeps a scale of its own.
    source = write(tmp_path / "single.onnx", table, weight)
    round_weights(source, tmp_path / "packed.onnx", packed=True)
    wanted, found = run(source), run(tmp_path / "packed.onnx")
    assert 0 < np.linalg.norm(found - wanted) < 0.02 * np.linalg.norm(wanted)
    nodes = {node.op_type for node in onnx.load(str(tmp_path / "packed.onnx")).graph.node}
    assert "MatMulNBits" in nodes
    assert "MatMul" not in nodes


def test_a_weight_that_serves_twice_is_not_packed(tmp_path: Path) -> None:
    source = write(tmp_path / "single.onnx", drawn(1, (ROWS, 128)), drawn(2, (128, 128)))
    model = onnx.load(str(source))
    model.graph.node[-1].output[0] = "once"
    model.graph.node.append(helper.make_node("MatMul", ["once", "weight"], ["out"]))
    onnx.save(model, str(source))
    round_weights(source, tmp_path / "packed.onnx", packed=True)
    wanted = run(source)
    assert np.linalg.norm(run(tmp_path / "packed.onnx") - wanted) < 0.05 * np.linalg.norm(wanted)


def test_what_two_models_share_is_held_once(tmp_path: Path) -> None:
    table = drawn(1, (ROWS, 64))
    paths = []
    for seed in (2, 3):
        single = write(tmp_path / f"single{seed}.onnx", table, drawn(seed, (64, COLUMNS)))
        paths.append(tmp_path / f"rounded{seed}.onnx")
        round_weights(single, paths[-1])
    before = [run(path) for path in paths]
    sizes = sum(path.stat().st_size for path in paths)
    share_weights(paths)
    assert all(np.array_equal(run(p), each) for p, each in zip(paths, before, strict=True))
    assert (tmp_path / SHARED).stat().st_size == ROWS * 64
    assert sum(path.stat().st_size for path in paths) < sizes - 2 * ROWS * 64 + 500


def test_only_rows_that_are_looked_up_are_multiplied_out(tmp_path: Path) -> None:
    source = write(tmp_path / "single.onnx", drawn(1, (ROWS, 64)), drawn(2, (64, COLUMNS)))
    round_weights(source, tmp_path / "rounded.onnx")
    graph = onnx.load(str(tmp_path / "rounded.onnx")).graph
    cast = {node.input[0] for node in graph.node if node.op_type == "Cast"}
    assert cast == {"table_whole_rows", "weight_whole"}


def test_a_model_too_large_for_one_file_is_split_and_says_the_same(tmp_path: Path) -> None:
    path = write(tmp_path / "model.onnx", drawn(1, (ROWS, 64)), drawn(2, (64, COLUMNS)))
    wanted, size = run(path), path.stat().st_size
    split_weights(path, size)
    assert not (tmp_path / SHARED).exists()
    split_weights(path, size - 1)
    # The table is the larger of the two tensors, and moving it is enough.
    assert (tmp_path / SHARED).stat().st_size == ROWS * 64 * 4
    assert path.stat().st_size < size - ROWS * 64 * 4 + 500
    assert np.array_equal(run(path), wanted)
