"""The pair scorer on PyTorch: any sequence classifier that transformers can load."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from claimscope.models.batched_scorer import BatchedScorer
from claimscope.models.batching import padded
from claimscope.models.checkpoint import Checkpoint
from claimscope.models.class_names import class_names
from claimscope.models.encoding import Encoded, PairEncoder
from claimscope.models.settings import Progress, Settings
from claimscope.models.torch_runtime import load_model, load_tokenizer, run_model


class TorchPairScorer(BatchedScorer):
    """Reads pairs with a sequence classifier."""

    def __init__(
        self,
        folder: Path,
        checkpoint: Checkpoint,
        settings: Settings,
        progress: Progress | None = None,
    ) -> None:
        self._tokenizer = load_tokenizer(folder)
        self._model = load_model("AutoModelForSequenceClassification", folder, settings)
        config, engine = self._model.config, self._tokenizer.backend_tokenizer
        super().__init__(
            class_names(config.id2label, config.num_labels, checkpoint),
            PairEncoder(engine, checkpoint.max_length, checkpoint.evidence_first),
            settings,
            progress,
        )

    def _run(self, batch: Sequence[Encoded]) -> list[list[float]]:
        inputs = {
            "input_ids": padded([each.ids for each in batch], self._tokenizer.pad_token_id or 0),
            "attention_mask": padded([[1] * len(each.ids) for each in batch], 0),
        }
        if "token_type_ids" in self._tokenizer.model_input_names:
            inputs["token_type_ids"] = padded([each.types for each in batch], 0)
        output = run_model(self._model, inputs)
        rows: list[list[float]] = output.logits.double().cpu().tolist()
        return rows
