"""Networks in training that read a claim and a text together, and what every learner shares."""

from __future__ import annotations

import json
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from claimscope.models.checkpoint import Checkpoint, write_description
from claimscope.models.encoding import Encoded, PairEncoder, PromptEncoder, prepare
from claimscope.models.runtime import padded, token_inputs
from claimscope.models.scorer import Encoder, Pair
from claimscope.models.torch_models import first_tokens
from claimscope.train.pretrained import PretrainedClassifier, PromptNetwork
from claimscope.train.stages.examples import Example, output_of

_IGNORED = -100
_OPSET = 17


@dataclass(frozen=True, slots=True)
class Row:
    """An example as token ids: one text for cross-encoders, two for bi-encoders."""

    texts: tuple[Encoded, ...]
    target: float
    claim: str

    @property
    def length(self) -> int:
        """How many tokens it has."""
        return sum(len(each.ids) for each in self.texts)


class Learner(ABC):
    """A network in training."""

    POOL: ClassVar[int] = 64
    """Batches among which rows are sorted by length; 1 leaves batches to chance."""

    def __init__(self, network: nn.Module, checkpoint: Checkpoint, device: str) -> None:
        self.network = network.to(device)
        self.checkpoint = checkpoint
        self.device = device

    @abstractmethod
    def rows(self, examples: Sequence[Example]) -> list[Row]:
        """Encode examples."""

    @abstractmethod
    def loss(self, rows: Sequence[Row]) -> Tensor:
        """Give the mean loss of a batch."""

    @abstractmethod
    def write(self, folder: Path) -> None:
        """Write the model so that the package can open it."""

    def save(self, folder: Path) -> None:
        """Write the model and what its config cannot say."""
        folder.mkdir(parents=True, exist_ok=True)
        self.network.eval()
        self.write(folder)
        write_description(self.checkpoint, folder)

    def tensor(self, values: NDArray[np.int64]) -> Tensor:
        """Make a tensor on the network's device."""
        return torch.from_numpy(values).to(self.device)

    def padded(self, texts: Sequence[Encoded], padding: int) -> tuple[Tensor, Tensor]:
        """Give token ids and mask of texts."""
        inputs = token_inputs([each.ids for each in texts], padding)
        return self.tensor(inputs["input_ids"]), self.tensor(inputs["attention_mask"])


def read_together(
    reader: Encoder, examples: Sequence[Example], outputs: Sequence[str]
) -> list[Row]:
    """Encode claim and text as one, exactly as the scorer that will run the model does."""
    encoded = reader.encode([Pair(each.claim, each.evidence) for each in examples])
    return [
        Row((text,), output_of(each.target, outputs), each.claim_id)
        for text, each in zip(encoded, examples, strict=True)
    ]


def _absolute(logits: Tensor, targets: Tensor) -> Tensor:
    return functional.l1_loss(torch.sigmoid(logits[:, 0]), targets)


def _binary(logits: Tensor, targets: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(logits[:, 0], targets)


def _cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    return functional.cross_entropy(logits, targets.long())


LOSSES: Mapping[str, Callable[[Tensor, Tensor], Tensor]] = MappingProxyType(
    {"cross-entropy": _cross_entropy, "binary": _binary, "absolute": _absolute}
)
""""absolute" is the distance of the logistic output from the target, as +VeriRel's code has it."""


class PairLearner(Learner):
    """Reads pairs with any network that takes token ids, mask and types."""

    def __init__(
        self,
        network: nn.Module,
        checkpoint: Checkpoint,
        device: str,
        tokenizer: Tokenizer,
        padding: int = 0,
        with_types: bool = False,
        loss: str = "cross-entropy",
    ) -> None:
        super().__init__(network, checkpoint, device)
        self._tokenizer = prepare(tokenizer)
        self._padding = padding
        self._with_types = with_types
        self._loss = LOSSES[loss]
        self._reader = PairEncoder(tokenizer, checkpoint.max_length, checkpoint.evidence_first)

    def rows(self, examples: Sequence[Example]) -> list[Row]:
        """Encode pairs."""
        return read_together(self._reader, examples, self.checkpoint.labels)

    def loss(self, rows: Sequence[Row]) -> Tensor:
        """Give the mean loss of a batch."""
        texts = [row.texts[0] for row in rows]
        ids, mask = self.padded(texts, self._padding)
        types = self.tensor(padded([each.types for each in texts], 0)) if self._with_types else None
        targets = torch.tensor([row.target for row in rows], device=self.device)
        return self._loss(self.network(ids, mask, types), targets)

    def write(self, folder: Path) -> None:
        """Write a network from scratch as ONNX."""
        export_onnx(self.network, self._tokenizer, folder)
        write_config(self.checkpoint.labels, folder)


class PretrainedPairLearner(PairLearner):
    """Reads pairs with a classifier of transformers, and saves it in transformers' layout."""

    def __init__(
        self,
        network: PretrainedClassifier,
        checkpoint: Checkpoint,
        device: str,
        tokenizer: Any,
        loss: str,
    ) -> None:
        super().__init__(
            network,
            checkpoint,
            device,
            tokenizer.backend_tokenizer,
            tokenizer.pad_token_id or 0,
            "token_type_ids" in tokenizer.model_input_names,
            loss,
        )
        self._saved = (network.model, tokenizer)

    def write(self, folder: Path) -> None:
        """Write weights, config with the names of the outputs, and tokeniser."""
        for each in self._saved:
            each.save_pretrained(folder)


class PromptLearner(Learner):
    """Fills the finished model's template and trains the model to answer with the target word."""

    def __init__(
        self, network: PromptNetwork, checkpoint: Checkpoint, device: str, tokenizer: Any
    ) -> None:
        super().__init__(network, checkpoint, device)
        engine = prepare(tokenizer.backend_tokenizer)
        first_tokens(engine, checkpoint)
        self._saved = (network.encoder, tokenizer)
        self._padding = tokenizer.pad_token_id or 0
        self._reader = PromptEncoder(engine, checkpoint.max_length, checkpoint.template)
        self._answers = [list(engine.encode(word).ids) for word in checkpoint.targets]

    def rows(self, examples: Sequence[Example]) -> list[Row]:
        """Encode prompts."""
        return read_together(self._reader, examples, self.checkpoint.targets)

    def loss(self, rows: Sequence[Row]) -> Tensor:
        """Give the mean loss of the target words and of the end of the text."""
        ids, mask = self.padded([row.texts[0] for row in rows], self._padding)
        answers = padded([self._answers[int(row.target)] for row in rows], _IGNORED)
        loss: Tensor = self.network(ids, mask, self.tensor(answers))
        return loss

    def write(self, folder: Path) -> None:
        """Write weights, config and tokeniser."""
        for each in self._saved:
            each.save_pretrained(folder)


def export_onnx(network: nn.Module, tokenizer: Tokenizer, folder: Path) -> None:
    """Write tokenizer.json and model.onnx, which maps token ids and mask to one output."""
    folder.mkdir(parents=True, exist_ok=True)
    ids = torch.ones(2, 8, dtype=torch.long)
    names = ("input_ids", "attention_mask")
    axes = {**{name: {0: "batch", 1: "tokens"} for name in names}, "output": {0: "batch"}}
    with warnings.catch_warnings():
        # The newer exporter cannot leave the number of tokens free in a recurrent network.
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.filterwarnings("ignore", "Converting a tensor")
        warnings.filterwarnings("ignore", "Exporting a model to ONNX with a batch_size")
        torch.onnx.export(
            network.cpu().eval(),
            (ids, ids),
            str(folder / "model.onnx"),
            input_names=list(names),
            output_names=["output"],
            dynamic_axes=axes,
            opset_version=_OPSET,
            dynamo=False,
        )
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)


def write_config(labels: Sequence[str], folder: Path) -> None:
    """Write what ONNX Runtime's scorer reads of a config.json."""
    named = dict(enumerate(labels)) if len(labels) > 1 else {0: "relevance"}
    config = {"model_type": "claimscope-scratch", "id2label": named, "pad_token_id": 0}
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
