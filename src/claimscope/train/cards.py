"""Model cards: what a model learnt from, its settings, and the checksums of its files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from claimscope.labels import Label
from claimscope.models.fingerprint import sha256
from claimscope.models.locate import WEIGHTS
from claimscope.train.claims import licence
from claimscope.train.stages.config import StageConfig
from claimscope.train.stages.examples import Example


def header(name: str, encoder: str, data: Iterable[str], task: str = "") -> Iterator[str]:
    """Give the YAML header of a card."""
    yield from ("---", f"model_name: {name}", "language: en", "library_name: claimscope")
    if task:
        yield f"pipeline_tag: {task}"
    if encoder:
        yield f"base_model: {encoder}"
    yield from ("datasets:", *(f"  - {each}" for each in data), "---", "")


def checksums(files: Mapping[str, Path]) -> Iterator[str]:
    """Give the table of a model's files, by the names it shows."""
    yield from ("## Files", "", "| file | SHA-256 |", "|---|---|")
    yield from (f"| {name} | `{sha256(path)}` |" for name, path in files.items())


@dataclass(frozen=True, slots=True)
class StageFacts:
    """All that a stage's card tells."""

    config: StageConfig
    learnt: Sequence[Example]
    held_out: Sequence[Example]
    loss: float | None
    """On the held-out examples, if there are any."""
    replaced: str = ""
    """What was to be learnt from and was not there."""


def stage_card(facts: StageFacts, folder: Path) -> str:
    """Write the card as Markdown with a YAML header."""
    head = header(facts.config.name, facts.config.encoder, [facts.config.data])
    files = checksums({name: folder / name for name in WEIGHTS if (folder / name).is_file()})
    return "\n".join([*head, *_about(facts), *_data(facts), *_settings(facts), *files, ""])


def _about(facts: StageFacts) -> Iterator[str]:
    config = facts.config
    start = f"the encoder {config.encoder}" if config.encoder else "nothing"
    yield from (f"# {config.name}", "")
    yield f"A {config.network} network trained from {start} with `claimscope train --stage`."
    if config.paper:
        yield f"Its data and settings follow {config.paper}; what was changed shows below."
    yield ""


def _data(facts: StageFacts) -> Iterator[str]:
    config = facts.config
    split = config.instead if facts.replaced else config.split
    yield from ("## Data", "", f"`{config.data}`, split {split}: {licence(config.data)}.")
    if facts.replaced:
        yield f"It stands in for {facts.replaced}, which was not on the machine."
    yield from ("", "| target | learnt from | held out |", "|---|--:|--:|")
    learnt, held = (_counts(each) for each in (facts.learnt, facts.held_out))
    for name in sorted({*learnt, *held}):
        yield f"| {name} | {learnt[name]} | {held[name]} |"
    if facts.loss is not None:
        yield from ("", f"Mean loss on the held-out examples: {facts.loss:.4f}.")
    yield ""


def _counts(examples: Sequence[Example]) -> Counter[str]:
    return Counter(_named(each) for each in examples)


def _named(example: Example) -> str:
    if isinstance(example.target, Label):
        return example.target.value
    if isinstance(example.target, bool):
        return "relevant" if example.target else "irrelevant"
    return "score of 1" if example.target == 1.0 else "score below 1"


def _settings(facts: StageFacts) -> Iterator[str]:
    said = json.dumps(facts.config.described(), indent=2, default=str)
    yield from ("## Settings", "", "```json", said, "```", "")
