"""What training starts from: layers that stay as they are cost nothing on the way back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tiny_models import REASON

torch = pytest.importorskip("torch", reason=REASON)

from claimscope.train.starting import new_network  # noqa: E402
from tests.unit.train.test_verifier import encoder, mpnet  # noqa: E402, F401


@pytest.mark.parametrize("kind", ["encoder", "mpnet"])
def test_nothing_goes_back_through_frozen_layers(kind: str, request: pytest.FixtureRequest) -> None:
    folder: Path = request.getfixturevalue(kind)
    network = new_network(folder, dropout=0.0, train_embeddings=True, seed=1, frozen=1)
    trained: dict[int, bool] = {}
    for place, layer in enumerate(network.encoder.encoder.layer):

        def note(_: object, __: object, states: object, place: int = place) -> None:
            first = states if torch.is_tensor(states) else states[0]  # type: ignore[index]
            trained[place] = first.requires_grad

        layer.register_forward_hook(note)
    ids = torch.ones(1, 6, dtype=torch.long)
    network(ids, ids, ids, torch.ones(1, 1, 6))
    assert trained == {0: False, 1: True}
