"""Each citation answers for the words that it is meant for."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.audit import read_manuscript
from claimscope.audit.cited import cited_claims
from claimscope.audit.manuscript import sentences
from claimscope.audit.quotations import numbers_not_in

HEAD = "Antidepressants reduced depression more than placebo"
TAIL = "hormones increased the risk of coronary events"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(f"{HEAD} [@a; @b].", [(f"{HEAD}.", "a b")], id="at the end"),
        pytest.param(
            f"{HEAD} [@a], and @b found that {TAIL}.",
            [(f"{HEAD}.", "a"), (f"{TAIL.capitalize()}.", "b")],
            id="a paper named after it",
        ),
        pytest.param(
            f"@b found that {TAIL}, but {HEAD.lower()} [@a].",
            [(f"{TAIL.capitalize()}, but {HEAD.lower()}.", "b a")],
            id="a paper named before it",
        ),
        pytest.param(
            f"{HEAD} [@a], although the difference was small.",
            [(f"{HEAD}.", "a")],
            id="a statement that nothing is cited for",
        ),
        pytest.param(
            f"{HEAD} [@a] in adults.", [(f"{HEAD} in adults.", "a")], id="words that belong to it"
        ),
        pytest.param(
            f"{HEAD} [@a], but not mania.", [(f"{HEAD}, but not mania.", "a")], id="an exception"
        ),
        pytest.param(f"Drugs [@a] such as {TAIL}.", [(f"Drugs such as {TAIL}.", "a")], id="a name"),
    ],
)
def test_a_citation_answers_for_its_words(
    tmp_path: Path, text: str, expected: list[tuple[str, str]]
) -> None:
    (tmp_path / "paper.md").write_text(text, "utf-8")
    [block] = read_manuscript(tmp_path / "paper.md").blocks
    [sentence] = sentences(block)
    assert sentence.as_written == text
    found = [
        (claim.text, " ".join(key for mark in claim.marks for key in mark.keys))
        for claim in cited_claims(sentence, lambda whole: [whole])
    ]
    assert found == expected


def test_numbers_are_named_as_they_are_written() -> None:
    assert numbers_not_in("It had 3,763 women and 12%.", ["It had 2,763 women, 12% ill."]) == [
        "3,763"
    ]
