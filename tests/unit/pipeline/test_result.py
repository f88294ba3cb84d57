import json

from claimscope.checker import Checker
from claimscope.library.local import LocalLibrary
from claimscope.pipeline.result import SCHEMA, to_dict, to_json

CLAIM = "Aspirin lowers the risk of heart attack"


def test_the_same_claim_gives_the_same_bytes(library: LocalLibrary) -> None:
    first = to_json(Checker(library).check(CLAIM))
    assert first == to_json(Checker(library).check(CLAIM))
    assert json.loads(first)["schema"] == SCHEMA


def test_every_quoted_sentence_is_verbatim(library: LocalLibrary) -> None:
    result = to_dict(Checker(library).check(CLAIM))
    quoted = 0
    for candidate in result["candidates"]:
        for sentence in candidate["rationale"]:
            assert candidate["abstract"][sentence["start"] : sentence["end"]] == sentence["text"]
            quoted += 1
    assert quoted >= 2


def test_provenance_names_everything_a_result_hangs_on(library: LocalLibrary) -> None:
    provenance = to_dict(Checker(library, "lexical-baseline").check(CLAIM))["provenance"]
    assert provenance["library_revision"] == library.revision
    assert provenance["preset"] == "lexical-baseline"
    assert {"stage": "retrieve.bm25", "k": 10} in provenance["stages"]


def test_times_appear_only_in_a_trace(library: LocalLibrary) -> None:
    case = Checker(library, "lexical-baseline").check(CLAIM)
    assert "seconds" not in to_json(case)
    trace = to_dict(case, with_trace=True)["trace"]
    assert [step["stage"] for step in trace] == [
        "retrieve.bm25",
        "select.lexical",
        "decide.unjudged",
    ]


def test_retractions_and_empty_searches_are_noticed(library: LocalLibrary) -> None:
    checker = Checker(library)
    notices = checker.check("Measles and autism").notices
    assert any("retracted: “Measles vaccination and autism”" in notice for notice in notices)
    assert any("searchable word" in notice for notice in checker.check("Zzyzx").notices)
