"""Converts MultiVerS's published Lightning checkpoints to safetensors, once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shutil import copyfile
from typing import Any

from claimscope.errors import FormatError
from claimscope.models.checkpoint import Checkpoint, write_description
from claimscope.models.checkpoints import SCIFACT_LABELS
from claimscope.models.torch_runtime import load_libraries
from claimscope.models.weights import read_checkpoint, tensors_of, write_safetensors

_PREFIXES = {
    "encoder.": "encoder.",
    "label_classifier._linear_layers.0.": "label_head.0.",
    "label_classifier._linear_layers.1.": "label_head.2.",
    "rationale_classifier._linear_layers.0.": "sentence_head.0.",
    "rationale_classifier._linear_layers.1.": "sentence_head.2.",
}
_TOKENISER = ("tokenizer.json", "tokenizer_config.json", "vocab.json", "merges.txt")


def convert_multivers(path: Path, base: Path, folder: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint into a folder of our own form.

    The base is the folder of allenai/longformer-large-4096, for its config and tokeniser. The ten
    tokens the authors added to the vocabulary stand for parts of full texts, which are never given,
    so the plain tokeniser serves; their embeddings are kept.
    """
    loaded = read_checkpoint(path)
    state = loaded.get("state_dict") if isinstance(loaded, Mapping) else None
    tensors = rename(tensors_of(state, path), path)
    folder.mkdir(parents=True, exist_ok=True)
    _write_config(tensors, base, folder)
    for name in _TOKENISER:
        if (base / name).is_file():
            copyfile(base / name, folder / name)
    write_description(checkpoint, folder)
    write_safetensors(tensors, folder / "model.safetensors")


def rename(tensors: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Give the weights our names; what belongs to no part of the network is left out."""
    renamed = {
        new + name.removeprefix(old): tensor
        for name, tensor in tensors.items()
        for old, new in _PREFIXES.items()
        if name.startswith(old) and not name.endswith("position_ids")
    }
    lacking = [
        new for new in _PREFIXES.values() if not any(name.startswith(new) for name in renamed)
    ]
    if lacking:
        raise FormatError(
            f"{path} is no MultiVerS checkpoint: it lacks the weights of {lacking[0].rstrip('.')}; "
            "download it again."
        )
    return renamed


def _write_config(tensors: Mapping[str, Any], base: Path, folder: Path) -> None:
    _, transformers = load_libraries()
    config = transformers.AutoConfig.from_pretrained(str(base), local_files_only=True)
    config.vocab_size = len(tensors["encoder.embeddings.word_embeddings.weight"])
    config.id2label = dict(enumerate(SCIFACT_LABELS))
    config.label2id = {name: number for number, name in enumerate(SCIFACT_LABELS)}
    config.save_pretrained(str(folder))
