"""Models on PyTorch and transformers, which are imported when first used, and never online."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from claimscope.errors import ConfigurationError, MissingExtraError
from claimscope.models.checkpoint import DESCRIPTION, Checkpoint, Shape, example
from claimscope.models.encoding import Encoded, PairEncoder, PromptEncoder, prepare
from claimscope.models.locate import Found
from claimscope.models.runtime import Progress, Settings, padded, token_inputs
from claimscope.models.scorer import BatchedScorer, Encoder, class_names
from claimscope.models.text_encoder import BatchedEncoder


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


def load_tokenizer(folder: Path, **options: Any) -> Any:
    """Load a folder's tokeniser with its fast engine ready for our own use."""
    _, transformers = load_libraries()
    try:
        loaded = transformers.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, **options
        )
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


class TorchScorer(BatchedScorer):
    """Opens the model of a folder as one of transformers' automatic classes."""

    KIND: ClassVar[str]
    """The automatic class."""

    def __init__(self, found: Found, settings: Settings, progress: Progress | None = None) -> None:
        self._tokenizer = load_tokenizer(found.folder)
        self._model = load_model(self.KIND, found.folder, settings)
        names, reader = self._names(found.checkpoint), self._reader(found.checkpoint)
        super().__init__(names, reader, settings, progress)

    @abstractmethod
    def _names(self, checkpoint: Checkpoint) -> tuple[str, ...]:
        """Name the outputs."""

    @abstractmethod
    def _reader(self, checkpoint: Checkpoint) -> Encoder:
        """Give what turns pairs into token ids."""

    def _inputs(self, batch: Sequence[Encoded]) -> dict[str, NDArray[np.int64]]:
        return token_inputs([each.ids for each in batch], self._tokenizer.pad_token_id or 0)


class TorchPairScorer(TorchScorer):
    """Reads pairs with a sequence classifier."""

    KIND = "AutoModelForSequenceClassification"

    def _names(self, checkpoint: Checkpoint) -> tuple[str, ...]:
        config = self._model.config
        return class_names(config.id2label, config.num_labels, checkpoint)

    def _reader(self, checkpoint: Checkpoint) -> PairEncoder:
        engine = self._tokenizer.backend_tokenizer
        return PairEncoder(engine, checkpoint.max_length, checkpoint.evidence_first)

    def _run(self, batch: Sequence[Encoded]) -> list[list[float]]:
        inputs = self._inputs(batch)
        if "token_type_ids" in self._tokenizer.model_input_names:
            inputs["token_type_ids"] = padded([each.types for each in batch], 0)
        output = run_model(self._model, inputs)
        rows: list[list[float]] = output.logits.double().cpu().tolist()
        return rows


class TorchPromptScorer(TorchScorer):
    """Reads prompts and gives the target words' logits at the first decoder step.

    Only those are normalised afterwards, as in monoT5 (Nogueira et al., 2020, section 3).
    """

    KIND = "AutoModelForSeq2SeqLM"

    def _names(self, checkpoint: Checkpoint) -> tuple[str, ...]:
        self._targets = first_tokens(self._tokenizer.backend_tokenizer, checkpoint)
        return checkpoint.targets

    def _reader(self, checkpoint: Checkpoint) -> PromptEncoder:
        engine = self._tokenizer.backend_tokenizer
        return PromptEncoder(engine, checkpoint.max_length, checkpoint.template)

    def _run(self, batch: Sequence[Encoded]) -> list[list[float]]:
        start = self._model.config.decoder_start_token_id
        inputs = self._inputs(batch)
        inputs["decoder_input_ids"] = np.full((len(batch), 1), start, np.int64)
        output = run_model(self._model, inputs)
        rows: list[list[float]] = output.logits[:, 0, self._targets].double().cpu().tolist()
        return rows


def first_tokens(tokenizer: Tokenizer, checkpoint: Checkpoint) -> list[int]:
    """Give the first token of every target word; two words must not begin alike."""
    if not checkpoint.targets:
        raise ConfigurationError(
            f"The model {checkpoint.name} reads prompts, but its config does not say which; write "
            f"its template and target words into {DESCRIPTION} in its folder, as monoT5 has them: "
            f"{example(Shape.PROMPT)}"
        )
    tokens = [
        tokenizer.encode(word, add_special_tokens=False).ids[0] for word in checkpoint.targets
    ]
    if len(set(tokens)) < len(tokens):
        raise ConfigurationError(
            f"The target words {', '.join(checkpoint.targets)} begin with the same token in the "
            f"model {checkpoint.name}; choose others."
        )
    return tokens


class TorchEncoder(BatchedEncoder):
    """Averages the last token states (Reimers and Gurevych, 2019, section 3)."""

    def __init__(self, found: Found, settings: Settings, progress: Progress | None = None) -> None:
        tokenizer = load_tokenizer(found.folder)
        self._padding = tokenizer.pad_token_id or 0
        self._model = load_model("AutoModel", found.folder, settings)
        engine = tokenizer.backend_tokenizer
        super().__init__(engine, found.checkpoint.max_length, settings, progress)

    def _run(self, batch: Sequence[Sequence[int]]) -> list[list[float]]:
        inputs = token_inputs(batch, self._padding)
        states = run_model(self._model, inputs).last_hidden_state
        mask = states.new_tensor(inputs["attention_mask"])
        rows: list[list[float]] = mean_pooled(states, mask).cpu().tolist()
        return rows


def mean_pooled(states: Any, mask: Any) -> Any:
    """Average the states of all tokens except padding."""
    weights = mask[..., None].to(states.dtype)
    return (states * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)
