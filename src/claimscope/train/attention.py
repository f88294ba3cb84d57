"""Attention that is quick to train in bfloat16 on a processor."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

NAME = "claimscope"


def attend(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    **_: Any,
) -> tuple[Tensor, None]:
    """Give the weighted values [batch, tokens, heads, width]; the mask is true where one may look.

    PyTorch's fused kernel is the quickest in single precision, but its backward pass in bfloat16
    takes three times as long as these three products.
    """
    if query.dtype != torch.bfloat16:
        found = nn.functional.scaled_dot_product_attention(
            query, key, value, attn_mask=attention_mask, dropout_p=dropout, scale=scaling
        )
        return found.transpose(1, 2).contiguous(), None
    # Autocast would have the softmax written in single precision, twice the memory to move.
    with torch.autocast(query.device.type, enabled=False):
        factor = scaling if scaling is not None else query.shape[-1] ** -0.5
        scores = (query * factor) @ key.transpose(-1, -2)
        if attention_mask is not None:
            scores = scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min)
        weights = nn.functional.dropout(scores.softmax(dim=-1), dropout, module.training)
        return (weights @ value).transpose(1, 2).contiguous(), None


def register(transformers: Any) -> str:
    """Make the attention known to the library, and give the name it is asked for by."""
    masks = transformers.masking_utils
    transformers.AttentionInterface.register(NAME, attend)
    transformers.AttentionMaskInterface.register(NAME, masks.sdpa_mask)
    return NAME
