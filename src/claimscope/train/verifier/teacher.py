"""A larger verifier as a teacher: what it says of the items is learnt beside their labels."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path

import torch
from tokenizers import Tokenizer

from claimscope.errors import ConfigurationError
from claimscope.models.encoding import Special
from claimscope.train.feed import Feed, Round, Turn
from claimscope.train.snapshot import read_tensors, write_tensors
from claimscope.train.starting import find_encoder, load_weights, new_network, read_tokenizer
from claimscope.train.verifier.items import Item, Taught, Tokens
from claimscope.train.verifier.layout import inputs_of, row_of_abstract

_UNKNOWN_WORDS = 0.01
"""Share of the student's vocabulary that the teacher may not know."""
_UNKNOWN = ("[UNK]", "<unk>")

Batch = list[Item]
Judge = Callable[[Sequence[Item]], list[Taught]]


@dataclass(frozen=True, slots=True)
class TeacherSettings:
    """A verifier that was trained before, and how much its word counts."""

    encoder: str
    weights: str
    """`model.safetensors` of one of its stages."""
    share: float = 0.5
    """Of the loss; the rest is left to the labels."""
    temperature: float = 2.0
    """By which both distributions are flattened (Hinton et al., 2015, section 2)."""
    rounds: int = 4
    """Rounds that are drawn and judged; after them they come again, in another order."""
    sentences: int = 0
    """Most sentences of an item that is judged, the others being left to their labels; 0 for all
    items."""

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1 or self.temperature <= 0 or self.rounds < 1:
            raise ConfigurationError(
                "A teacher needs a share above 0 and at most 1, a temperature above 0 and at "
                "least one round."
            )
        if self.sentences < 0:
            raise ConfigurationError(
                f"The most sentences that a teacher judges must be 0 or more, not {self.sentences}."
            )

    def judges(self, item: Item) -> bool:
        """Say whether an item is short enough."""
        return not self.sentences or len(item.sentences) <= self.sentences


class Teacher:
    """Judges items of a student whose vocabulary is, but for the numbers, its own."""

    def __init__(self, settings: TeacherSettings, student: Tokenizer, bfloat16: bool) -> None:
        folder = find_encoder(settings.encoder)
        tokenizer = read_tokenizer(folder)
        self._special = Special.of(tokenizer)
        self._numbers = translation(student, tokenizer, settings.encoder)
        self._network = new_network(folder, dropout=0.0, train_embeddings=False, seed=0)
        load_weights(self._network, Path(settings.weights).expanduser())
        self._network.eval()
        self._bfloat16 = bfloat16

    def __call__(self, items: Sequence[Item]) -> list[Taught]:
        """Give the logits of each item's label and of its sentences."""
        rows = [
            row_of_abstract(
                self._own(item.claim),
                self._own(item.title),
                [self._own(sentence) for sentence in item.sentences],
                self._special,
            )
            for item in items
        ]
        inputs = inputs_of(rows, self._special)
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=self._bfloat16):
            labels, sentences = self._network(
                inputs.ids, inputs.segments, inputs.mask, inputs.pooling
            )
        return [
            (tuple(label), *(tuple(row) for row in stances[: len(item.sentences)]))
            for item, label, stances in zip(
                items, labels.float().tolist(), sentences.float().tolist(), strict=True
            )
        ]

    def _own(self, tokens: Tokens) -> Tokens:
        return tuple(self._numbers[token] for token in tokens)


def translation(student: Tokenizer, teacher: Tokenizer, name: str) -> list[int]:
    """Give the teacher's number of each of the student's tokens."""
    own = astuple(Special.of(student))
    words = {word: number for word, number in student.get_vocab().items() if number not in own}
    # Words of the student that the teacher lacks are read as unknown, or not at all.
    found_unknown = (teacher.token_to_id(each) for each in _UNKNOWN)
    unknown = next(
        (number for number in found_unknown if number is not None), Special.of(teacher).padding
    )
    numbers = [unknown] * student.get_vocab_size()
    missing = 0
    for word, number in words.items():
        found = teacher.token_to_id(word)
        missing += found is None
        numbers[number] = unknown if found is None else found
    if missing > _UNKNOWN_WORDS * len(words):
        raise ConfigurationError(
            f"The teacher {name!r} lacks {missing} of the student's {len(words)} tokens; choose "
            "two encoders of one vocabulary."
        )
    return numbers


@dataclass(frozen=True)
class TaughtFeed:
    """Gives the rounds of another feed with a teacher's judgements, which are kept in a folder."""

    feed: Feed[Batch]
    judge: Judge
    settings: TeacherSettings
    folder: Path
    about: str = ""
    """What the rounds and judgements depend on; judgements of another description are refused."""
    progress: Callable[[int, int], None] | None = None

    def __call__(self, turn: Turn) -> Round[Batch]:
        """Give a round: its items judged now or before, in an order of this turn's own."""
        path = self.folder / f"round-{turn.number % self.settings.rounds}.safetensors"
        if not path.is_file():
            self._judge(turn, path)
        tensors, metadata = read_tensors(path)
        if metadata.get("about") != self.about:
            raise ConfigurationError(
                f"{path} was judged with other settings; delete {self.folder} to judge anew, or "
                "set the settings back to go on."
            )
        drawn = self.feed(Turn(**json.loads(metadata["turn"])))
        logits = iter(tensors["logits"].tolist())
        batches = [
            [
                replace(item, taught=_next(logits, 1 + len(item.sentences)))
                if self.settings.judges(item)
                else item
                for item in batch
            ]
            for batch in drawn.batches
        ]
        random.Random(turn.number).shuffle(batches)
        return Round(batches, drawn.drawn if turn.number < self.settings.rounds else turn.drawn)

    def _judge(self, turn: Turn, path: Path) -> None:
        batches = self.feed(turn).batches
        rows: list[tuple[float, ...]] = []
        for done, batch in enumerate(batches, start=1):
            judged = [item for item in batch if self.settings.judges(item)]
            for taught in self.judge(judged) if judged else ():
                rows += taught
            if self.progress is not None:
                self.progress(done, len(batches))
        metadata = {"turn": json.dumps(asdict(turn)), "about": self.about}
        write_tensors({"logits": torch.tensor(rows)}, path, metadata)


def _next(logits: Iterator[list[float]], count: int) -> Taught:
    return tuple(tuple(next(logits)) for _ in range(count))
