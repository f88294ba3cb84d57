from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.languages import normalise_language


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("en", "English"),
        ("eng", "English"),
        ("ENG", "English"),
        ("English", "English"),
        (" english ", "English"),
        ("en-US", "English"),
        ("en_GB", "English"),
        ("English (US)", "English"),
        ("ger", "German"),
        ("deu", "German"),
        ("de", "German"),
        ("ngerman", "German"),
        ("chi", "Chinese"),
        ("zh-Hans", "Chinese"),
        ("nb", "Norwegian Bokmål"),
        ("Scottish Gaelic", "Scottish Gaelic"),
        ("eng; fre", "English; French"),
        ("English, eng", "English"),
        ("Klingon", "Klingon"),
        ("English, Klingon", "English, Klingon"),
        ("und", None),
        ("", None),
        (None, None),
    ],
)
def test_codes_and_names_of_a_language_become_one_name(text: str | None, name: str | None) -> None:
    assert normalise_language(text) == name


@given(st.text())
def test_a_name_that_was_normalised_stays(text: str) -> None:
    once = normalise_language(text)
    assert normalise_language(once) == once
