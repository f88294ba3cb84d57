"""Checkpoints of a training run: one safetensors file, written whole or not at all."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from claimscope.errors import ConfigurationError, FormatError
from claimscope.train.batches import Turn

_MODEL, _OPTIMISER, _RANDOM = "model.", "optimiser.", "random"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run is: updates made, the round it reads, and how many batches of it are used."""

    step: int = 0
    turn: Turn = field(default_factory=Turn)
    position: int = 0


def save(
    path: Path, network: nn.Module, optimiser: torch.optim.Optimizer, place: Place, settings: str
) -> None:
    """Write weights, moments, random state and place; `settings` says what the run is."""
    tensors = {f"{_MODEL}{name}": value for name, value in network.state_dict().items()}
    for number, state in optimiser.state_dict()["state"].items():
        tensors |= {f"{_OPTIMISER}{number}.{name}": value for name, value in state.items()}
    tensors[_RANDOM] = torch.get_rng_state()
    state = {**asdict(place), "settings": settings}
    write_tensors(tensors, path, {"state": json.dumps(state)})


def restore(
    path: Path, network: nn.Module, optimiser: torch.optim.Optimizer, settings: str
) -> Place:
    """Restore a run from its checkpoint; a checkpoint of other settings is refused."""
    tensors, metadata = read_tensors(path)
    try:
        state = json.loads(metadata["state"])
        place = Place(state["step"], Turn(**state["turn"]), state["position"])
        same = state["settings"] == settings
    except (KeyError, TypeError, ValueError) as error:
        raise _unreadable(path, error) from error
    if not same:
        raise ConfigurationError(
            f"{path} was written with other settings; delete it to train anew, or set the "
            "settings back to go on."
        )
    network.load_state_dict(_below(tensors, _MODEL))
    optimiser.load_state_dict({**optimiser.state_dict(), "state": _moments(tensors)})
    torch.set_rng_state(tensors[_RANDOM])
    return place


def write_tensors(tensors: dict[str, Tensor], path: Path, metadata: dict[str, str]) -> None:
    """Write tensors so that a crash leaves the file as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.part")
    # Tensors that share memory are refused by the format, so each is written out.
    plain = {name: value.detach().clone().contiguous() for name, value in tensors.items()}
    save_file(plain, partial, metadata=metadata)
    partial.replace(path)


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Read tensors and what was written beside them."""
    try:
        with safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            return tensors, file.metadata() or {}
    except (SafetensorError, OSError) as error:
        raise _unreadable(path, error) from error


def _below(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {
        name.removeprefix(prefix): value
        for name, value in tensors.items()
        if name.startswith(prefix)
    }


def _moments(tensors: dict[str, Tensor]) -> dict[int, dict[str, Tensor]]:
    states: dict[int, dict[str, Tensor]] = {}
    for name, value in _below(tensors, _OPTIMISER).items():
        number, _, kind = name.partition(".")
        states.setdefault(int(number), {})[kind] = value
    return states


def _unreadable(path: Path, error: Exception) -> FormatError:
    return FormatError(f"{path} cannot be read ({error}); delete it to train from the start.")
