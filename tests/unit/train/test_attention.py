"""Attention in bfloat16 gives what the library's own gives in single precision."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tiny_models import REASON

torch = pytest.importorskip("torch", reason=REASON)

from claimscope.train.pretrained import attend  # noqa: E402


@pytest.fixture
def plain_products() -> Iterator[None]:
    """Take products without oneDNN, which some virtual machines offer instructions they lack."""
    with torch.backends.mkldnn.flags(enabled=False):
        yield


@pytest.mark.usefixtures("plain_products")
@pytest.mark.parametrize("masked", [True, False])
def test_bfloat16_is_near_single_precision(masked: bool) -> None:
    torch.manual_seed(3)
    query, key, value = (torch.randn(2, 3, 5, 4) for _ in range(3))
    mask = torch.ones(2, 1, 5, 5, dtype=torch.bool)
    mask[1, :, :, 3:] = False
    module = torch.nn.Module().train()
    given = mask if masked else None
    exact, _ = attend(module, query, key, value, given, scaling=0.5)
    expected = torch.nn.functional.scaled_dot_product_attention(
        query, key, value, attn_mask=given, scale=0.5
    ).transpose(1, 2)
    assert torch.equal(exact, expected)
    rounded = [each.bfloat16() for each in (query, key, value)]
    near, _ = attend(module, *rounded, given, scaling=0.5)
    assert near.dtype == torch.bfloat16
    assert near.shape == (2, 5, 3, 4)
    assert torch.allclose(near.float(), exact, atol=0.05)


@pytest.mark.usefixtures("plain_products")
def test_what_is_masked_is_not_seen() -> None:
    torch.manual_seed(4)
    query, key, value = (torch.randn(1, 1, 4, 4, dtype=torch.bfloat16) for _ in range(3))
    mask = torch.tensor([True, True, True, False]).expand(1, 1, 4, 4)
    module = torch.nn.Module().eval()
    first, _ = attend(module, query, key, value, mask)
    value[..., 3, :] = 100.0
    second, _ = attend(module, query, key, value, mask)
    assert torch.equal(first, second)


@pytest.mark.usefixtures("plain_products")
def test_dropout_is_for_training_only() -> None:
    torch.manual_seed(5)
    query, key, value = (torch.randn(1, 1, 8, 4, dtype=torch.bfloat16) for _ in range(3))
    module = torch.nn.Module()
    without, _ = attend(module.eval(), query, key, value, None, dropout=0.5)
    trained, _ = attend(module.train(), query, key, value, None, dropout=0.5)
    assert torch.equal(without, attend(module, query, key, value, None)[0])
    assert not torch.equal(without, trained)
