"""Prediction files of the leaderboard, and TREC run and qrels files."""

from __future__ import annotations

import gzip
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimscope._files import numbered_lines
from claimscope.errors import FormatError, InputError
from claimscope.labels import Label
from claimscope.measures.leaderboard import read_predictions, write_predictions
from claimscope.measures.measure import PredictedEvidence
from claimscope.measures.trec import read_qrels, read_run, write_qrels, write_run

_GOOD = ['{"id": 1, "evidence": {}}']
_GOOD += ['{"id": 3, "evidence": {"14": {"label": "SUPPORT", "sentences": [2, 5]}}}']
_GOOD += ['{"id": 5, "evidence": {}}']
_in_a_folder = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50
)


def _file(folder: Path, *lines: str) -> Path:
    path = folder / "predictions.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_good_file_is_read(tmp_path: Path) -> None:
    predictions = read_predictions(_file(tmp_path, *_GOOD), ["1", "3", "5"], {"14": 6})
    assert predictions["3"] == {"14": PredictedEvidence(Label.SUPPORTS, (2, 5))}
    assert list(predictions) == ["1", "3", "5"]


def _document(label: str = '"SUPPORT"', sentences: str = "[2]") -> str:
    return f'{{"id": 1, "evidence": {{"14": {{"label": {label}, "sentences": {sentences}}}}}}}'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([_GOOD[1], _GOOD[0], _GOOD[2]], "line 1 is for claim 3 where claim 1 belongs"),
        ([_GOOD[0], _GOOD[0]], "line 2 gives claim 1 a second time"),
        ([_GOOD[0], '{"id": 4, "evidence": {}}'], "line 2 is for claim '4', which the split does"),
        (_GOOD[:2], "ends after 2 of 3 claims; add a line for claim 5"),
        ([*_GOOD, '{"id": 5, "evidence": {}}'], "line 4 gives claim 5 a second time"),
        (["{'id': 1}"], "line 1 is not JSON"),
        (["[1]"], "line 1 is not a JSON object"),
        (['{"id": 1}'], 'line 1 has no "evidence" object'),
        (['{"id": 1, "evidence": {"14": [1]}}'], "line 1 gives document 14 no object"),
        ([_document(label='"REFUTES"')], "line 1 labels document 14 'REFUTES'; use SUPPORT or CON"),
        ([_document(label='"NEI"')], "leave out documents that do neither"),
        ([_document(label="3")], "labels document 14 3"),
        ([_document(sentences='"2"')], "no list of sentence numbers"),
        ([_document(sentences="[true]")], "no list of sentence numbers"),
        ([_document(sentences="[6]")], "sentence 6 of document 14, which has 6 sentences"),
        ([_document(sentences="[-1]")], "sentence -1 of document 14"),
        (['{"id": 1, "evidence": {"14": {}, "14": {}}}'], "line 1 names '14' twice"),
    ],
)
def test_a_broken_rule_is_named_with_its_line(
    tmp_path: Path, lines: list[str], message: str
) -> None:
    with pytest.raises(FormatError) as error:
        read_predictions(_file(tmp_path, *lines), ["1", "3", "5"], {"14": 6})
    assert message in str(error.value)
    assert str(error.value).startswith("predictions.jsonl")


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_bytes(b'{"id": 1, "evidence": {}}\n{"id": \xff}\n')
    with pytest.raises(FormatError, match="line 2 is not UTF-8"):
        read_predictions(path, ["1", "3"])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl cannot be opened"):
        read_predictions(tmp_path / "none.jsonl", ["1"])


ids = st.integers(0, 10**9).map(str)
documents = st.builds(
    PredictedEvidence,
    st.sampled_from([Label.SUPPORTS, Label.REFUTES]),
    st.lists(st.integers(0, 40), max_size=5).map(tuple),
)


@_in_a_folder
@given(st.dictionaries(ids, st.dictionaries(ids, documents, max_size=3), max_size=4))
def test_what_is_written_is_read_back(
    tmp_path: Path, predictions: dict[str, dict[str, PredictedEvidence]]
) -> None:
    path = tmp_path / "written.jsonl"
    write_predictions(path, predictions, list(predictions))
    assert read_predictions(path, list(predictions)) == predictions


def test_undecided_documents_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "written.jsonl"
    write_predictions(path, {"1": {"d": PredictedEvidence(Label.NOT_ENOUGH_INFO)}}, ["1", "2"])
    assert path.read_text() == '{"id": 1, "evidence": {}}\n{"id": 2, "evidence": {}}\n'


@_in_a_folder
@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "any.jsonl"
    path.write_text(text, encoding="utf-8", errors="replace")
    for read in (read_run, read_qrels, lambda p: read_predictions(p, ["1"])):
        with suppress(FormatError):
            read(path)


def test_a_run_is_ordered_by_score_then_id(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("c Q0 b 1 0.5 t\nc Q0 z 2 2.5 t\nc Q0 a 3 0.5 t\n")
    assert read_run(path) == {"c": (("z", 2.5), ("a", 0.5), ("b", 0.5))}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c Q0 b 1 0.5\n", "line 1 has 5 fields where 6 belong"),
        ("c Q0 b 1 high t\n", "'high' where a number belongs"),
        ("c Q0 b 1 nan t\n", "'nan' where a number belongs"),
        ("c Q0 b 1 2 t\n\nc Q0 b 2 1 t\n", "line 3 ranks document b for claim c a second time"),
    ],
)
def test_a_broken_run_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "run.txt"
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        read_run(path)


words = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=8)
scores = st.floats(allow_nan=False, allow_infinity=False)


@_in_a_folder
@given(st.dictionaries(words, st.dictionaries(words, scores, min_size=1, max_size=4), max_size=3))
def test_a_run_is_read_back(tmp_path: Path, scored: dict[str, dict[str, float]]) -> None:
    run = {
        claim: tuple(sorted(ranking.items(), key=lambda pair: (-pair[1], pair[0])))
        for claim, ranking in scored.items()
    }
    write_run(tmp_path / "run.txt", run)
    assert read_run(tmp_path / "run.txt") == run


@_in_a_folder
@given(
    st.dictionaries(
        words, st.dictionaries(words, st.integers(0, 3), min_size=1, max_size=4), max_size=3
    )
)
def test_qrels_are_read_back(tmp_path: Path, qrels: dict[str, dict[str, int]]) -> None:
    write_qrels(tmp_path / "qrels.txt", qrels)
    assert read_qrels(tmp_path / "qrels.txt") == qrels


def test_ids_with_spaces_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'a b' cannot stand in a TREC file"):
        write_run(tmp_path / "run.txt", {"a b": (("d", 1.0),)})


def test_a_cut_off_archive_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(b"line\n" * 1000)[:-20])
    with pytest.raises(FormatError, match=r"cut\.gz is cut off or damaged"):
        list(numbered_lines(path))
