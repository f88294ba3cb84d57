"""The loop on a network of a few weights: it learns, stops cleanly and goes on bit for bit."""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from claimscope.errors import ConfigurationError, FormatError

torch = pytest.importorskip("torch", reason="training needs PyTorch: pip install '.[train]'")

from claimscope.train.batches import Round, Turn, batches_by_length, drawn_in_turn  # noqa: E402
from claimscope.train.loop import CHECKPOINT, LOG, Loop  # noqa: E402
from claimscope.train.optimiser import LoopSettings, build_optimiser, scale  # noqa: E402

Point = tuple[float, float]


class Small(torch.nn.Module):
    """A network with dropout, so that the random state matters."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.encoder = torch.nn.Linear(1, 8)
        self.dropout = torch.nn.Dropout(0.2)
        self.head = torch.nn.Linear(8, 1)

    def forward(self, x: Any) -> Any:
        return self.head(self.dropout(torch.tanh(self.encoder(x))))


def feed(turn: Turn) -> Round[list[Point]]:
    """Points of a line, seven batches a round, which depend on all that a turn says."""
    generator = random.Random(turn.number * 1000 + turn.drawn.get("points", 0))
    slope = 2.0 + turn.progress
    points = [(x, slope * x) for x in (generator.uniform(-1, 1) for _ in range(28))]
    batches = batches_by_length(points, lambda _: 1, 4, generator)
    return Round(batches, {"points": turn.drawn.get("points", 0) + len(points)})


def trained(
    folder: Path, stop_at: int | None = None, number: int = signal.SIGTERM, **changes: Any
) -> tuple[Small, bool]:
    network = Small()

    def loss(batch: list[Point]) -> dict[str, Any]:
        x, y = torch.tensor(batch).split(1, dim=1)
        return {"square": ((network(x) - y) ** 2).mean()}

    def progress(step: int, _: int) -> None:
        if step == stop_at:
            os.kill(os.getpid(), number)

    values = {"steps": 40, "learning_rate": 0.02, "head_learning_rate": 0.05, "log_steps": 5}
    settings = LoopSettings(**{**values, **changes})
    loop = Loop(network, loss, feed, settings, folder, "points", progress)
    return network, loop.run()


def losses(folder: Path) -> list[float]:
    lines = map(json.loads, (folder / LOG).read_text().splitlines())
    return [line["square"] for line in lines if "square" in line]


def test_the_loss_falls(tmp_path: Path) -> None:
    _, finished = trained(tmp_path)
    assert finished
    found = losses(tmp_path)
    assert len(found) == 8
    assert found[-1] < 0.3 * found[0]


@pytest.mark.parametrize("stop_at", [1, 7, 20, 39])
@pytest.mark.parametrize("accumulate", [1, 3])
def test_a_resumed_run_equals_an_uninterrupted_one(
    tmp_path: Path, stop_at: int, accumulate: int
) -> None:
    whole, _ = trained(tmp_path / "whole", accumulate=accumulate)
    _, finished = trained(tmp_path / "parts", stop_at, accumulate=accumulate)
    assert not finished
    parts, finished = trained(tmp_path / "parts", accumulate=accumulate)
    assert finished
    for name, value in whole.state_dict().items():
        assert torch.equal(value, parts.state_dict()[name]), name


def test_a_checkpoint_at_every_step_changes_nothing(tmp_path: Path) -> None:
    once, _ = trained(tmp_path / "once")
    often, _ = trained(tmp_path / "often", checkpoint_minutes=0.0)
    assert torch.equal(once.head.weight, often.head.weight)


def test_the_keyboard_stops_it_too_and_handlers_come_back(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    _, finished = trained(tmp_path, stop_at=3, number=signal.SIGINT)
    assert not finished
    assert signal.getsignal(signal.SIGINT) is before
    assert (tmp_path / CHECKPOINT).is_file()


def test_a_finished_run_is_not_trained_further(tmp_path: Path) -> None:
    first, _ = trained(tmp_path)
    again, finished = trained(tmp_path)
    assert finished
    assert torch.equal(first.head.weight, again.head.weight)


def test_other_settings_are_refused(tmp_path: Path) -> None:
    trained(tmp_path, stop_at=2)
    with pytest.raises(ConfigurationError, match="other settings"):
        trained(tmp_path, clip=0.5)


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    trained(tmp_path, stop_at=2)
    path = tmp_path / CHECKPOINT
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(FormatError, match="cannot be read"):
        trained(tmp_path)


def test_a_loss_that_is_no_number_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="lower the learning rate"):
        trained(tmp_path, learning_rate=1e30, head_learning_rate=1e30, clip=1e30)


def test_an_empty_round_is_an_error(tmp_path: Path) -> None:
    network = Small()
    empty: Callable[[Turn], Round[int]] = lambda _: Round([])  # noqa: E731
    with pytest.raises(ConfigurationError, match="nothing to train on"):
        Loop(network, lambda _: {}, empty, LoopSettings(steps=1), tmp_path).run()


def test_groups_have_their_own_rates_and_biases_do_not_decay() -> None:
    optimiser = build_optimiser(Small(), LoopSettings(1, 0.1, 0.2, weight_decay=0.3))
    found = {
        (tuple(group["params"][0].shape), group["lr"], group["weight_decay"])
        for group in optimiser.param_groups
    }
    assert found == {((8, 1), 0.1, 0.3), ((8,), 0.1, 0.0), ((1, 8), 0.2, 0.3), ((1,), 0.2, 0.0)}


def test_the_rate_rises_then_falls_to_its_floor() -> None:
    settings = LoopSettings(steps=100, warm_up=0.1)
    rates = [scale(step, settings) for step in range(100)]
    assert rates[0] == pytest.approx(0.1)
    assert max(rates) == 1.0
    assert rates.index(max(rates)) == 9
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[-1] == pytest.approx(1 / 90)


def test_batches_hold_every_item_once_and_keep_to_the_tokens() -> None:
    items = [random.Random(3).randint(1, 30) + number % 7 for number in range(200)]
    batches = batches_by_length(items, lambda item: item, 64, random.Random(0), pool=50)
    assert sorted(item for batch in batches for item in batch) == sorted(items)
    assert all(len(batch) == 1 or max(batch) * len(batch) <= 64 for batch in batches)


def test_bfloat16_learns_with_rounded_products(tmp_path: Path) -> None:
    # Without oneDNN, which some virtual machines offer instructions that they lack.
    with torch.backends.mkldnn.flags(enabled=False):
        exact, _ = trained(tmp_path / "exact")
        rounded, ended = trained(tmp_path / "rounded", bfloat16=True)
    assert ended
    assert rounded.head.weight.dtype == torch.float32
    assert not torch.equal(rounded.head.weight, exact.head.weight)
    assert torch.allclose(rounded.head.weight, exact.head.weight, atol=0.1)


def test_all_places_come_once_before_any_comes_again() -> None:
    first = drawn_in_turn(7, 0, 5, "seed")
    then = drawn_in_turn(7, 5, 9, "seed")
    assert sorted(first + then[:2]) == list(range(7))
    assert sorted(then[2:]) == list(range(7))
    assert drawn_in_turn(7, 0, 14, "seed") == first + then
