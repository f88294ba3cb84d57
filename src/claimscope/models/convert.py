"""Converts published weights to safetensors without running anything a pickle may hold.

A pickle may name any function and have it called. Here only the few functions that rebuild tensors
can be named; everything else becomes an inert placeholder, so that settings and optimiser states
in a checkpoint are passed over and an attack does nothing.
"""

from __future__ import annotations

import collections
import pickle
import zipfile
from collections.abc import Mapping
from pathlib import Path
from shutil import copyfile
from types import SimpleNamespace
from typing import IO, Any

from claimscope.errors import FormatError
from claimscope.models.catalogue import SCIFACT_LABELS
from claimscope.models.checkpoint import Checkpoint, write_description
from claimscope.models.torch_models import load_libraries

_ALLOWED = frozenset(
    {
        ("torch._utils", "_rebuild_tensor"),
        ("torch._utils", "_rebuild_tensor_v2"),
        ("torch._utils", "_rebuild_parameter"),
        ("torch", "Size"),
    }
)


# What a damaged or hostile pickle makes an unpickler raise.
_UNREADABLE = (
    RuntimeError,
    pickle.UnpicklingError,
    EOFError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
)


class Placeholder:
    """Stands for anything that is no tensor; it swallows all it is given."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def __new__(cls, *_: object, **__: object) -> Placeholder:
        """Accept whatever the pickle passes."""
        return super().__new__(cls)

    def __setstate__(self, _: object) -> None:
        """Forget the state."""

    def __setitem__(self, _: object, __: object) -> None:
        """Forget an item."""

    def append(self, _: object) -> None:
        """Forget an item."""

    def extend(self, _: object) -> None:
        """Forget items."""

    def __call__(self, *_: object, **__: object) -> Placeholder:
        """Do nothing."""
        return self

    def __hash__(self) -> int:
        return 0


class RestrictedUnpickler(pickle.Unpickler):
    """Unpickles tensors and plain containers, and nothing that could act."""

    def find_class(self, module: str, name: str) -> Any:
        """Give the few functions that rebuild tensors; all else becomes a placeholder."""
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if (module, name) in _ALLOWED:
            return super().find_class(module, name)
        return Placeholder


def _load(file: IO[bytes], **options: Any) -> Any:
    return RestrictedUnpickler(file, **options).load()


_PICKLE: Any = SimpleNamespace(
    __name__="claimscope.models.convert", Unpickler=RestrictedUnpickler, load=_load
)


_OLD_FORM = pickle.dumps(0x1950A86A20F9469CFC6C, protocol=2)
"""How files begin that PyTorch wrote before version 1.6."""


def _has_known_form(path: Path) -> bool:
    """Say whether a file holds weights; the programs and archives torch.load knows are not read."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return not any(name.endswith("constants.pkl") for name in archive.namelist())
    with path.open("rb") as file:
        return file.read(len(_OLD_FORM)) == _OLD_FORM


def read_checkpoint(path: Path) -> Any:
    """Read a file of PyTorch's own form; whatever is no tensor or container is left out."""
    torch, _ = load_libraries()
    if not _has_known_form(path):
        raise FormatError(f"{path} is no file of PyTorch weights; download it again.")
    try:
        # The unpickler above takes the place of weights_only, which refuses foreign settings.
        return torch.load(path, map_location="cpu", pickle_module=_PICKLE, weights_only=False)
    except _UNREADABLE as error:
        raise FormatError(
            f"{path} is no checkpoint that PyTorch can read ({error}); download it again."
        ) from error


def tensors_of(state: object, path: Path) -> dict[str, Any]:
    """Keep the named tensors of a mapping."""
    torch, _ = load_libraries()
    if not isinstance(state, Mapping):
        raise FormatError(f"{path} holds no named weights; give another file.")
    found = {str(name): item for name, item in state.items() if isinstance(item, torch.Tensor)}
    if not found:
        raise FormatError(f"{path} holds no named weights; give another file.")
    return found


def write_safetensors(tensors: Mapping[str, Any], path: Path) -> None:
    """Write tensors, whole or not at all; tensors that share memory are written out each."""
    load_libraries()
    from safetensors.torch import save_file

    partial = path.with_name(f"{path.name}.part")
    plain = {name: item.detach().clone().contiguous() for name, item in tensors.items()}
    save_file(plain, partial, metadata={"format": "pt"})
    partial.replace(path)


def convert_weights(folder: Path) -> None:
    """Rewrite a folder's pickled weights as safetensors, and remove the pickle."""
    pickled = folder / "pytorch_model.bin"
    if (folder / "model.safetensors").is_file() or not pickled.is_file():
        return
    tensors = tensors_of(read_checkpoint(pickled), pickled)
    write_safetensors(tensors, folder / "model.safetensors")
    pickled.unlink()


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
