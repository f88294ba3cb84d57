"""The sample size is the authors' own words, or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.studies import SampleSize, find_sample_size
from claimscope.studies.size import LARGEST

STATED = {
    "In Finland, 29,133 male smokers aged 50 to 69 were randomly assigned to a group.": 29133,
    "Of 120 subjects enrolled, 116 completed the trial.": 120,
    "We studied 10,456 subjects (aged 20 to 85 yr; 4,476 men, 5,980 women).": 10456,
    "The study population included over 1.27 million patients.": 1270000,
    "Six thousand five hundred ninety-one men and women were included.": 6591,
    "Forty-two men and women were randomly assigned to hold a pose.": 42,
    "Data came from 184 875 patients (mean age 62.9 years).": 184875,
    "Young adults (n = 32) were recruited.": 32,
    "We enrolled 300 patients; 150 patients received the drug.": 300,
    "Results were pooled from 16 trials including 10,217 patients.": 10217,
    "Two hundred rats were fed the maize for two years.": 200,
}
SILENT = [
    "",
    "The disease affects one per 100,000 people a year.",
    "1 in 3 women is affected, and one in four men.",
    "HPTN 052 tested whether treating people prevents transmission.",
    "In July and August 1988 when adult flies were abundant, they fed.",
    "The groups were alike (n = 12, n = 14).",
    "There were 876 new lung cancers and 40% of patients died.",
    "In 30 of 200 patients the fever was gone.",
    "2,104 patients were assigned the drug and 4,321 usual care.",
    "A total of 2,104 patients were randomised to a drug of 6 mg a day for up to ten days and "
    "4,321 to usual care alone.",
    "Ninety-three participants each were allocated.",
    "Men aged 50 adults were asked for 20 years.",
]
WHOLE = {
    "It assigned 25,871 men aged 50 or older and women aged 55 or older to a group.": (
        "25,871 men aged 50 or older and women"
    ),
    "We enrolled 400 men aged 50 or older. Women were not asked.": "400 men",
    "We enrolled 24 boys and girls in total.": "24 boys and girls",
}
NUMBERS = st.integers(min_value=2, max_value=LARGEST)
FORMS = st.sampled_from(["{}", "{:,}"])
PEOPLE = st.sampled_from(["patients", "healthy volunteers", "middle-aged men", "infants"])


@pytest.mark.parametrize(("text", "value"), STATED.items())
def test_a_stated_size_is_read(text: str, value: int) -> None:
    found = find_sample_size(text)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize("text", SILENT)
def test_a_number_of_something_else_is_passed_over(text: str) -> None:
    assert find_sample_size(text) is None


@given(NUMBERS, FORMS, PEOPLE, st.sampled_from(["We enrolled {}.", "{} were randomised to it."]))
def test_any_number_is_read_as_it_is_written(
    number: int, form: str, people: str, frame: str
) -> None:
    phrase = f"{form.format(number)} {people}"
    found = find_sample_size(f"The aim was clear. {frame.format(phrase)} It worked in 5%.")
    assert found is not None
    assert (found.value, found.text, found.population) == (number, phrase, people)


_PIECES = st.sampled_from(
    [
        *"12 1,204 0 5% n = N=7 ( ) . ; men patients were randomised of per two hundred".split(),
        *("million", "and", "-", "n = 40", "4 500", "\u2009", "é"),
    ]
)


@given(st.one_of(st.text(max_size=300), st.lists(_PIECES, max_size=60).map(" ".join)))
def test_what_is_found_is_in_the_text_word_for_word(text: str) -> None:
    found = find_sample_size(text)
    if found is not None:
        assert text[found.start : found.end] == found.text
        assert 2 <= found.value <= LARGEST
        # The phrase says the same without the text around it.
        assert isinstance(found, SampleSize)
        alone = find_sample_size(found.text)
        assert alone is None or alone.value == found.value


def test_a_long_hostile_text_takes_no_time() -> None:
    for piece in ("1 ", "12,345 a ", "n = ", "two hundred ", "thirty-", "1,000 male "):
        assert find_sample_size(piece * 20_000 + "x") is None


@pytest.mark.parametrize("text", WHOLE)
def test_both_halves_of_a_population_are_named(text: str) -> None:
    found = find_sample_size(text)
    assert found is not None
    assert found.text == WHOLE[text]
