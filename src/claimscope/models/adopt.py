"""Makes folders readable that hold pickled weights or a bare vocabulary; each is converted once.

Many published models have pytorch_model.bin and vocab.txt only. They are converted into a folder of
our own: the user's folder and the cache of Hugging Face's tools stay as they are.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from claimscope.errors import ConfigurationError

SAFE = ("model.safetensors", "model.safetensors.index.json")
PICKLED = ("pytorch_model.bin", "pytorch_model.bin.index.json")
TOKENIZER = "tokenizer.json"
_VOCABULARIES = (("vocab.txt",), ("vocab.json", "merges.txt"))
_COPIED = (
    TOKENIZER,
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "spiece.model",
    "spm.model",
    "sentencepiece.bpe.model",
    "claimscope.json",
)
_STAMP = "converted_from.json"
_log = logging.getLogger("claimscope.models")


def has(folder: Path, names: tuple[str, ...]) -> bool:
    """Say whether a folder has any of some files."""
    return any((folder / name).is_file() for name in names)


def adopted(folder: Path, root: Path) -> Path:
    """Give the folder a model is read from: its own, or the one below `root` it is converted into.

    What is converted already is not converted again unless a file has changed since.
    """
    target = converted(folder, root)
    if target is None:
        target = _place(folder, root)
        _convert(folder, target)
        _log.warning(
            "The model in %s has %s; it was converted, without running anything it holds, into "
            "%s, which is read from now on.",
            folder,
            "pickled weights" if _is_pickled(folder) else f"no {TOKENIZER}",
            target,
        )
    return target


def converted(folder: Path, root: Path) -> Path | None:
    """Give the folder a model is read from, or None if it is yet to be converted."""
    if not (_is_pickled(folder) or (_lacks_tokenizer(folder) and has(folder, SAFE))):
        return folder
    target = _place(folder, root)
    stamp = target / _STAMP
    current = stamp.is_file() and stamp.read_text("utf-8") == _state(folder)
    return target if current else None


def _place(folder: Path, root: Path) -> Path:
    """Name the folder below `root` that a model is converted into."""
    # The snapshot of a hub repository is named by a commit; the repository lies two folders above.
    place = folder.parent.parent if folder.parent.name == "snapshots" else folder
    digest = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()
    return root / f"{place.name}-{digest[:12]}"


def _state(folder: Path) -> str:
    """Describe the files of a folder, so that a change of one is seen."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    states = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return json.dumps({"folder": str(folder), "files": states})


def finish_download(folder: Path) -> None:
    """Convert a folder of our own where it is: no pickle stays, and tokenizer.json is written."""
    if _is_pickled(folder):
        from claimscope.models.convert import convert_weights

        names = convert_weights(folder, folder)
        write_config(folder, folder, names)
        for path in (*folder.glob("pytorch_model*.bin"), folder / PICKLED[1]):
            path.unlink(missing_ok=True)
    if _lacks_tokenizer(folder):
        write_tokenizer(folder, folder)


def _is_pickled(folder: Path) -> bool:
    return has(folder, PICKLED) and not has(folder, (*SAFE, "model.onnx"))


def _lacks_tokenizer(folder: Path) -> bool:
    if (folder / TOKENIZER).is_file() or not (folder / "config.json").is_file():
        return False
    return any(all((folder / name).is_file() for name in names) for names in _VOCABULARIES)


def _convert(folder: Path, target: Path) -> None:
    """Write the converted model, whole or not at all."""
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        for name in _COPIED:
            if (folder / name).is_file():
                shutil.copyfile(folder / name, part / name)
        write_config(folder, part, _weights(folder, part))
        if _lacks_tokenizer(part):
            write_tokenizer(part, part)
        (part / _STAMP).write_text(_state(folder), encoding="utf-8")
        shutil.rmtree(target, ignore_errors=True)
        part.replace(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _weights(folder: Path, target: Path) -> list[str]:
    """Convert pickled weights, or link to those that need no conversion; name the weights."""
    if _is_pickled(folder):
        from claimscope.models.convert import convert_weights

        return convert_weights(folder, target)
    for path in (*folder.glob("*.safetensors"), folder / SAFE[1]):
        if path.is_file():
            _link(path.resolve(), target / path.name)
    return []


def _link(path: Path, target: Path) -> None:
    try:
        target.symlink_to(path)
    except OSError:  # Windows lets only some users make links.
        shutil.copyfile(path, target)


_KINDS = ("longformer", "roberta", "bert", "t5")


def write_config(folder: Path, target: Path, weights: list[str]) -> None:
    """Write config.json; one of before 2020 lacks the kind of network, which the weights name."""
    path = folder / "config.json"
    if not path.is_file():
        raise ConfigurationError(
            f"The folder {folder} has weights but no config.json; put the model's own there."
        )
    config: dict[str, Any] = json.loads(path.read_text("utf-8"))
    if "model_type" not in config:
        config["model_type"] = _kind(weights, config, folder)
    text = json.dumps(config, indent=2, ensure_ascii=False)
    (target / "config.json").write_text(text + "\n", encoding="utf-8")


def _kind(weights: list[str], config: Mapping[str, Any], folder: Path) -> str:
    for kind in _KINDS:
        if any(name.startswith(f"{kind}.") for name in weights):
            return kind
    # Weights of a network without a head begin with its parts.
    if (folder / "vocab.txt").is_file() and "type_vocab_size" in config:
        return "bert"
    raise ConfigurationError(
        f"{folder / 'config.json'} does not say which kind of network this is; add a line such as "
        '"model_type": "bert".'
    )


def write_tokenizer(folder: Path, target: Path) -> None:
    """Write tokenizer.json of a vocabulary.

    A vocabulary with capital letters is read as cased where the folder does not say: BioBERT's has
    no tokenizer_config.json, and lower case would turn its names into unknown words.
    """
    from claimscope.models.torch_models import load_tokenizer

    said = target / "tokenizer_config.json"
    known = json.loads(said.read_text("utf-8")) if said.is_file() else {}
    options = {}
    if (folder / "vocab.txt").is_file() and "do_lower_case" not in known:
        options["do_lower_case"] = not _is_cased(folder / "vocab.txt")
    load_tokenizer(folder, **options).save_pretrained(str(target))


def _is_cased(vocabulary: Path) -> bool:
    words = vocabulary.read_text("utf-8").splitlines()
    return any(word != word.lower() for word in words if not word.startswith("["))
