"""MultiVerS on PyTorch: a joint verifier over any encoder with a pooled output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from claimscope.errors import ConfigurationError
from claimscope.models.encoding import too_long
from claimscope.models.locate import Found
from claimscope.models.runtime import Progress, Settings, padded, run_in_batches, token_inputs
from claimscope.models.scorer import THREE, class_names, label_order, probabilities, stance
from claimscope.models.torch_models import load_libraries, load_tokenizer, ready
from claimscope.models.verifier.joint import Abstract, Verified
from claimscope.types import Score


@dataclass(frozen=True, slots=True)
class Separated:
    """A claim, a title and sentences as one sequence of token ids with separators."""

    ids: tuple[int, ...]
    attended: tuple[int, ...]
    """1 where a token sees, and is seen from, everywhere: the start, the claim, the separators."""
    ends: tuple[int, ...]
    """Where the separator after each sentence stands."""


@dataclass(frozen=True)
class SeparatedEncoder:
    """Encodes `<s> claim </s> title </s> sentence </s> … </s>` (MultiVerS, section 3).

    A document without a title has no place for one. Where all is too long, the longest sentences
    are cut first, so that every sentence keeps its separator, as the published code does.
    """

    tokenizer: Tokenizer
    start: int
    separator: int
    max_length: int

    def encode(self, abstract: Abstract) -> Separated:
        """Encode one abstract."""
        head = [self.start, *self._ids(abstract.claim), self.separator]
        title = [*self._ids(abstract.title), self.separator] if abstract.title else []
        sentences = [self._ids(sentence) for sentence in abstract.sentences]
        room = self.max_length - len(head) - len(title) - len(sentences)
        if room < len(sentences):
            title, room = [], room + len(title)
        if room < len(sentences):
            raise too_long(abstract.claim, self.max_length)
        return self._joined(head, title, cut_longest(sentences, room))

    def _joined(
        self, head: list[int], title: list[int], sentences: Sequence[Sequence[int]]
    ) -> Separated:
        ids = [*head, *title]
        ends = []
        for sentence in sentences:
            ids += [*sentence, self.separator]
            ends.append(len(ids) - 1)
        attended = tuple(
            int(place < len(head) or token == self.separator) for place, token in enumerate(ids)
        )
        return Separated(tuple(ids), attended, tuple(ends))

    def _ids(self, text: str) -> list[int]:
        return list(self.tokenizer.encode(text, add_special_tokens=False).ids)


def cut_longest(sentences: Sequence[Sequence[int]], room: int) -> list[Sequence[int]]:
    """Cut the longest sentences to one common length, so that all fit into the room."""
    if sum(map(len, sentences)) <= room:
        return list(sentences)
    length = max(map(len, sentences))
    while sum(min(len(sentence), length) for sentence in sentences) > room:
        length -= 1
    return [sentence[:length] for sentence in sentences]


def build_network(config: Any) -> Any:
    """Make the network: an encoder, a label head on its pooled state, a head for sentences.

    Both heads are two layers with GELU between; the second reads the pooled state beside the state
    of the separator after the sentence (Wadden et al., 2022, section 3, and the published code).
    """
    torch, transformers = load_libraries()
    encoder = transformers.AutoModel.from_config(config)
    width = config.hidden_size

    def head(inputs: int, outputs: int) -> Any:
        layers = torch.nn
        return layers.Sequential(
            layers.Linear(inputs, width), layers.GELU(), layers.Linear(width, outputs)
        )

    return torch.nn.ModuleDict(
        {
            "encoder": encoder,
            "label_head": head(width, config.num_labels),
            "sentence_head": head(2 * width, 1),
        }
    )


def load_network(folder: Path) -> tuple[Any, Any]:
    """Load a network and its config from a folder of our own form."""
    _, transformers = load_libraries()
    from safetensors.torch import load_file

    config = transformers.AutoConfig.from_pretrained(str(folder), local_files_only=True)
    network = build_network(config)
    report = network.load_state_dict(load_file(folder / "model.safetensors"), strict=False)
    # Position numbers are no weights; the encoder makes them itself.
    unknown = [name for name in report.unexpected_keys if not name.endswith("position_ids")]
    if report.missing_keys or unknown:
        raise ConfigurationError(
            f"The weights in {folder} do not fit its config ({len(report.missing_keys)} missing, "
            f"{len(unknown)} unknown, such as {[*report.missing_keys, *unknown][0]}); convert or "
            "train it again."
        )
    return network, config


class TorchJointVerifier:
    """Verifies abstracts with MultiVerS."""

    def __init__(self, found: Found, settings: Settings, progress: Progress | None = None) -> None:
        self._settings, self._progress = settings, progress
        self._torch, _ = load_libraries()
        network, config = load_network(found.folder)
        self._network = ready(network, settings)
        self._kind = config.model_type
        names = class_names(config.id2label, config.num_labels, found.checkpoint)
        self._order = label_order(names, THREE)
        self._tokenizer = load_tokenizer(found.folder)
        self._encoder = separated_encoder(self._tokenizer, found.checkpoint.max_length)

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        """Label abstracts and score their sentences."""
        return run_in_batches(
            [self._encoder.encode(each) for each in abstracts],
            lambda each: len(each.ids),
            self._run,
            self._settings.batch_size,
            self._progress,
        )

    def _run(self, batch: Sequence[Separated]) -> list[Verified]:
        padding = self._tokenizer.pad_token_id or 0
        with self._torch.inference_mode():
            found = joint_logits(self._network, *joint_inputs(batch, padding, self._kind))
        labels, sentences = (each.double().cpu().numpy() for each in found)
        return [
            Verified(
                stance(row, self._order),
                tuple(Score(value, _logistic(value)) for value in values[: len(each.ends)]),
            )
            for each, row, values in zip(
                batch, probabilities(labels).tolist(), sentences.tolist(), strict=True
            )
        ]


def joint_inputs(
    batch: Sequence[Separated], padding: int, kind: str
) -> tuple[dict[str, NDArray[np.int64]], NDArray[np.int64]]:
    """Give what an encoder of a kind takes, and where the sentences of each abstract end."""
    inputs = token_inputs([each.ids for each in batch], padding)
    if kind == "longformer":
        inputs["global_attention_mask"] = padded([each.attended for each in batch], 0)
    return inputs, padded([each.ends for each in batch], 0)


def joint_logits(
    network: Any, inputs: dict[str, NDArray[np.int64]], ends: NDArray[np.int64]
) -> tuple[Any, Any]:
    """Run the network: label logits [batch, 3] and sentence logits [batch, sentences]."""
    torch, _ = load_libraries()
    encoder = network["encoder"]
    tensors = {name: torch.from_numpy(value).to(encoder.device) for name, value in inputs.items()}
    states = encoder(**tensors)
    pooled = states.pooler_output  # [batch, width]
    rows = np.arange(len(ends))[:, None]
    marks = states.last_hidden_state[rows, ends]  # [batch, sentences, width]
    both = torch.cat([pooled[:, None].expand_as(marks), marks], dim=-1)
    return network["label_head"](pooled), network["sentence_head"](both).squeeze(-1)


def separated_encoder(tokenizer: Any, max_length: int) -> SeparatedEncoder:
    """Use the tokeniser's own marks: <s> and </s>, or [CLS] and [SEP]."""
    first = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.cls_token_id
    last = tokenizer.eos_token_id if tokenizer.eos_token_id is not None else tokenizer.sep_token_id
    if first is None or last is None:
        raise ConfigurationError(
            "The verifier's tokeniser has no start and separator token; use the model's own files."
        )
    return SeparatedEncoder(tokenizer.backend_tokenizer, first, last, max_length)


def _logistic(value: float) -> float:
    return float(probabilities(np.array([[value]]))[0, 0])
