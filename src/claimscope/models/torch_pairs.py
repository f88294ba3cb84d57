"""The pair scorer on PyTorch: any sequence classifier that transformers can load."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.models.batching import padded
from claimscope.models.checkpoint import Checkpoint
from claimscope.models.class_names import class_names
from claimscope.models.encoding import Encoded, PairEncoder
from claimscope.models.torch_runtime import run_model
from claimscope.models.torch_scorer import TorchScorer


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
