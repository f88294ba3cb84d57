"""Statements in wordings of our own, and the papers that claims are written over."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.tiny_models import REASON

pytest.importorskip("torch", reason=REASON)

from claimscope.train.verifier.abstracts import Target
from recipe.papers import usable
from recipe.statements import question_pairs, statements, trial_pairs
from recipe.texts import conjugate, strip_openings


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        (
            "CONCLUSION: In conclusion, our results suggest that aspirin lowers risk.",
            "Aspirin lowers risk.",
        ),
        ("We found that statins help.", "Statins help."),
        ("Tea lowers iron.", "Tea lowers iron."),
    ],
)
def test_openings_are_taken_away(sentence: str, plain: str) -> None:
    assert strip_openings(sentence) == plain


@pytest.mark.parametrize(
    ("base", "third", "past"),
    [
        ("play", "plays", "played"),
        ("modify", "modifies", "modified"),
        ("suppress", "suppresses", "suppressed"),
        ("control", "controls", "controlled"),
        ("reduce", "reduces", "reduced"),
    ],
)
def test_verbs_are_conjugated(base: str, third: str, past: str) -> None:
    assert conjugate(base)[1:3] == (third, past)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Does aspirin reduce risk?",
            ("Aspirin reduces risk.", "Aspirin does not reduce risk."),
        ),
        ("Can statins prevent falls?", ("Statins can prevent falls.",) * 1),
        ("Is aspirin effective in men?", ("Aspirin is effective in men.",)),
        ("Did they have pain?", ("They had pain.", "They did not have pain.")),
        ("What is aspirin?", None),
    ],
)
def test_questions_become_statements(question: str, expected: tuple[str, ...] | None) -> None:
    found = statements(question)
    assert found is None if expected is None else found is not None
    if found and expected:
        assert found[: len(expected)] == expected
        assert " not " in found[1]


def test_answers_no_turn_the_labels() -> None:
    record = {
        "pmid": 1,
        "QUESTION": "Does aspirin reduce risk?",
        "final_decision": "no",
        "LONG_ANSWER": "Aspirin had no effect.",
        "CONTEXTS": ["We gave aspirin."],
    }
    targets = [pair.target.name for pair in question_pairs([record], random.Random(0))]
    assert targets == ["REFUTES", "SUPPORTS", "NOT_ENOUGH_INFO"]
    maybe = {**record, "final_decision": "maybe"}
    assert not list(question_pairs([maybe], random.Random(0)))


def test_trials_are_worded_in_balance() -> None:
    prompts = [
        {
            "pmcid": 5,
            "intervention": "Aspirin",
            "comparator": "Placebo",
            "outcome": outcome,
            "label": "significantly increased",
            "evidence": [{"text": text}],
        }
        for outcome, text in (("Bleeding", "Bleeding was more common."), ("Mood", "Mood rose."))
    ]
    pairs = list(trial_pairs(prompts, random.Random(2)))
    assert Counter(pair.target for pair in pairs) == {0: 4, 1: 4, 2: 2}
    silent = [pair for pair in pairs if pair.target is Target.NOT_ENOUGH_INFO]
    assert ("mood" in silent[0].claim.lower()) == ("Bleeding" in silent[0].evidence)


def test_papers_that_are_measured_on_are_left_out() -> None:
    record = {"doc_id": 1, "title": "Tea lowers iron.", "abstract": "One. Two is. Three is. Four."}
    assert [paper.title for paper in usable([record], set())] == ["Tea lowers iron"]
    assert not list(usable([record], {"tea lowers iron"}))
    assert not list(usable([{**record, "language": "ger"}], set()))
