from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.ingest.cleaning import clean_text, without_controls


@pytest.mark.parametrize(
    ("found", "clean"),
    [
        ("a &lt; b &amp;&nbsp;c", "a < b & c"),
        ("p &amp;lt; 0.05", "p < 0.05"),
        ("CO<sub>2</sub> and <i>E. coli</i>", "CO2 and E. coli"),
        ("<p>One.</p><p>Two.<br/>Three.</p>", "One. Two. Three."),
        ("<jats:title>Abstract</jats:title><jats:p>Text</jats:p>", "Abstract Text"),
        ('see <a href="http://x.org/?a=1">here</a>', "see here"),
        ("&lt;p&gt;escaped markup&lt;/p&gt;", "escaped markup"),
        ("p<0.05 and n>3", "p<0.05 and n>3"),
        ("if a <b and c> d", "if a <b and c> d"),
        ("AT&T; R&D; ?a=1&parameter=2", "AT&T; R&D; ?a=1&parameter=2"),
        ("a\u00a0b\u2003c \r\n\t d", "a b c d"),
        ("nul\x00bell\x07\ufeffbom", "nul bell bom"),
        ("&#945;-synuclein &#x3b2; &beta;", "α-synuclein β β"),
        ("&#0; &#xD800; &#9999999;", "\ufffd \ufffd \ufffd"),
        ("lone \ud800 surrogate", "lone \ufffd surrogate"),
    ],
)
def test_text_becomes_fit_to_read(found: str, clean: str) -> None:
    assert clean_text(found) == clean


@given(st.text())
def test_clean_text_can_be_stored_and_has_single_spaces(text: str) -> None:
    clean = clean_text(text)
    assert clean.encode().decode() == clean
    assert clean == " ".join(clean.split())
    assert "\0" not in clean


MARKUP = [
    "&amp;",
    "&",
    "amp;",
    "lt;",
    "&lt;",
    "<",
    ">",
    "i",
    "p",
    "/",
    "#",
    "38;",
    "x",
    " ",
    "\n",
    "=",
]


@given(st.text() | st.lists(st.sampled_from(MARKUP), max_size=12).map("".join))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean_text(clean_text(text)) == clean_text(text)


@given(st.text(st.characters(exclude_characters="&<", exclude_categories=["Cc", "Cs", "Cn"])))
def test_plain_text_keeps_its_words(text: str) -> None:
    assert clean_text(text) == " ".join(text.replace("\ufeff", " ").split())


@given(st.text())
def test_removing_controls_keeps_every_offset(text: str) -> None:
    assert len(without_controls(text)) == len(text)
