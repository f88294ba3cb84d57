"""Accuracy where a set does not tell refutation from silence."""

from __future__ import annotations

import pytest

from tests.tiny_models import REASON

torch = pytest.importorskip("torch", reason=REASON)

from claimscope.train.verifier.abstracts import Target  # noqa: E402
from recipe.accuracy import is_right  # noqa: E402


def test_all_but_support_is_right_where_a_claim_is_only_known_not_to_be_supported() -> None:
    found = torch.tensor([Target.SUPPORTS, Target.REFUTES, Target.NOT_ENOUGH_INFO] * 2)
    targets = torch.tensor([Target.NOT_SUPPORTED] * 3 + [Target.REFUTES] * 3)
    assert is_right(found, targets).tolist() == [False, True, True, False, True, False]
