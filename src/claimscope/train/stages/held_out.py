"""Measures on held-out claims after every epoch, keeps the best weights, and ends in time."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from torch import nn

from claimscope.train.snapshot import write_tensors
from claimscope.train.starting import load_weights

RECORD = "held_out.jsonl"
BEST = "best.safetensors"


@dataclass
class EarlyStopping:
    """Ends training after so many epochs without a lower loss.

    What was measured is on the disk, so a resumed training ends where an uninterrupted one would.
    """

    network: nn.Module
    measure: Callable[[], float]
    folder: Path
    every: int
    """Steps from one measurement to the next."""
    patience: int

    def __call__(self, step: int) -> bool:
        """Measure if it is time to, and say whether to end."""
        losses = self._until(step)
        if step and step % self.every == 0 and step not in losses:
            losses[step] = self._measured(step, losses)
        best = min(losses, key=lambda each: (losses[each], each), default=None)
        return best is not None and sum(each > best for each in losses) >= self.patience

    def use_best(self) -> None:
        """Give the network the weights of its lowest loss."""
        if (self.folder / BEST).is_file():
            load_weights(self.network, self.folder / BEST)

    def _measured(self, step: int, before: dict[int, float]) -> float:
        training = self.network.training
        self.network.eval()
        loss = self.measure()
        self.network.train(training)
        if all(loss < earlier for earlier in before.values()):
            write_tensors(self.network.state_dict(), self.folder / BEST, {"step": str(step)})
        lines = [{"step": each, "loss": value} for each, value in {**before, step: loss}.items()]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (self.folder / RECORD).write_text(text, encoding="utf-8")
        return loss

    def _until(self, step: int) -> dict[int, float]:
        """Read what was measured up to a step; what lies after it was measured in a lost run."""
        path = self.folder / RECORD
        if not path.is_file():
            return {}
        lines = map(json.loads, path.read_text("utf-8").splitlines())
        return {line["step"]: line["loss"] for line in lines if line["step"] <= step}
