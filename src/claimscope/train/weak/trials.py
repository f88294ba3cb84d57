"""Statements about clinical trials in wordings of our own, from Evidence Inference's prompts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from claimscope.train.verifier.pairs import Pair, Target
from claimscope.train.weak.words import capitalised, content, overlap

_WORDINGS = {
    "significantly increased": (
        "{i} increases {o} compared with {c}.",
        "{i} leads to higher {o} than {c}.",
        "{o} is higher with {i} than with {c}.",
        "{i} raises {o} relative to {c}.",
        "Compared to {c}, {i} significantly elevates {o}.",
        "{i} increases {o}.",
    ),
    "significantly decreased": (
        "{i} decreases {o} compared with {c}.",
        "{i} leads to lower {o} than {c}.",
        "{o} is lower with {i} than with {c}.",
        "{i} reduces {o} relative to {c}.",
        "Compared to {c}, {i} significantly lowers {o}.",
        "{i} reduces {o}.",
    ),
    "no significant difference": (
        "{i} does not change {o} compared with {c}.",
        "There is no difference in {o} between {i} and {c}.",
        "{i} has no effect on {o}.",
        "{o} is similar with {i} and {c}.",
        "{i} does not significantly affect {o} relative to {c}.",
        "{i} and {c} have the same effect on {o}.",
    ),
}

Prompt = Mapping[str, Any]


def trial_pairs(prompts: Sequence[Prompt], generator: random.Random) -> Iterator[Pair]:
    """Give each prompt two supports, two refutations, and what another outcome cannot tell."""
    trials: dict[str, list[Prompt]] = {}
    for prompt in prompts:
        if prompt["evidence"]:
            trials.setdefault(str(prompt["pmcid"]), []).append(prompt)
    for trial, rows in trials.items():
        for row in rows:
            yield from _about(row, rows, trial, generator)


def _about(
    row: Prompt, rows: Sequence[Prompt], trial: str, generator: random.Random
) -> Iterator[Pair]:
    text = _joined(generator.choice(row["evidence"])["text"])
    wrong = [direction for direction in _WORDINGS if direction != row["label"]]
    for _ in range(2):
        yield Pair(_said(row, row["label"], generator), text, Target.SUPPORTS, trial)
        claim = _said(row, generator.choice(wrong), generator)
        yield Pair(claim, text, Target.REFUTES, trial)
    outcome = content(row["outcome"])
    silent = [
        _joined(other["evidence"][0]["text"])
        for other in rows
        if overlap(content(other["outcome"]), outcome) < 0.3
        and overlap(outcome, content(other["evidence"][0]["text"])) < 0.4
    ]
    if silent:
        claim = _said(row, generator.choice(list(_WORDINGS)), generator)
        yield Pair(claim, generator.choice(silent), Target.NOT_ENOUGH_INFO, trial)


def _said(row: Prompt, direction: str, generator: random.Random) -> str:
    names = {"i": "intervention", "o": "outcome", "c": "comparator"}
    parts = {slot: _lowered(_joined(row[name])) for slot, name in names.items()}
    return capitalised(generator.choice(_WORDINGS[direction]).format(**parts))


def _joined(text: str) -> str:
    return " ".join(text.split())


def _lowered(text: str) -> str:
    """Give a text a small first letter, unless it begins with an abbreviation."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
