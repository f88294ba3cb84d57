"""The rules of weak supervision, on sentences as abstracts have them."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from claimscope.datasets.files import document_of
from claimscope.train.verifier.pairs import Target
from claimscope.train.weak.abstract_pairs import abstract_pairs
from claimscope.train.weak.balanced import balanced, edits
from claimscope.train.weak.claims import Origin, claim_from, claims_of, is_claim_like
from claimscope.train.weak.direction import OPPOSITE, SAME, opposed
from claimscope.train.weak.negation import add_negation, flip_negation, remove_negation
from claimscope.train.weak.number import changed_number, replace_number, shared_number
from claimscope.train.weak.papers import usable
from claimscope.train.weak.questions import question_pairs, statements
from claimscope.train.weak.trials import trial_pairs
from claimscope.train.weak.words import conjugate
from tests.conftest import document

CLAIM = "Aspirin increases the risk of bleeding in 20% of adults."
EVIDENCE = "In this trial aspirin significantly raises bleeding, which is seen in 20% of adults."


@pytest.mark.parametrize(
    ("sentence", "negated"),
    [
        ("Aspirin is effective.", "Aspirin is not effective."),
        ("Statins can cause pain.", "Statins cannot cause pain."),
        ("Aspirin has an effect.", "Aspirin does not have an effect."),
        ("Aspirin has been shown to work.", "Aspirin has not been shown to work."),
        ("Aspirin increases bleeding.", "Aspirin does not increase bleeding."),
        ("The protein binds and plays a role.", "The protein does not bind and plays a role."),
        ("Cells underwent apoptosis.", "Cells did not undergo apoptosis."),
        ("Bleeding occurred in adults.", "Bleeding did not occur in adults."),
        ("Risk increased by aspirin matters.", None),
        ("The increases of risk", None),
    ],
)
def test_negations_are_put_in(sentence: str, negated: str | None) -> None:
    assert add_negation(sentence) == negated


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        ("Aspirin does not increase bleeding.", "Aspirin increases bleeding."),
        ("Aspirin did not control pain.", "Aspirin controlled pain."),
        ("It cannot help.", "It can help."),
        ("There was no difference.", "There was a difference."),
        ("Statins failed to help.", "Statins was able to help."),
        ("Statins help.", None),
    ],
)
def test_negations_are_taken_out(sentence: str, plain: str | None) -> None:
    assert remove_negation(sentence) == plain


def test_a_negation_flipped_twice_is_the_sentence_again() -> None:
    for sentence in ("Aspirin increases bleeding.", "Aspirin is safe.", "Drugs can help."):
        once = flip_negation(sentence)
        assert once is not None
        assert once != sentence
        assert flip_negation(once) == sentence


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


def test_a_direction_is_reversed_in_the_form_it_has() -> None:
    [(claim, evidence)] = opposed(
        "Aspirin upregulates COX.", "Aspirin upregulates COX in mice.", random.Random(0)
    )
    assert claim == "Aspirin downregulates COX."
    assert evidence == "Aspirin downregulates COX in mice."
    assert not opposed("Aspirin upregulates COX.", "Nothing is said.", random.Random(0))


def test_the_opposite_of_an_opposite_is_of_the_same_kind() -> None:
    for word in ("increased", "higher", "inhibits", "worsening", "accelerating"):
        back = {again for other in OPPOSITE[word] for again in OPPOSITE[other]}
        assert word in back
        assert not set(SAME[word]) & set(OPPOSITE[word])


def test_numbers_that_both_sides_share_are_changed() -> None:
    assert shared_number(CLAIM, EVIDENCE) == "20"
    assert shared_number("3 years", "4 years") is None
    assert replace_number("20% of 20 and 20 %", "20", "5") == "5% of 20 and 5 %"
    for seed in range(50):
        assert changed_number("20", random.Random(seed)) != "20"
        assert float(changed_number("90.5", random.Random(seed))) < 90.5


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        (
            "CONCLUSION: In conclusion, our results suggest that aspirin lowers risk (p < 0.05).",
            "Aspirin lowers risk.",
        ),
        ("We found that statins help, which is new.", "Statins help."),
        ("Therefore, tea probably lowers iron.", "Tea lowers iron."),
    ],
)
def test_conclusions_become_claims(sentence: str, claim: str) -> None:
    assert claim_from(sentence) == claim


def test_methods_and_plans_are_no_claims() -> None:
    assert is_claim_like("Aspirin reduces the risk of heart attack.")
    assert not is_claim_like("Further studies of aspirin in adults are needed.")
    assert not is_claim_like("Aspirin and the heart in older adults")
    assert not is_claim_like("Is aspirin good for the heart of adults?")


def test_claims_of_a_paper_name_their_sentence() -> None:
    found = list(claims_of(document("aspirin")))
    assert [(each.sentence, each.origin) for each in found] == [(2, Origin.SELF)]
    assert found[0].claim == "Bleeding was more common with aspirin."


def test_every_kind_of_edit_is_made_on_both_sides() -> None:
    found = {edit.kind: edit for edit in edits(CLAIM, EVIDENCE, random.Random(1))}
    assert found.keys() == {"direction", "negation", "number"}
    for edit in found.values():
        assert edit.claim != CLAIM
        assert edit.evidence != EVIDENCE


def test_neither_side_alone_tells_the_label() -> None:
    for seed in range(40):
        pairs = balanced(CLAIM, EVIDENCE, "paper", random.Random(seed), all_four=True, rate=0.0)
        assert len({(pair.claim, pair.evidence) for pair in pairs}) == 4
        for side in ("claim", "evidence"):
            seen = Counter((getattr(pair, side), pair.target) for pair in pairs)
            assert len(seen) == 4
            assert set(seen.values()) == {1}


def test_two_pairs_are_one_of_each() -> None:
    for seed in range(20):
        pairs = balanced(CLAIM, EVIDENCE, "paper", random.Random(seed))
        assert sorted(pair.target for pair in pairs) == [Target.SUPPORTS, Target.REFUTES]
    assert balanced("Aspirin and adults", "A trial", "paper", random.Random(0)) == []


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


def test_papers_give_as_many_supports_as_refutations_and_some_silence() -> None:
    papers = [
        document_of(
            f"p{number}",
            f"Aspirin increases the risk of bleeding in group {number}",
            (
                f"We gave tea to {number} mice.",
                "Rats were fed with plain rice.",
                "Nothing else was done here with any of the animals.",
                f"Thus aspirin increases the risk of bleeding in group {number}.",
            ),
        )
        for number in range(8)
    ]
    pairs = list(abstract_pairs(papers, random.Random(0)))
    counts = Counter(pair.target for pair in pairs)
    assert counts[Target.SUPPORTS] == counts[Target.REFUTES] >= 16
    assert counts[Target.NOT_ENOUGH_INFO] > 0
    assert {pair.group for pair in pairs} == {paper.id for paper in papers}
    assert pairs == list(abstract_pairs(papers, random.Random(0)))
