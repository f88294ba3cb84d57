"""Converts published weights to safetensors without running anything a pickle may hold.

A pickle may name any function and have it called. Here only the few functions that rebuild tensors
can be named; everything else becomes an inert placeholder, so that settings and optimiser states
in a checkpoint are passed over and an attack does nothing.
"""

from __future__ import annotations

import collections
import json
import pickle
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from shutil import copyfile
from types import SimpleNamespace
from typing import IO, Any

from claimscope.errors import ConfigurationError, FormatError, MissingModelError
from claimscope.models.adopt import has
from claimscope.models.catalogue import CHECKPOINTS
from claimscope.models.checkpoint import Checkpoint, Shape, write_description
from claimscope.models.locate import Locator, holds_model, models_folder
from claimscope.models.systems import SCIFACT_LABELS
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
    """Replaces any object that is not a tensor; it accepts all arguments."""

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


def convert_weights(folder: Path, target: Path) -> list[str]:
    """Write a folder's pickled weights into another as safetensors, and name the weights."""
    pickled = folder / "pytorch_model.bin"
    if not pickled.is_file():
        return _convert_shards(folder, target)
    tensors = _current(tensors_of(read_checkpoint(pickled), pickled))
    write_safetensors(tensors, target / "model.safetensors")
    return list(tensors)


def _convert_shards(folder: Path, target: Path) -> list[str]:
    """Convert weights that lie in several files, one after the other, and write their list last."""
    path = folder / "pytorch_model.bin.index.json"
    try:
        index = json.loads(path.read_text("utf-8"))
        shards = sorted({PurePath(name).name for name in index["weight_map"].values()})
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise FormatError(f"{path} is no list of weights ({error}); download it again.") from None
    places: dict[str, str] = {}
    for number, shard in enumerate(shards, start=1):
        if not (folder / shard).is_file():
            raise FormatError(f"{folder} lacks {shard}, a part of its weights; download it again.")
        tensors = _current(tensors_of(read_checkpoint(folder / shard), folder / shard))
        name = f"model-{number:05}-of-{len(shards):05}.safetensors"
        write_safetensors(tensors, target / name)
        places |= dict.fromkeys(tensors, name)
    said = {"metadata": index.get("metadata", {}), "weight_map": places}
    (target / "model.safetensors.index.json").write_text(json.dumps(said), encoding="utf-8")
    return list(places)


def _current(tensors: Mapping[str, Any]) -> dict[str, Any]:
    """Give normalisations the names of today; BERT's first ones were gamma and beta."""
    ends = {"LayerNorm.gamma": "LayerNorm.weight", "LayerNorm.beta": "LayerNorm.bias"}
    return {
        next(
            (name.removesuffix(old) + new for old, new in ends.items() if name.endswith(old)), name
        ): tensor
        for name, tensor in tensors.items()
    }


def convert_file(
    path: Path, name: str = "", base: Path | None = None, root: Path | None = None
) -> Path:
    """Convert a Lightning file of MultiVerS's and give the folder it is in.

    The name is that of the model it becomes; left out, it follows from the file's.
    """
    if not path.is_file():
        raise FormatError(f"There is no file {path}; check the path.")
    name = name or f"multivers-{path.stem.replace('_', '-')}"
    row = CHECKPOINTS.get(name) or replace(CHECKPOINTS["multivers-scifact"], name=name, source=None)
    if row.shape is not Shape.JOINT:
        raise ConfigurationError(
            f"The model {name} is no joint verifier, and {path} holds one; choose another name."
        )
    folder = (root or models_folder()) / name
    if holds_model(folder):
        raise ConfigurationError(f"There is a model in {folder} already; choose another name.")
    convert_multivers(path, base or _longformer(), folder, row)
    return folder


def _longformer() -> Path:
    """Find the config and tokeniser of the network that MultiVerS starts from."""
    row = CHECKPOINTS["longformer-large"]
    for folder in Locator().places(row.name):
        if has(folder, ("config.json",)) and has(folder, ("tokenizer.json", "vocab.json")):
            return folder
    raise MissingModelError(
        f"The conversion needs config.json and the tokeniser's files of {row.source}; get them "
        f"with 'claimscope models get {row.name}', or name their folder with --base."
    )


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
