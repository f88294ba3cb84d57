from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope._languages import language_name, normalise_language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("en", "en"),
        ("eng", "en"),
        ("ENG", "en"),
        ("English", "en"),
        (" english ", "en"),
        ("en-US", "en"),
        ("en_GB", "en"),
        ("English (US)", "en"),
        ("ger", "de"),
        ("deu", "de"),
        ("de", "de"),
        ("ngerman", "de"),
        ("chi", "zh"),
        ("zh-Hans", "zh"),
        ("nb", "nb"),
        ("Scottish Gaelic", "gd"),
        ("eng; fre", "en; fr"),
        ("English, eng", "en"),
        ("Klingon", "Klingon"),
        ("English, Klingon", "English, Klingon"),
        ("mul", "mul"),
        ("und", None),
        ("", None),
        (None, None),
    ],
)
def test_codes_and_names_of_a_language_become_one_code(text: str | None, code: str | None) -> None:
    assert normalise_language(text) == code


@given(st.text())
def test_a_code_that_was_normalised_stays(text: str) -> None:
    once = normalise_language(text)
    assert normalise_language(once) == once


@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "English"), ("eng", "English"), ("de; fr", "German; French"), ("Klingon", "Klingon")],
)
def test_a_language_is_shown_by_its_name(language: str, name: str) -> None:
    assert language_name(language) == name
