"""The network that the recipe starts from: a pretrained encoder with new heads."""

from __future__ import annotations

from pathlib import Path

import torch

from claimscope.errors import ConfigurationError
from claimscope.models.torch_models import load_libraries
from claimscope.train.pretrained import register_attention
from claimscope.train.verifier.network import VerifierNetwork


def new_network(
    folder: Path,
    *,
    dropout: float,
    train_embeddings: bool,
    seed: int,
    layers: int | None = None,
) -> VerifierNetwork:
    """Give a verifier with the weights of an encoder and heads drawn by chance.

    `layers` keeps only so many of the encoder's layers, from the first.
    """
    _, transformers = load_libraries()
    # The encoder's own pooling layer is left out on purpose, which it would warn of.
    transformers.utils.logging.set_verbosity_error()
    torch.manual_seed(seed)
    try:
        kind = transformers.AutoConfig.from_pretrained(str(folder), local_files_only=True)
        encoder = transformers.AutoModel.from_pretrained(
            str(folder),
            local_files_only=True,
            use_safetensors=True,
            add_pooling_layer=False,
            # MPNet adds relative positions in its attention, which leaves no choice of another.
            attn_implementation=(
                "eager" if kind.model_type == "mpnet" else register_attention(transformers)
            ),
            hidden_dropout_prob=dropout,
            # On a processor, dropping attention weights takes as long as attention itself.
            attention_probs_dropout_prob=0.0,
            num_hidden_layers=layers or kind.num_hidden_layers,
        )
    except (OSError, ValueError, TypeError) as error:
        raise ConfigurationError(
            f"The encoder in {folder} cannot be read ({error}); choose one of BERT's or "
            "MPNet's kind."
        ) from error
    network = VerifierNetwork(encoder.float())
    network.encoder.embeddings.word_embeddings.weight.requires_grad_(train_embeddings)
    return network
