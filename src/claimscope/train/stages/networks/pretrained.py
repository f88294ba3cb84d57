"""Pretrained networks of transformers, with the encoder told apart from what is new."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from claimscope.errors import ConfigurationError
from claimscope.models.torch_models import load_libraries, mean_pooled


class PretrainedClassifier(nn.Module):
    """A sequence classifier whose weights are named "encoder." and "head." for the optimiser."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.encoder = model.base_model
        self.head = nn.ModuleDict(
            {name: part for name, part in model.named_children() if part is not model.base_model}
        )
        # In a tuple the whole model is kept without being registered a second time.
        self._whole = (model,)

    @property
    def model(self) -> Any:
        """The model as transformers knows it."""
        return self._whole[0]

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor | None = None) -> Tensor:
        """Give the outputs, one row a pair."""
        given = {} if types is None else {"token_type_ids": types}
        logits: Tensor = self.model(input_ids=ids, attention_mask=mask, **given).logits
        return logits


class PromptNetwork(nn.Module):
    """A sequence-to-sequence model; all of it is pretrained, so there is one learning rate."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.encoder = model

    def forward(self, ids: Tensor, mask: Tensor, targets: Tensor) -> Tensor:
        """Give the loss of the target words; −100 stands where nothing is to be said."""
        loss: Tensor = self.encoder(input_ids=ids, attention_mask=mask, labels=targets).loss
        return loss


class MeanEncoder(nn.Module):
    """A pretrained encoder whose token states are averaged."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Give one vector a text."""
        states = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        pooled: Tensor = mean_pooled(states, mask)
        return pooled


def load_pretrained(kind: str, folder: Path, max_length: int, seed: int, **changes: Any) -> Any:
    """Load a pretrained network; a head it does not have yet is drawn by chance."""
    _, transformers = load_libraries()
    # That a new head is not in the file is what is wanted here, and it would warn of it.
    transformers.utils.logging.set_verbosity_error()
    torch.manual_seed(seed)
    try:
        model = getattr(transformers, kind).from_pretrained(
            str(folder), local_files_only=True, use_safetensors=True, **changes
        )
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"The encoder in {folder} cannot be read ({str(error).splitlines()[0]}); choose one "
            "that transformers knows."
        ) from error
    longest = getattr(model.config, "max_position_embeddings", None)
    if longest is not None and max_length > longest:
        raise ConfigurationError(
            f"The encoder in {folder} reads {longest} tokens at most, and max_length is "
            f"{max_length}; lower it."
        )
    return model.float()
