"""The network training starts from: a pretrained encoder with new heads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from claimscope.errors import ConfigurationError, MissingModelError
from claimscope.models.encoding import prepare
from claimscope.models.locate import Locator, hub_cache, models_folder
from claimscope.models.torch_models import load_libraries
from claimscope.train import attention
from claimscope.train.averaging import moved
from claimscope.train.snapshot import read_tensors
from claimscope.train.verifier.network import VerifierNetwork

_FILES = ("config.json", "model.safetensors", "tokenizer.json")
_NEAR = 0.3
"""How much of the label head's first layer each half of the stance head's begins with."""


def find_encoder(name: str) -> Path:
    """Find an encoder's folder by its path, or by its name in the folders of models.

    A name of the hub, such as google-t5/t5-base, is also looked for without its first part.
    """
    plain = Path(name).name
    places = [Path(name).expanduser(), *Locator().places(plain), *hub_cache(name)]
    for folder in places:
        if all((folder / file).is_file() for file in _FILES):
            return folder
    raise MissingModelError(
        f"The encoder {name!r} is not on this machine; put {', '.join(_FILES)} into "
        f"{models_folder() / Path(name).name}, or name its folder in the configuration."
    )


def read_tokenizer(folder: Path) -> Tokenizer:
    """Read an encoder's tokeniser."""
    return prepare(Tokenizer.from_file(str(folder / "tokenizer.json")))


def new_network(
    folder: Path, *, dropout: float, train_embeddings: bool, seed: int, frozen: int = 0
) -> VerifierNetwork:
    """Give a verifier with the weights of an encoder and heads drawn by chance.

    With frozen layers the first so many, and the embeddings below them, are not trained.
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
                "eager" if kind.model_type == "mpnet" else attention.register(transformers)
            ),
            hidden_dropout_prob=dropout,
            # On a processor, dropping attention weights takes as long as attention itself.
            attention_probs_dropout_prob=0.0,
        )
    except (OSError, ValueError, TypeError) as error:
        raise ConfigurationError(
            f"The encoder in {folder} cannot be read ({error}); choose one of BERT's or "
            "MPNet's kind."
        ) from error
    network = VerifierNetwork(encoder.float())
    network.encoder.embeddings.word_embeddings.weight.requires_grad_(train_embeddings)
    for part in first_layers(network, frozen):
        part.requires_grad_(False)
    return network


def first_layers(network: VerifierNetwork, count: int) -> list[nn.Module]:
    """Give the embeddings and so many layers above them; nothing for none.

    MPNet's relative positions belong to them: the first layer reads them, too, so that training
    them would mean going back through every layer.
    """
    if not count:
        return []
    encoder = network.encoder
    positions = getattr(encoder.encoder, "relative_attention_bias", None)
    parts = [encoder.embeddings, positions, *encoder.encoder.layer[:count]]
    return [part for part in parts if part is not None]


def share_layers(network: VerifierNetwork, other: VerifierNetwork, count: int) -> None:
    """Give another network the first layers of one that it began alike with."""
    pairs = zip(first_layers(network, count), first_layers(other, count), strict=True)
    for mine, theirs in pairs:
        theirs.load_state_dict(mine.state_dict())


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


def load_mean(network: nn.Module, paths: Sequence[Path]) -> None:
    """Give a network the mean of several weights, which must have begun alike to lie near."""
    mean: dict[str, Tensor] = {}
    for count, path in enumerate(paths):
        load_weights(network, path)
        for name, value in read_tensors(path)[0].items():
            mean[name] = moved(mean.get(name), value, count)
    network.load_state_dict(mean)


@torch.no_grad()
def start_stances_from_labels(network: VerifierNetwork) -> None:
    """Let the stance head begin as the label head, which has already learnt from pairs."""
    first = _NEAR * network.pool.weight
    network.sentence_pool.weight.copy_(torch.cat([first, first], dim=1))
    network.sentence_pool.bias.copy_(network.pool.bias)
    network.sentence.load_state_dict(network.label.state_dict())
