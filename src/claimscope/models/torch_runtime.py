"""PyTorch and transformers, imported when a model is first used, and never online."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from claimscope.errors import ConfigurationError, MissingExtraError
from claimscope.models.encoding import prepare
from claimscope.models.settings import Settings


def load_libraries() -> tuple[ModuleType, ModuleType]:
    """Import torch and transformers; without them, say which extra to install."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtraError("This model", "papers") from error
    logging: Any = transformers.utils.logging
    logging.disable_progress_bar()
    return torch, transformers


def find_device(settings: Settings) -> str:
    """Choose where models run; a device that is asked for and absent is an error."""
    torch, _ = load_libraries()
    present = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if settings.device == "auto":
        return next(name for name, here in present.items() if here)
    if not present[settings.device]:
        raise ConfigurationError(
            f"The device {settings.device!r} is not on this machine; use 'cpu' or 'auto'."
        )
    return settings.device


def load_tokenizer(folder: Path) -> Any:
    """Load a folder's tokeniser with its fast engine ready for our own use."""
    _, transformers = load_libraries()
    try:
        loaded = transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError, ImportError) as error:
        raise ConfigurationError(
            f"The tokeniser in {folder} cannot be read ({_first_line(error)}); put the model's "
            "tokenizer.json there."
        ) from error
    prepare(loaded.backend_tokenizer)
    return loaded


def load_model(kind: str, folder: Path, settings: Settings) -> Any:
    """Load a model of one of transformers' automatic classes; only safetensors are read.

    A model without a trained head is refused, where transformers would make one up by chance.
    """
    _, transformers = load_libraries()
    try:
        model, report = getattr(transformers, kind).from_pretrained(
            str(folder), local_files_only=True, use_safetensors=True, output_loading_info=True
        )
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"The model in {folder} cannot be read ({_first_line(error)}); get it again."
        ) from error
    lacking = sorted(report["missing_keys"])
    if lacking:
        raise ConfigurationError(
            f"The model in {folder} was not trained for this: it lacks {len(lacking)} weights, "
            f"such as {lacking[0]}; train it, or name another."
        )
    return ready(model, settings)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".")


def ready(model: Any, settings: Settings) -> Any:
    """Put a model where it is to run, in single precision and without training noise."""
    torch, _ = load_libraries()
    if settings.threads is not None:
        torch.set_num_threads(settings.threads)
    return model.float().to(find_device(settings)).eval()


def run_model(model: Any, inputs: Mapping[str, NDArray[np.int64]]) -> Any:
    """Run a model on arrays, without keeping what training would need."""
    torch, _ = load_libraries()
    tensors = {name: torch.from_numpy(value).to(model.device) for name, value in inputs.items()}
    with torch.inference_mode():
        return model(**tensors)
