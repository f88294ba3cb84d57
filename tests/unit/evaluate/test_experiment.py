import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from claimscope.errors import ConfigurationError, FormatError, InputError
from claimscope.evaluate import experiment as running
from claimscope.evaluate.experiment import Experiment, run
from claimscope.evaluate.folder import RunFolder
from claimscope.evaluate.modes import Mode, adapt, check_mode, with_seed
from claimscope.library.local import LocalLibrary
from claimscope.pipeline import preset
from claimscope.pipeline.pipeline import Pipeline
from claimscope.pipeline.registry import Resources
from claimscope.pipeline.stage import Part
from claimscope.stages.judge.rationale import Majority
from claimscope.stages.oracle import OracleRetriever

from .conftest import MakeRun
from .small import CLAIMS, DATASET, MAJORITY, SEARCH


def test_a_run_leaves_every_claim_and_what_it_depends_on(majority: RunFolder) -> None:
    info = majority.info()
    assert (info.dataset, info.split, info.mode, info.preset) == (
        "small",
        "dev",
        "open",
        "majority",
    )
    assert (info.claims, info.documents, info.complete) == (5, 8, True)
    assert info.provides == ("candidates", "labels", "rationale", "verdict")
    assert [case.claim.id for case in majority.cases()] == [each.claim.id for each in CLAIMS]


def test_predictions_are_the_labelled_candidates_with_their_sentences(majority: RunFolder) -> None:
    lines = (majority.path / "predictions.jsonl").read_text().splitlines()
    first = json.loads(lines[0])
    assert first == {"id": 1, "evidence": {"aspirin": {"label": "SUPPORT", "sentences": [0, 1]}}}


def test_trec_files_hold_the_last_ranking_and_the_evidence(majority: RunFolder) -> None:
    ranked = [line.split() for line in (majority.path / "run.trec").read_text().splitlines()]
    assert ranked[0][:4] == ["1", "Q0", "aspirin", "1"]
    assert {fields[3] for fields in ranked} == {"1"}, "rerank.cut keeps one document"
    qrels = (majority.path / "qrels.trec").read_text().splitlines()
    assert qrels[:2] == ["1 0 aspirin 1", "1 0 aspirin-old 1"]


def test_modes_put_gold_where_they_say() -> None:
    whole = preset.parse(MAJORITY, "majority", "test")

    def names(mode: Mode) -> list[str]:
        return [f"{stage.kind}.{stage.name}" for stage in adapt(whole, mode).stages]

    assert names(Mode.RETRIEVAL) == ["retrieve.bm25", "rerank.cut"]
    combo = adapt(preset.load("comboscorer"), Mode.RETRIEVAL)
    assert [stage.name for stage in combo.stages] == ["bm25-memory", "relevance", "joint", "combo"]
    later = ["judge.majority", "decide.any-evidence"]
    assert names(Mode.ORACLE_ABSTRACTS) == ["retrieve.oracle", "select.lead", *later]
    assert names(Mode.ORACLE_RATIONALES) == ["retrieve.oracle", "select.oracle", *later]


def test_gold_abstracts_are_given_to_the_rest(make_run: MakeRun) -> None:
    folder = make_run(mode=Mode.ORACLE_ABSTRACTS)
    found = {
        case.claim.id: [item.document.id for item in case.candidates] for case in folder.cases()
    }
    assert found == {
        "1": ["aspirin", "aspirin-old"],
        "2": ["statins"],
        "3": ["coffee"],
        "4": ["hidden"],
        "5": [],
    }


def test_an_interrupted_run_goes_on_where_it_stopped(
    make_run: MakeRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_run(split="many", folder=tmp_path / "run")
    whole = folder.cases_path.read_bytes()
    lines = whole.splitlines(keepends=True)
    folder.cases_path.write_bytes(b"".join(lines[:20]) + lines[20][:50])
    asked: list[int] = []
    original = Pipeline.run

    def counting(self: Pipeline, claims: object, on_stage: object = None) -> object:
        asked.append(len(claims))  # type: ignore[arg-type]
        return original(self, claims, on_stage)  # type: ignore[arg-type]

    monkeypatch.setattr(Pipeline, "run", counting)
    make_run(split="many", folder=tmp_path / "run")
    assert sum(asked) == 40

    def without_times(data: bytes) -> list[object]:
        records = [json.loads(line) for line in data.splitlines()]
        for record in records:
            for step in record["trace"]:
                del step["seconds"]
        return records

    assert without_times(folder.cases_path.read_bytes()) == without_times(whole)


def test_another_run_in_the_folder_is_not_overwritten(make_run: MakeRun, tmp_path: Path) -> None:
    folder = make_run(folder=tmp_path / "run")
    before = folder.cases_path.read_bytes()
    with pytest.raises(InputError, match="holds another run"):
        make_run(mode=Mode.RETRIEVAL, folder=tmp_path / "run")
    assert folder.cases_path.read_bytes() == before
    assert folder.info().mode is Mode.OPEN


def test_a_damaged_case_names_its_line_and_key(make_run: MakeRun, tmp_path: Path) -> None:
    folder = make_run(folder=tmp_path / "run")
    first, second, *rest = folder.cases_path.read_text("utf-8").splitlines(keepends=True)
    broken = json.loads(second)
    del broken["claim"]["text"]
    folder.cases_path.write_text("".join([first, json.dumps(broken) + "\n", *rest]), "utf-8")
    with pytest.raises(FormatError, match=r"cases\.jsonl, line 2: .* claim\.text is missing"):
        list(folder.cases())


def test_the_library_is_built_once(
    make_run: MakeRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    made = preset.parse(SEARCH, "search", "test")
    run(Experiment(DATASET, "dev", made), tmp_path / "one", cache=cache)
    [library] = (cache / "corpora").iterdir()
    before = library.stat().st_ino
    run(Experiment(DATASET, "dev", made), tmp_path / "two", cache=cache)
    assert [path.stat().st_ino for path in (cache / "corpora").iterdir()] == [before]


def test_a_preset_without_a_judge_predicts_nothing(make_run: MakeRun) -> None:
    folder = make_run(SEARCH)
    assert not (folder.path / "predictions.jsonl").exists()
    assert (folder.path / "run.trec").exists()


def test_answers_kept_back_still_give_predictions(make_run: MakeRun) -> None:
    folder = make_run(split="test")
    assert (folder.path / "predictions.jsonl").exists()
    assert not (folder.path / "qrels.trec").exists()


def test_a_seed_without_a_stage_that_takes_one_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="takes a seed"):
        with_seed(preset.parse(MAJORITY, "majority", "test"), 3)


def test_progress_counts_claims(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    made = preset.parse(SEARCH, "search", "test")
    run(
        Experiment(DATASET, "many", made, limit=40),
        tmp_path / "run",
        cache=tmp_path,
        on_progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(running.BATCH, 40), (2 * running.BATCH, 40), (40, 40)]


def test_a_folder_without_a_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no run"):
        RunFolder(tmp_path).info()


def test_gold_sentences_are_not_given_to_a_judge_that_selects_its_own(
    library: LocalLibrary,
) -> None:
    @dataclass(frozen=True)
    class Joint(Majority):
        provides: ClassVar[frozenset[Part]] = frozenset({Part.LABELS, Part.RATIONALE})

    pipeline = Pipeline((OracleRetriever(library, {}), Joint()))
    check_mode(pipeline, Mode.ORACLE_ABSTRACTS)
    with pytest.raises(ConfigurationError, match="selects sentences while it judges"):
        check_mode(pipeline, Mode.ORACLE_RATIONALES)


def test_one_stage_is_evaluated_alone() -> None:
    whole = preset.parse(MAJORITY, "majority", "test")

    def names(mode: Mode) -> list[str]:
        return [f"{stage.kind}.{stage.name}" for stage in adapt(whole, mode).stages]

    assert names(Mode.SELECTOR_ALONE) == ["retrieve.oracle", "select.lead", "judge.oracle"]
    for mode in (Mode.LABELLER_TFIDF, Mode.LABELLER_BM25):
        assert names(mode) == ["retrieve.oracle", "select.oracle", "judge.majority"]


@pytest.mark.parametrize("name", ["multivers", "climate"])
@pytest.mark.parametrize("mode", [Mode.SELECTOR_ALONE, Mode.LABELLER_TFIDF])
def test_a_stage_that_does_not_exist_alone_is_not_evaluated_alone(
    name: str, mode: Mode, library: LocalLibrary
) -> None:
    adapted = adapt(preset.load(name), mode)
    pipeline = adapted.build(Resources(library=library, gold={}))
    with pytest.raises(ConfigurationError, match="oracle-abstracts"):
        check_mode(pipeline, mode)
