"""Citations in running text are found and taken out, and nothing else is."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.audit.citations import expand_numbers, extract, find_all, surname_and_year
from claimscope.audit.manuscript import BlockBuilder, sentences
from claimscope.audit.pasted import FORMS, LONGEST
from claimscope.audit.readers import read_manuscript


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("It helps [@a.b:c/d; @e_f].", ["a.b:c/d", "e_f"]),
        ("It helps [@{a b}].", []),
        ("Write to a@b.org or \\@nobody.", []),
        ("It helps [12, 14–16].", ["12", "14", "15", "16"]),
        ("It helps [16-14] in [0.5, 1.2].", []),
        ("See (van der Berg et al., 2004, p. 3; O’Brien and Lee 2010).",
         ["van der Berg et al. 2004", "O’Brien and Lee 2010"]),
        ("Müller, Smith, and Lee (2003; 2004) agree.", []),
        ("Müller, Smith, and Lee (2003, 2004) agree.",
         ["Müller, Smith, and Lee 2003", "Müller, Smith, and Lee 2004"]),
        ("It ran (from 1976 to 1996) and ended (December 2024) in Rome (n = 2004).", []),
    ],
)  # fmt: skip
def test_the_citations_of_a_text(text: str, keys: list[str]) -> None:
    assert [key for found in find_all(text, with_keys=True) for key in found.keys] == keys


def test_a_range_has_all_its_numbers_once() -> None:
    assert expand_numbers("3-5, 4, 9") == ("3", "4", "5", "9")
    assert expand_numbers("1-9000") == ()


def test_the_first_author_is_known_in_every_style() -> None:
    for names in ("Smith et al.", "Smith, Lee, and Kim", "Smith & Lee", "Smith"):
        assert surname_and_year(f"{names} 2004a") == ("smith", "2004a")
    assert surname_and_year("van der Berg et al. 2004") == ("van der berg", "2004")


@given(st.text(alphabet="ab .,;@[]()-12049A&é\n", max_size=120))
def test_taking_citations_out_keeps_every_other_character(text: str) -> None:
    builder = BlockBuilder()
    builder.add(text, 1)
    block = builder.build()
    if block is None:
        return
    found = find_all(block.text, with_keys=True)
    left = extract(block, with_keys=True)
    rebuilt, reached = "", 0
    for item in found:
        rebuilt += block.text[reached : item.start] + item.stays
        reached = item.end
    assert left.text == rebuilt + block.text[reached:]
    assert [mark.label for mark in left.marks] == [
        block.text[item.start : item.end] for item in found
    ]


UNITS = ["[@a", "[@a] ", "(A & ", "Aa, ", "[1, ", "[1] ", "Word [1] ", "A. [1]. ", "A et al. ("]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("unit", [*UNITS, "(A 2004; ", "A (2004) ", "{}", "[", "\\cite{a} "])
def test_hostile_text_takes_linear_time(tmp_path: Path, unit: str, form: str) -> None:
    path = tmp_path / f"manuscript.{form}"
    path.write_text(unit * (LONGEST // len(unit)))
    started = time.process_time()
    for block in read_manuscript(path).blocks:
        sentences(block)
    assert time.process_time() - started < 2
