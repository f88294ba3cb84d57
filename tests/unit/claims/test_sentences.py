from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.claims import find_claims

CLAIMS = [
    "Aspirin lowers the risk of heart attack.",
    "Vitamin C does not prevent colds.",
    "Vaccines cause autism.",
    "People who drank coffee had a 12% lower risk of heart disease than those who drank none.",
    "A new study found that coffee drinkers live longer.",
    "Smoking is a cause of lung cancer.",
    "Type I interferon inhibits the growth of the virus.",
]
OTHERS = {
    "Does coffee prevent cancer?": "asks a question",
    "I think coffee lowers my blood pressure.": "speaks of the writer",
    "Talk to your doctor about lowering risks.": "tells the reader what to do",
    "You should eat more fish.": "says what should be done",
    "The drug will reduce deaths by a third.": "predicts the future",
    "We aimed to test whether aspirin lowers risk.": "states an aim",
    "Patients were randomly assigned to aspirin or placebo.": "describes a method",
    "How statins work remains unclear.": "says what is not known",
    "Further research is needed in older adults.": "says what is not known",
    "We believe that it improves lives.": "gives an opinion",
    "Buy now!": "is too short",
    "The meeting was held on Tuesday in Paris.": "states no effect",
}


@pytest.mark.parametrize("text", CLAIMS)
def test_statements_that_evidence_can_decide_are_found(text: str) -> None:
    [sentence] = find_claims(text)
    assert sentence.is_claim, sentence.reason


@pytest.mark.parametrize(("text", "reason"), OTHERS.items())
def test_the_rest_is_left_out_with_a_reason(text: str, reason: str) -> None:
    [sentence] = find_claims(text)
    assert (sentence.is_claim, sentence.reason) == (False, reason)


def test_in_an_abstract_the_place_counts() -> None:
    abstract = (
        "Aspirin reduces fever in children. We aimed to test aspirin in adults. "
        "Adults were randomly assigned to aspirin or placebo. Age was recorded at entry. "
        "Aspirin reduces heart attacks in adults."
    )
    assert [each.is_claim for each in find_claims(abstract)] == [False, False, False, False, True]


@given(st.text(max_size=400))
def test_every_text_is_judged_and_spans_are_its_own(text: str) -> None:
    for sentence in find_claims(text):
        assert text[sentence.start : sentence.end] == sentence.text
        assert sentence.reason


def test_a_sentence_without_end_takes_no_time() -> None:
    [sentence] = find_claims("more " * 100_000)
    assert sentence.reason == "is too long"
