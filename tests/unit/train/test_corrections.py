"""Tables of corrections become labelled claims, and a bad row is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.errors import FormatError
from claimscope.labels import Label
from claimscope.library.local import LocalLibrary
from claimscope.train.claims import claims_of_library
from tests.conftest import TEXTS

HEAD = "claim,paper,label,quote\n"
CLAIM = "Aspirin lowers the risk of heart attack."


def test_rows_on_one_claim_become_one_labelled_claim(tmp_path: Path, library: LocalLibrary) -> None:
    path = tmp_path / "corrections.csv"
    rows = (
        f"{CLAIM},aspirin,supports,Aspirin lowered the risk of heart attack by a third.",
        f'"{CLAIM}",{TEXTS["aspirin-old"][0]},REFUTES,',
        f"{CLAIM},statins,NOT_ENOUGH_INFO,",
        "Tea lowers the absorption of iron.,tea,SUPPORTS,",
    )
    path.write_text(HEAD + "\n".join(rows) + "\n")
    data = claims_of_library(path, library)
    first, second = data.claims
    assert first.evidence is not None
    assert {name: gold.label for name, gold in first.evidence.items()} == {
        "aspirin": Label.SUPPORTS,
        "aspirin-old": Label.REFUTES,
    }
    assert first.evidence["aspirin"].rationales == (frozenset({1}),)
    assert first.cited == ("aspirin", "aspirin-old", "statins")
    assert second.claim.text == "Tea lowers the absorption of iron."
    assert {"aspirin", "statins", "tea"} <= set(data.documents)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("claim,label\nx,SUPPORTS\n", "no column 'paper'"),
        (f"{HEAD}{CLAIM},no such paper,SUPPORTS,\n", "row 1: There is no document"),
        (f"{HEAD}{CLAIM},aspirin,PERHAPS,\n", "row 1: Unknown label"),
        (f"{HEAD}{CLAIM},aspirin,DISPUTED,\n", "row 1: a paper cannot be DISPUTED"),
        (f"{HEAD}{CLAIM},aspirin,SUPPORTS,\n ,tea,REFUTES,\n", "row 2: The claim is empty"),
        (f"{HEAD}{CLAIM},aspirin,SUPPORTS,Tea is green.\n", "row 1: The quotation is not"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, library: LocalLibrary, text: str, words: str) -> None:
    path = tmp_path / "corrections.csv"
    path.write_text(text)
    with pytest.raises(FormatError, match=words):
        claims_of_library(path, library)
