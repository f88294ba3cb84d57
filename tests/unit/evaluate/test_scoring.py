import json
from dataclasses import replace
from pathlib import Path

import pytest

from claimscope.errors import InputError
from claimscope.evaluate.cases import ranking_of
from claimscope.evaluate.experiment import Experiment, run
from claimscope.evaluate.folder import RunFolder
from claimscope.evaluate.material import gather
from claimscope.evaluate.modes import Mode
from claimscope.evaluate.predictions import gather_predictions
from claimscope.evaluate.scoring import headlines, score
from claimscope.measures import parse_measure
from claimscope.pipeline import preset

from . import small
from .conftest import MakeRun
from .small import CARD, DATASET, MAJORITY, PERFECT, SEARCH


def _values(folder: RunFolder, **options: bool) -> dict[str, float]:
    scored = score(gather(folder), samples=50, **options)
    return {str(measure): each.interval.value for measure, each in scored.values.items()}


def test_the_official_measures_are_computed_by_hand(majority: RunFolder) -> None:
    found = _values(majority)
    # Predicted: aspirin, statins, coffee, ice and one for tea, all SUPPORTS; gold: 5 abstracts.
    assert found["abstract-label-only P"] == pytest.approx(2 / 5)
    assert found["abstract-label-only R"] == pytest.approx(2 / 5)
    # Sentences 0 and 1 hold {1} of aspirin and {0, 1} of statins.
    assert found["abstract-rationalized R"] == pytest.approx(2 / 5)
    # Credited: aspirin 1, statins 0 and 1, coffee 0; gold: 1 + 1 + 3 + 1 + 1.
    assert found["sentence-selection R"] == pytest.approx(4 / 7)
    assert found["sentence-label R"] == pytest.approx(3 / 7)


def test_search_and_verdicts_and_confidence_are_scored(majority: RunFolder) -> None:
    found = _values(majority)
    assert found["R@1"] == pytest.approx(3 / 5)
    assert found["hit-one@1"] == pytest.approx(4 / 5)
    assert found["retrieval P"] == pytest.approx(3 / 5)
    assert found["abstract-selection P"] == pytest.approx(3 / 5), "one named abstract a claim"
    # Every claim is said to be supported; only claim 2 is (claim 1 is disputed).
    assert found["accuracy"] == pytest.approx(1 / 5)
    assert found["ECE"] == pytest.approx(3 / 5), "three of five certain labels are wrong"


def test_a_perfect_pipeline_loses_only_what_it_never_found(make_run: MakeRun) -> None:
    found = _values(make_run(PERFECT, mode=Mode.ORACLE_ABSTRACTS))
    for measure in ("abstract-label-only", "abstract-rationalized", "sentence-label"):
        assert found[f"{measure} F1"] == 1
    assert found["accuracy"] == 1
    assert "R@1" not in found, "there is no search to score"


def test_without_a_judge_only_search_is_scored_and_that_is_said(make_run: MakeRun) -> None:
    scored = score(gather(make_run(SEARCH)), samples=50)
    assert [title for title, _ in scored.groups] == ["Search"]
    assert "no stage that judges" in scored.material.notes[0]


def test_kept_back_answers_are_said(make_run: MakeRun) -> None:
    scored = score(gather(make_run(split="test")), samples=50)
    assert scored.groups == ()
    assert "kept back" in scored.material.notes[0]


def test_intervals_hold_their_value(majority: RunFolder) -> None:
    for each in score(gather(majority), samples=200).values.values():
        assert each.interval.low <= each.interval.value <= each.interval.high
        assert each.interval.samples == 200


def test_measures_can_be_named(majority: RunFolder, make_run: MakeRun) -> None:
    chosen = [parse_measure("R@2"), parse_measure("repository-sentence-label F1")]
    scored = score(gather(majority), chosen, samples=50)
    assert list(scored.values) == chosen
    assert [each.measure for each in headlines(scored)] == chosen
    with pytest.raises(InputError, match=r"accuracy cannot be computed.*judges"):
        score(gather(make_run(SEARCH)), [parse_measure("accuracy")])


def test_the_repository_variant_is_added_on_request(majority: RunFolder) -> None:
    assert "repository-abstract-rationalized F1" in _values(majority, repository=True)
    assert "repository-abstract-rationalized F1" not in _values(majority)


def test_its_own_prediction_file_scores_the_same(majority: RunFolder) -> None:
    material = gather_predictions(DATASET, "dev", majority.path / "predictions.jsonl")
    again = {str(key): each.interval for key, each in score(material, samples=50).values.items()}
    first = {
        str(key): each.interval for key, each in score(gather(majority), samples=50).values.items()
    }
    assert again == {name: first[name] for name in again}
    assert len(again) == 12


def test_rankings_without_falling_scores_are_written_by_rank(majority: RunFolder) -> None:
    case = next(iter(majority.cases()))
    assert ranking_of(case) == (("aspirin", 1.0),)
    scores = [score for _, score in ranking_of(case, "retrieve.bm25")]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) > 1


def test_cases_can_be_read_by_anyone(majority: RunFolder) -> None:
    record = json.loads(majority.cases_path.read_text().splitlines()[0])
    assert record["schema"] == "claimscope.case/1"
    assert [step["stage"] for step in record["trace"]][:2] == ["retrieve.bm25", "rerank.cut"]


def test_the_climate_task_counts_all_evidence_and_needs_a_judge_for_its_labels(
    tmp_path: Path,
) -> None:
    climate = replace(
        DATASET, definition=replace(DATASET.definition, card=replace(CARD, name="climate"))
    )

    def values(text: str) -> dict[str, float]:
        made = preset.parse(text, "p", "test")
        place = tmp_path / str(len(text))
        return _values(run(Experiment(climate, "dev", made), place, cache=tmp_path))

    judged = values(MAJORITY)
    # One document a claim: aspirin is half of its evidence, statins and coffee all of theirs.
    assert judged["climate-F"] == pytest.approx((2 / 3 + 1 + 1) / 5)
    assert judged["climate-A"] == pytest.approx(1 / 5)
    searched = values(SEARCH)
    assert searched["climate-F"] == judged["climate-F"]
    assert "climate-A" not in searched
    material = gather(RunFolder(tmp_path / str(len(SEARCH))))
    with pytest.raises(InputError, match="climate-A cannot be computed"):
        score(material, [parse_measure("climate-A")])


def test_the_selector_alone_is_measured_by_its_sentences_and_nothing_else(
    make_run: MakeRun,
) -> None:
    refusing = MAJORITY.replace('name = "majority"', 'name = "majority"\nlabel = "NOT_ENOUGH_INFO"')
    folder = make_run(refusing, mode=Mode.SELECTOR_ALONE)
    found = _values(folder)
    assert set(found) == {f"sentence-selection {part}" for part in ("P", "R", "F1")}
    # Two sentences of each of the five evidence abstracts but one that has a single sentence.
    # Right are one of "aspirin", one of "aspirin-old", two of "statins", one of "coffee", "hidden".
    assert found["sentence-selection P"] == pytest.approx(6 / 9)
    assert found["sentence-selection R"] == pytest.approx(6 / 7)
    with pytest.raises(InputError, match="One stage alone"):
        score(gather(folder), [parse_measure("abstract-label-only F1")])


@pytest.mark.parametrize("mode", [Mode.LABELLER_TFIDF, Mode.LABELLER_BM25])
def test_the_labeller_alone_is_measured_by_abstracts_with_similar_sentences_for_silent_ones(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch, mode: Mode
) -> None:
    cites = [replace(each, cited=("statins", "tea")) for each in small.CLAIMS]
    monkeypatch.setattr(small, "CLAIMS", cites)
    folder = make_run(mode=mode)
    assert [title for title, _ in score(gather(folder)).groups] == ["Labels of abstracts"]
    found = _values(folder)
    # Of six abstracts two support, three refute and the first cited one says too little.
    assert found["accuracy"] == pytest.approx(2 / 6)
    assert found["SUPPORTS P"] == pytest.approx(2 / 6)
    assert found["NOT_ENOUGH_INFO R"] == 0
    assert not any(name.startswith(("abstract", "sentence")) for name in found)
    last = list(folder.cases())[-1]
    assert [item.document.id for item in last.candidates] == ["statins"]
    assert len(last.candidates[0].rationale) == 2
