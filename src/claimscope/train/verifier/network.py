"""The small verifier as a PyTorch network, and its export to ONNX."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from claimscope.models.verifier.onnx_joint import INPUTS, OUTPUTS

CLASSES = 3
_OPSET = 17


class VerifierNetwork(nn.Module):
    """An encoder with a label head on its first state and a stance head on each sentence.

    The stance head reads the mean of a sentence's token states beside the first state.
    """

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        width = encoder.config.hidden_size
        self.encoder = encoder
        # MPNet's kind tells the claim from the abstract by the separator alone.
        self._has_segments = hasattr(encoder.config, "type_vocab_size")
        self.pool = nn.Linear(width, width)
        self.label = nn.Linear(width, CLASSES)
        self.sentence_pool = nn.Linear(2 * width, width)
        self.sentence = nn.Linear(width, CLASSES)

    def forward(
        self, ids: Tensor, segments: Tensor, mask: Tensor, pooling: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Give label logits [batch, 3] and stance logits [batch, sentences, 3]."""
        parts = {"token_type_ids": segments} if self._has_segments else {}
        states = self.encoder(input_ids=ids, attention_mask=mask, **parts).last_hidden_state
        first = states[:, 0]
        means = pooling @ states
        both = torch.cat([means, first[:, None].expand_as(means)], dim=-1)
        label = self.label(torch.tanh(self.pool(first)))
        return label, self.sentence(torch.tanh(self.sentence_pool(both)))


def export(network: VerifierNetwork, path: Path) -> None:
    """Write the network as ONNX with free batch, token and sentence numbers."""
    ids = torch.ones(2, 16, dtype=torch.long)
    axes = {
        **{name: {0: "batch", 1: "tokens"} for name in INPUTS[:3]},
        "pooling": {0: "batch", 1: "sentences", 2: "tokens"},
        "label": {0: "batch"},
        "sentence": {0: "batch", 1: "sentences"},
    }
    # The fused attention of PyTorch has no ONNX form that the optimiser knows.
    network.encoder.config._attn_implementation = "eager"
    with warnings.catch_warnings():
        # The newer exporter writes graphs that ONNX Runtime's optimiser cannot fuse.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            network.eval(),
            (ids, ids, ids, torch.rand(2, 3, 16)),
            str(path),
            input_names=list(INPUTS),
            output_names=list(OUTPUTS),
            dynamic_axes=axes,
            opset_version=_OPSET,
            dynamo=False,
        )
