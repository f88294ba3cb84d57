"""Pretrained networks to start from: their folders, their tokenisers, and attention for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from claimscope.errors import ConfigurationError, MissingModelError
from claimscope.models.adopt import PICKLED, SAFE, has
from claimscope.models.catalogue import named
from claimscope.models.encoding import prepare
from claimscope.models.locate import Locator, hub_cache, models_folder, readable
from claimscope.models.torch_models import load_libraries, mean_pooled
from claimscope.train.snapshot import read_tensors

ATTENTION = "claimscope"
"""The name transformers knows our attention by."""
_FILES = ("config.json", "tokenizer.json")


def find_encoder(name: str) -> Path:
    """Find an encoder's folder by its path, or by its name in the folders of models.

    A name of the hub, such as google-t5/t5-base, is also looked for without its first part.
    Pickled weights and a bare vocabulary are converted.
    """
    row, locator = named(name), Locator()
    names = dict.fromkeys((*([row.name] if row else ()), Path(name).name))
    found = [place for each in names for place in locator.places(each)]
    for place in (Path(name).expanduser(), *found, *hub_cache(name)):
        if has(place, (*SAFE, *PICKLED)):
            folder = readable(place)
            if all((folder / file).is_file() for file in _FILES) and has(folder, SAFE):
                return folder
    plain = next(iter(names))
    get = f" get it with 'claimscope models get {plain}'," if row else ""
    raise MissingModelError(
        f"The encoder {name!r} is not on this machine;{get} put {', '.join(_FILES)} and "
        f"model.safetensors into {models_folder() / plain}, or name its folder in the "
        "configuration."
    )


def read_tokenizer(folder: Path) -> Tokenizer:
    """Read an encoder's tokeniser."""
    return prepare(Tokenizer.from_file(str(folder / "tokenizer.json")))


def load_weights(network: nn.Module, path: Path) -> None:
    """Give a network the weights of an earlier stage."""
    tensors, _ = read_tensors(path)
    try:
        network.load_state_dict(tensors)
    except RuntimeError as error:
        raise ConfigurationError(
            f"The weights in {path} do not fit the encoder ({str(error).splitlines()[0]}); "
            "use the encoder they were trained with."
        ) from error


def load_pretrained(kind: str, folder: Path, max_length: int, seed: int, **changes: Any) -> Any:
    """Load a pretrained network; a missing head gets random weights."""
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
        """Give the outputs, one row per pair."""
        given = {} if types is None else {"token_type_ids": types}
        logits: Tensor = self.model(input_ids=ids, attention_mask=mask, **given).logits
        return logits


class PromptNetwork(nn.Module):
    """A sequence-to-sequence model; all of it is pretrained, so there is one learning rate."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.encoder = model

    def forward(self, ids: Tensor, mask: Tensor, targets: Tensor) -> Tensor:
        """Give the loss of the target words; −100 marks positions without a target."""
        loss: Tensor = self.encoder(input_ids=ids, attention_mask=mask, labels=targets).loss
        return loss


class MeanEncoder(nn.Module):
    """A pretrained encoder whose token states are averaged."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Give one vector per text."""
        states = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        pooled: Tensor = mean_pooled(states, mask)
        return pooled


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
    """Give the weighted values [batch, tokens, heads, width]; the mask marks visible tokens.

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


def register_attention(transformers: Any) -> str:
    """Register the attention with transformers and give its name there."""
    masks = transformers.masking_utils
    transformers.AttentionInterface.register(ATTENTION, attend)
    transformers.AttentionMaskInterface.register(ATTENTION, masks.sdpa_mask)
    return ATTENTION
