"""MultiVerS in training: its network, what it learns from an abstract, and its folder.

The folder has no model.onnx: Longformer's attention has no ONNX form, so PyTorch runs the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from claimscope.errors import ClaimError
from claimscope.models.checkpoint import Checkpoint, Shape, write_description
from claimscope.models.locate import Found
from claimscope.models.runtime import Settings, padded
from claimscope.models.systems import SCIFACT_LABELS
from claimscope.models.torch_models import find_device, load_libraries, load_tokenizer
from claimscope.models.verifier.joint import Abstract
from claimscope.models.verifier.multivers import (
    Separated,
    build_network,
    joint_inputs,
    joint_logits,
    load_network,
    separated_encoder,
)
from claimscope.train.pretrained import load_pretrained
from claimscope.train.snapshot import write_tensors
from claimscope.train.verifier.abstracts import View

WITHOUT_ONNX = (
    "The model has no model.onnx, since its network has no ONNX form; PyTorch runs it, so it needs "
    'the extra "papers".'
)
RATIONALE_WEIGHT = 15.0
"""Weight of the sentence loss beside the label's (the published code of Wadden et al., 2022)."""
_LONGEST = 4096
_IGNORED = -1


@dataclass(frozen=True, slots=True)
class WholeAbstract:
    """A claim and a whole abstract as token ids, with their targets."""

    encoded: Separated
    target: int
    evidence: tuple[int, ...]
    """1 for each sentence that is evidence, 0 for each that is not."""

    @property
    def length(self) -> int:
        """Number of tokens."""
        return len(self.encoded.ids)


class MultiversLearner:
    """MultiVerS with the weights of a verifier, or of an encoder with random heads."""

    def __init__(self, found: Found, seed: int) -> None:
        torch.manual_seed(seed)
        self._found = found
        self._tokenizer = load_tokenizer(found.folder)
        if found.checkpoint.shape is Shape.JOINT:
            network, self._config = load_network(found.folder)
            self._max_length = found.checkpoint.max_length
        else:
            network, self._config = _new_network(found.folder, seed)
            # Encoders of RoBERTa's kind count positions from 2.
            self._max_length = min(_LONGEST, self._config.max_position_embeddings - 2)
        self.network: nn.ModuleDict = network.to(find_device(Settings.from_environment()))
        self._encoder = separated_encoder(self._tokenizer, self._max_length)

    def examples(self, views: Sequence[View]) -> list[WholeAbstract]:
        """Encode whole abstracts; one whose sentences do not fit is left out."""
        examples = []
        for view in views:
            sentences = tuple(view.document.sentences)
            try:
                encoded = self._encoder.encode(Abstract(view.claim, view.document.title, sentences))
            except ClaimError:
                continue
            target = _CLASSES.index(view.target.name)
            evidence = tuple(int(place in view.rationale) for place in range(len(sentences)))
            examples.append(WholeAbstract(encoded, target, evidence))
        return examples

    def losses(self, batch: Sequence[WholeAbstract]) -> Mapping[str, Tensor]:
        """Give the loss of the labels, and that of the sentences times its weight."""
        encoded = [each.encoded for each in batch]
        padding = self._tokenizer.pad_token_id or 0
        labels, sentences = joint_logits(
            self.network, *joint_inputs(encoded, padding, self._config.model_type)
        )
        targets = torch.tensor([each.target for each in batch], device=labels.device)
        evidence = torch.from_numpy(padded([each.evidence for each in batch], _IGNORED))
        evidence = evidence.to(labels.device)
        known = evidence != _IGNORED
        loss = functional.binary_cross_entropy_with_logits(
            sentences[known], evidence[known].to(sentences.dtype)
        )
        return {
            "label": functional.cross_entropy(labels, targets),
            "sentence": RATIONALE_WEIGHT * loss,
        }

    def save(self, folder: Path) -> Path:
        """Write the model so that the package can open it."""
        folder.mkdir(parents=True, exist_ok=True)
        self._config.save_pretrained(str(folder))
        self._tokenizer.save_pretrained(str(folder))
        shape, labels = Shape.JOINT, SCIFACT_LABELS
        row = Checkpoint(folder.name, shape, max_length=self._max_length, labels=labels)
        write_description(row, folder)
        state = dict(self.network.state_dict())
        write_tensors(state, folder / "model.safetensors", {"format": "pt"})
        return folder


_CLASSES = ("REFUTES", "NOT_ENOUGH_INFO", "SUPPORTS")
"""What `SCIFACT_LABELS` are called here, in their order."""


def _new_network(folder: Path, seed: int) -> tuple[Any, Any]:
    """Put new heads on a pretrained encoder."""
    load_libraries()
    encoder = load_pretrained("AutoModel", folder, 0, seed)
    config = encoder.config
    config.id2label = dict(enumerate(SCIFACT_LABELS))
    config.label2id = {name: number for number, name in enumerate(SCIFACT_LABELS)}
    network = build_network(config)
    network["encoder"] = encoder
    return network, config
