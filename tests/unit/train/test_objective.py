"""The losses: whole classes, classes taken together, and what teaches nothing."""

from __future__ import annotations

from typing import Any

import pytest

from claimscope.models.encoding import Special
from tests.tiny_models import REASON

torch = pytest.importorskip("torch", reason=REASON)

from claimscope.train.verifier.abstracts import IGNORED, Example  # noqa: E402
from claimscope.train.verifier.network import Row  # noqa: E402
from claimscope.train.verifier.objective import Objective  # noqa: E402

LABELS = [[0.0, 1.0, 2.0], [0.5, -0.5, 0.1]]
SENTENCES = [[[0.2, -0.8, 0.5], [0.1, 0.7, -0.2]], [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0]]]


class Fixed(torch.nn.Module):
    """A network that always says the same."""

    def forward(self, *_: Any) -> tuple[Any, Any]:
        return torch.tensor(self.labels), torch.tensor(self.sentences)

    labels, sentences = LABELS, SENTENCES


def losses(*examples: tuple[int, tuple[int, ...], float], bearing: float = 1.0) -> dict[str, float]:
    row = Row((1, 2, 3, 4), 2, ((2, 3), (3, 4)))
    batch = [Example(row, target, stances, weight) for target, stances, weight in examples]
    objective = Objective(Fixed(), Special(0, 1, 2), 1.0, bearing)
    return {name: value.item() for name, value in objective(batch).items()}


def test_not_supported_is_the_mass_of_the_other_two() -> None:
    nothing = (IGNORED, IGNORED)
    found = losses((3, nothing, 1.0), (2, nothing, 0.0))["label"]
    rest = torch.tensor(LABELS[0]).softmax(-1)[1:].sum()
    assert found == pytest.approx(-rest.log().item())
    assert losses((0, nothing, 1.0), (2, nothing, 0.0))["label"] == pytest.approx(2.4076, abs=1e-4)


def test_ignored_sentences_teach_nothing() -> None:
    known = losses((0, (0, IGNORED), 1.0), (1, (IGNORED, IGNORED), 1.0))["sentence"]
    wanted = -torch.tensor(SENTENCES[0][0]).log_softmax(-1)[0]
    assert known == pytest.approx(wanted.item())
    assert losses(*[(0, (IGNORED, IGNORED), 1.0)] * 2)["sentence"] == 0.0


def test_sentences_that_carry_evidence_weigh_more() -> None:
    rows = -torch.tensor(SENTENCES[0]).log_softmax(-1)
    found = losses((0, (0, 2), 1.0), (0, (IGNORED, IGNORED), 1.0), bearing=3.0)["sentence"]
    assert found == pytest.approx(((3 * rows[0, 0] + rows[1, 2]) / 4).item())
