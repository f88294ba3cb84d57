"""Statements in wordings of our own, from PubMedQA's questions and Evidence Inference's prompts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimscope.text import split_sentences
from claimscope.train.verifier.abstracts import Target
from recipe.feed import Pair
from recipe.texts import VERBS, capitalised, content, inflected, overlap, strip_openings

_DO = re.compile(r"^(Does|Do|Did|Can|Could|Will|Should|May)\s+(.+?)\?*$", re.IGNORECASE)
_BASES = VERBS | frozenset(
    "have be help make increase decrease work matter need exist add lower worsen impact".split()
)
_BE = re.compile(
    r"^(Is|Are|Was|Were)\s+(.+?)\s+((?:an?\s|the\s|associated|related|effective|necessary|useful|"
    r"safe|needed|required|possible|feasible|predictive|different|better|higher|lower|more|less|"
    r"beneficial|important|superior|justified|reliable|correlated|accurate|linked|able|"
    r"appropriate|indicated|sufficient|increased|reduced|affected|influenced|independent|still|"
    r"really|always|ready|worthwhile|valid|helpful|common|equivalent|dependent|present|adequate|"
    r"responsible|involved|underutilized).*?)\?*$",
    re.IGNORECASE,
)
_HAVE = {"does": "has", "did": "had", "do": "have"}
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


def statements(question: str) -> tuple[str, str] | None:
    """Give a question as a statement and its negation; None where the rules cannot."""
    text = question.split("?")[0].strip() if question.count("?") == 1 else question
    match = _DO.match(text)
    if match:
        return _with_verb(match[1].lower(), match[2].split())
    match = _BE.match(text)
    if match is None:
        return None
    auxiliary, subject, rest = match[1].lower(), match[2], match[3]
    return _sentence(subject, auxiliary, rest), _sentence(subject, f"{auxiliary} not", rest)


def _with_verb(auxiliary: str, words: list[str]) -> tuple[str, str] | None:
    for place, word in enumerate(words[1:], 1):
        verb = word.lower()
        if verb in _BASES:
            subject, rest = " ".join(words[:place]), " ".join(words[place + 1 :])
            if auxiliary not in _HAVE:
                said = f"{auxiliary} {verb}"
            else:
                said = _HAVE[auxiliary] if verb == "have" else inflected(verb, auxiliary)
            negated = f"{auxiliary} not {verb}"
            return _sentence(subject, said, rest), _sentence(subject, negated, rest)
    return None


def _sentence(*parts: str) -> str:
    return capitalised(" ".join(filter(None, parts))) + "."


def question_pairs(
    records: Iterable[Mapping[str, Any]], generator: random.Random
) -> Iterator[Pair]:
    """Give statement and negation against the long answer; the background says nothing yet."""
    for record in records:
        if record["final_decision"] == "maybe":
            continue
        yes, no = Target.SUPPORTS, Target.REFUTES
        if record["final_decision"] == "no":
            yes, no = no, yes
        group = str(record["pmid"])
        evidence = strip_openings(" ".join(_sentences(record["LONG_ANSWER"])[:3]))
        both = statements(record["QUESTION"])
        if both is None:
            yield Pair(record["QUESTION"], evidence, yes, group)
            continue
        yield Pair(both[0], evidence, yes, group)
        yield Pair(both[1], evidence, no, group)
        background = _sentences(record["CONTEXTS"][0])
        if background:
            yield Pair(generator.choice(both), background[0], Target.NOT_ENOUGH_INFO, group)


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


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
