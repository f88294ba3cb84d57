"""The mean of the weights at several steps, which is steadier than the weights at the last."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from torch import Tensor, nn

from claimscope.train.snapshot import read_tensors, write_tensors

AVERAGE = "average.safetensors"


@dataclass(frozen=True, slots=True)
class WeightAverage:
    """Takes the weights every so many steps and at the last (Izmailov et al. 2018).

    The mean lies in a file of its own, so that a run that is stopped and resumed has it still.
    """

    folder: Path
    first: int
    every: int
    last: int

    def note(self, network: nn.Module, step: int) -> None:
        """Add the weights to the mean if it is their turn; a step that is in it counts once."""
        regular = step >= self.first and (step - self.first) % self.every == 0
        if not (regular or step == self.last):
            return
        count, noted, mean = self._read()
        if step <= noted:
            return
        weights = network.state_dict()
        mean = {name: moved(mean.get(name), each, count) for name, each in weights.items()}
        said = {"count": str(count + 1), "step": str(step)}
        write_tensors(mean, self.folder / AVERAGE, said)

    def load(self, network: nn.Module) -> None:
        """Give a network the mean; one that ended before any was taken keeps its weights."""
        mean = self._read()[2]
        if mean:
            network.load_state_dict(mean)

    def forget(self) -> None:
        """Begin anew."""
        (self.folder / AVERAGE).unlink(missing_ok=True)

    def _read(self) -> tuple[int, int, dict[str, Tensor]]:
        """Give how many weights are in the mean, the step of the last, and the mean."""
        if not (self.folder / AVERAGE).is_file():
            return 0, 0, {}
        mean, said = read_tensors(self.folder / AVERAGE)
        return int(said["count"]), int(said["step"]), mean


def moved(mean: Tensor | None, value: Tensor, count: int) -> Tensor:
    """Move a mean of so many towards one more; what is no weight, such as places, is taken over."""
    if mean is None or not value.is_floating_point():
        return value
    return mean + (value - mean) / (count + 1)
