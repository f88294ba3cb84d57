from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.case_json import SCHEMA, from_dict, from_json, to_dict, to_json
from claimscope.checker import Checker
from claimscope.errors import FormatError
from claimscope.labels import Label
from claimscope.library.local import LocalLibrary
from claimscope.types import (
    Candidate,
    Case,
    Claim,
    Document,
    LabelProbabilities,
    Metadata,
    Provenance,
    RationaleSentence,
    Rule,
    Score,
    StageTrace,
    TraceEntry,
    Verdict,
)

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


_names = st.text(max_size=8)
_numbers = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 6))
_shares = st.floats(0, 1).map(lambda value: round(value, 6))
_scores = st.builds(Score, _numbers, st.none() | _shares)
_metadata = st.builds(
    Metadata, **{name: st.from_type(hint) for name, hint in get_type_hints(Metadata).items()}
)


@st.composite
def _labels(draw: st.DrawFn) -> LabelProbabilities:
    found = LabelProbabilities(draw(_shares), draw(_shares), draw(_shares))
    decided = draw(st.sampled_from([label for label in Label if label is not Label.DISPUTED]))
    # A decision for the likeliest label is the same as none.
    return found if decided is found.label else replace(found, decided=decided)


@st.composite
def _candidates(draw: st.DrawFn) -> Candidate:
    sentences = draw(st.lists(st.text(max_size=6).map(str.strip), max_size=5))
    spans, start = [], 0
    for sentence in sentences:
        spans.append((start, start + len(sentence)))
        start += len(sentence) + 1
    chosen = draw(st.permutations(range(len(spans))))[: draw(st.integers(0, 3))]
    return Candidate(
        Document(draw(_names), draw(_names), " ".join(sentences), tuple(spans), draw(_metadata)),
        draw(st.dictionaries(_names, _scores, max_size=3)),
        tuple(RationaleSentence(index, draw(_scores)) for index in chosen),
        draw(st.none() | _labels()),
    )


_ids = st.lists(_names, max_size=3).map(tuple)
_verdicts = st.builds(
    Verdict, st.sampled_from(Label), st.none() | _shares, _ids, _ids, st.builds(Rule)
)
_traces = st.builds(
    StageTrace,
    _names,
    _ids,
    st.lists(st.builds(TraceEntry, _names, st.integers(1, 9), st.none() | _numbers)).map(tuple),
    _shares,
)
_stages = st.lists(st.dictionaries(_names, st.integers() | _names, max_size=2)).map(tuple)
_cases = st.builds(
    Case,
    st.builds(Claim),
    st.lists(_candidates(), max_size=3).map(tuple),
    st.none() | _verdicts,
    _ids,
    st.lists(_traces, max_size=2).map(tuple),
    st.none() | st.builds(Provenance, _names, _names, _stages, _names),
)


def _without_spans(case: Case) -> Case:
    """Leave out the one thing that the form does not hold: where unquoted sentences end."""
    return replace(
        case,
        candidates=tuple(
            replace(item, document=replace(item.document, spans=())) for item in case.candidates
        ),
    )


@given(_cases)
def test_a_case_is_read_back_as_it_was(case: Case) -> None:
    text = to_json(case, with_trace=True)
    again = from_json(text)
    assert to_json(again, with_trace=True) == text
    assert from_json(to_json(again, with_trace=True)) == again
    assert _without_spans(again) == _without_spans(case)
    for old, new in zip(case.candidates, again.candidates, strict=True):
        assert (new.quotes, new.label) == (old.quotes, old.label)
        # No character of the abstract is lost between the sentences.
        kept = "".join("".join(new.document.sentences).split())
        assert kept == "".join(new.document.abstract.split())


def test_a_real_case_is_read_back_byte_by_byte(library: LocalLibrary) -> None:
    case = Checker(library, "lexical-baseline").check(CLAIM)
    text = to_json(case, with_trace=True)
    assert to_json(from_json(text), with_trace=True) == text


def test_what_an_older_version_did_not_write_takes_its_default() -> None:
    record = {"claim": {"text": "Tea."}, "candidates": [{"id": "a", "metadata": {"year": 2001}}]}
    case = from_dict(record)
    assert case == Case(Claim("Tea."), (Candidate(Document("a", "", meta=Metadata(year=2001))),))
    verdict = from_dict(record | {"verdict": {"label": "REFUTED"}}).verdict
    assert verdict == Verdict(Label.REFUTES, None, (), (), Rule("", "", ""))


def _broken(*path: str | int, value: Any) -> dict[str, Any]:
    sentence = {"sentence": 1, "start": 5, "end": 9, "text": "Two.", "score": {"raw": 1.0}}
    record: dict[str, Any] = {
        "claim": {"id": "", "text": "Tea."},
        "verdict": {"label": "SUPPORTED"},
        "candidates": [
            {
                "id": "a",
                "abstract": "One. Two.",
                "metadata": {"year": 2001},
                "scores": {"retrieve.bm25": {"raw": 1.0}},
                "label": "SUPPORTS",
                "probabilities": {"SUPPORTS": 0.9, "REFUTES": 0.0, "NOT_ENOUGH_INFO": 0.1},
                "rationale": [sentence],
            }
        ],
    }
    assert from_dict(record).candidates[0].quotes == ("Two.",)
    inner: Any = record
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return record


_FIRST = ("candidates", 0)


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ([], "it must be an object"),
        (_broken("schema", value="claimscope.case/9"), "schema must be claimscope.case/1"),
        (_broken("claim", value=None), "claim is missing"),
        (_broken("claim", "text", value=7), "claim.text must be a text"),
        (_broken("notices", value=[1]), "notices must hold texts only"),
        (_broken("verdict", "label", value="MAYBE"), "verdict.label must be one of SUPPORTED"),
        (_broken("candidates", value={}), "candidates must be a list"),
        (_broken(*_FIRST, value="a"), "candidates[0] must be an object"),
        (_broken(*_FIRST, "id", value=None), "candidates[0].id is missing"),
        (
            _broken(*_FIRST, "metadata", "year", value="2001"),
            "candidates[0].metadata.year must be a whole number",
        ),
        (
            _broken(*_FIRST, "scores", "retrieve.bm25", value={}),
            "candidates[0].scores.retrieve.bm25.raw is missing",
        ),
        (_broken(*_FIRST, "probabilities", value=None), "candidates[0].probabilities is missing"),
        (
            _broken(*_FIRST, "rationale", 0, "start", value=-1),
            "candidates[0].rationale[0].start does not fit",
        ),
        (
            _broken(*_FIRST, "rationale", 0, "sentence", value=10**12),
            "candidates[0].rationale[0].start does not fit",
        ),
        (
            _broken(*_FIRST, "rationale", 0, "text", value="Tow."),
            "candidates[0].rationale[0].text is not what the abstract has",
        ),
    ],
)
def test_a_malformed_case_names_the_key(record: Any, says: str) -> None:
    with pytest.raises(FormatError) as caught:
        from_dict(record)
    assert f"The saved case is malformed: {says}" in str(caught.value)
    assert str(caught.value).endswith("; make it again.")


def test_what_is_no_json_is_said_in_one_sentence() -> None:
    for text in ("{", "", "[" * 100_000):
        with pytest.raises(FormatError, match="The saved case is not JSON"):
            from_json(text)
