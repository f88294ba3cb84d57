"""The losses: whole classes, classes taken together, and what teaches nothing."""

from __future__ import annotations

import pytest

from tests.tiny_models import REASON

torch = pytest.importorskip("torch", reason=REASON)

from claimscope.train.verifier.losses import JointWeights, joint_losses, pair_loss  # noqa: E402


def test_not_supported_is_the_mass_of_the_other_two() -> None:
    logits = torch.tensor([[0.0, 1.0, 2.0]])
    rest = logits.softmax(-1)[0, 1:].sum()
    assert pair_loss(logits, torch.tensor([3])).item() == pytest.approx(-rest.log().item())
    assert pair_loss(logits, torch.tensor([0])).item() == pytest.approx(2.4076, abs=1e-4)


def test_losses_of_labels_are_smoothed_cross_entropies() -> None:
    labels, targets = torch.randn(4, 3), torch.tensor([0, 1, 2, 0])
    nothing = torch.full((4, 1), -100)
    found = joint_losses(
        labels, torch.zeros(4, 1, 3), targets, nothing, torch.ones(4), JointWeights()
    )
    wanted = torch.nn.functional.cross_entropy(labels, targets, label_smoothing=0.05)
    assert found["label"].item() == pytest.approx(wanted.item(), abs=1e-6)


def test_without_a_stance_only_evidence_is_learnt() -> None:
    decided = (torch.tensor([4]), torch.tensor([[4, 2]]), torch.ones(1), JointWeights())
    labels = torch.tensor([[0.4, -0.3, 0.9]])
    sentences = torch.tensor([[[0.2, -0.8, 0.5], [0.1, 0.7, -0.2]]])

    def losses() -> list[float]:
        return [each.item() for each in joint_losses(labels, sentences, *decided).values()]

    before = losses()
    swapped = torch.tensor([1, 0, 2])
    labels, sentences = labels[:, swapped], sentences[:, :, swapped]
    assert losses() == pytest.approx(before, abs=1e-6)
    labels[0, 2] -= 2
    sentences[0, 0, 2] -= 2
    assert all(after < once for after, once in zip(losses(), before, strict=True))


def test_ignored_sentences_teach_nothing() -> None:
    labels, sentences = torch.zeros(1, 3), torch.randn(1, 2, 3)
    arguments = (torch.tensor([1]), torch.tensor([[2, -100]]), torch.ones(1), JointWeights())
    before = joint_losses(labels, sentences, *arguments)["sentence"]
    sentences[0, 1] += torch.tensor([9.0, 0.0, 0.0])
    assert torch.equal(before, joint_losses(labels, sentences, *arguments)["sentence"])
