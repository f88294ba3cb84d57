"""The exact result for one claim on ten documents; a change of it must be meant."""

from __future__ import annotations

import json
from pathlib import Path

from claimscope.case_json import to_dict
from claimscope.checker import Checker
from claimscope.library.local import LocalLibrary

EXPECTED = Path(__file__).with_name("aspirin.json")


def test_a_known_claim_gives_the_known_case(library: LocalLibrary) -> None:
    case = Checker(library, "lexical-baseline").check("Aspirin lowers the risk of heart attack")
    assert to_dict(case) == json.loads(EXPECTED.read_text("utf-8"))
