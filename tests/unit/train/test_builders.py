"""The papers' positives and negatives, counted out on a corpus of seven abstracts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.labels import Label
from claimscope.models.loader import Models
from claimscope.models.scorer import Pair
from claimscope.train.claims import Claims, Search, open_claims
from claimscope.train.stages.builders import Abstracts, Candidates, Labels, Sentences, Windows
from claimscope.train.stages.combo import SCORES, Combo, targets
from claimscope.train.stages.examples import (
    Builder,
    Example,
    Verdicts,
    Work,
    divided,
    output_of,
    oversampled,
)
from tests.tiny_models import TinyModels
from tests.unit.train.small_data import CLAIMS, CORPUS, small_folder

TITLES = {title: number for number, (title, _) in CORPUS.items()}


@pytest.fixture
def data(tmp_path: Path) -> Claims:
    return open_claims(str(small_folder(tmp_path / "small")))


def built(builder: Builder, data: Claims, folder: Path = Path()) -> list[Example]:
    return builder.build(data, Work(random.Random(1), folder))


def of(claim: int, examples: Sequence[Example]) -> list[Example]:
    return [each for each in examples if each.claim_id == str(claim)]


def test_silent_examples_have_one_or_two_sentences(data: Claims) -> None:
    """VerT5erini, section 3.3, and SciFCheX, section 4.5; claim 4 has an abstract of two."""
    counts = set()
    for seed in range(20):
        examples = Labels().build(data, Work(random.Random(seed), Path()))
        [silent] = [each.evidence for each in of(4, examples)]
        counts.add(sum(sentence in silent for sentence in CORPUS[5][1]))
    assert counts == {1, 2}


def test_titles_are_those_of_the_search_and_only_evidence_is_relevant(data: Claims) -> None:
    search = Search(k=3)
    examples = built(Candidates(search), data)
    ranked = search.ranked(data)
    for number, *_ in CLAIMS:
        found = [int(name) for name, _ in ranked[str(number)]]
        assert [TITLES[each.evidence] for each in of(number, examples)] == found
    relevant = {TITLES[each.evidence] for each in of(1, examples) if each.target is True}
    assert relevant == {1}, "abstract 2 is cited and no evidence"
    assert not of(6, examples), "evidence that the search misses is not added"


def test_the_climate_system_adds_what_the_search_misses(data: Claims) -> None:
    examples = built(Candidates(Search(k=3), "abstract", "judged", missed=True), data)
    assert [(each.evidence, each.target) for each in of(6, examples)] == [
        ("Coffee delays sleep.", True)
    ]


def test_a_reranker_learns_all_cited_against_one_other_of_the_top_ten(data: Claims) -> None:
    examples = built(Abstracts(), data)
    for number, _, _, cited in CLAIMS[:5]:
        mine = of(number, examples)
        texts = {" ".join(CORPUS[name][1]) for name in cited}
        assert {each.evidence for each in mine if each.target is True} == texts
        assert sum(each.target is False for each in mine) == 1
    assert [each.target for each in of(6, examples)] == [True], "nothing else was found"


def test_the_selector_learns_every_sentence_of_the_cited_abstracts(data: Claims) -> None:
    examples = built(Sentences(), data)
    assert [(each.evidence, each.target) for each in of(1, examples)] == [
        ("We gave aspirin.", True),
        ("Aspirin lowered risk.", True),
        ("Adults took it.", True),
        ("Adults took aspirin.", False),
        ("The trial was long.", False),
    ]
    assert [each.target for each in of(2, examples)] == [True, False]
    assert [each.target for each in of(4, examples)] == [False, False], "cited, no evidence"


def test_vert5erini_draws_from_the_evidence_abstracts_alone(data: Claims) -> None:
    examples = built(Sentences("evidence", sampled=4), data)
    assert [each.target for each in of(1, examples)] == [True] * 3
    assert [each.target for each in of(2, examples)] == [True, False]
    assert not of(4, examples)


def test_the_study_draws_from_what_was_retrieved(data: Claims) -> None:
    examples = built(Sentences("retrieved", sampled=1), data)
    for number in (1, 2, 3, 5):
        mine = [each.target for each in of(number, examples)]
        assert mine.count(True) == mine.count(False)
    with pytest.raises(ConfigurationError, match="sampled"):
        Sentences("retrieved")


def test_labels_are_gold_sets_their_union_and_silent_sentences(data: Claims) -> None:
    examples = built(Labels(), data)
    first = of(1, examples)
    assert [(each.evidence, each.target) for each in first] == [
        ("Aspirin lowered risk.", Label.SUPPORTS),
        ("We gave aspirin. Adults took it.", Label.SUPPORTS),
        ("We gave aspirin. Aspirin lowered risk. Adults took it.", Label.SUPPORTS),
    ], "every sentence is evidence, so none is silent, and abstract 2 is not drawn from"
    second = of(2, examples)
    assert [each.target for each in second] == [
        Label.REFUTES,
        Label.REFUTES,
        Label.NOT_ENOUGH_INFO,
    ]
    assert second[-1].evidence == "The risk fell with statins."
    [silent] = of(4, examples)
    assert silent.target is Label.NOT_ENOUGH_INFO
    assert silent.evidence in {*CORPUS[5][1], " ".join(CORPUS[5][1])}


def test_vert5erini_numbers_its_sentences_and_draws_from_every_cited_abstract(
    data: Claims,
) -> None:
    examples = of(1, built(Labels(False, "cited", "sentence{number}: "), data))
    assert [each.evidence for each in examples[:2]] == [
        "sentence1: Aspirin lowered risk.",
        "sentence1: We gave aspirin. sentence2: Adults took it.",
    ]
    assert [each.target for each in examples[2:]] == [Label.NOT_ENOUGH_INFO]
    assert examples[2].evidence.startswith("sentence1: ")


def test_a_verdict_reads_all_passages_of_a_claim(data: Claims) -> None:
    examples = built(Verdicts(), data)
    assert [(each.claim_id, each.target) for each in examples] == [
        ("1", Label.SUPPORTS),
        ("2", Label.REFUTES),
        ("3", Label.SUPPORTS),
        ("5", Label.SUPPORTS),
        ("6", Label.SUPPORTS),
    ]
    retrieved = built(Verdicts("retrieved"), data)
    assert of(4, retrieved)[0].target is Label.NOT_ENOUGH_INFO


def test_a_verdict_learns_from_the_first_passages_found_and_the_cross_encoders_best(
    data: Claims, tiny: TinyModels
) -> None:
    search = Search(1, "lucene", 0.5, 0.85, "stem-stop")
    builder = Verdicts("retrieved", " <SEP> ", search, str(tiny.pair_one), pool=3)
    scorer = Models().scorer(str(tiny.pair_one))
    first, pool = search.found(data), Search(3, "lucene", 0.5, 0.85, "stem-stop").found(data)
    examples = built(builder, data)
    for each in data.claims:
        read = dict.fromkeys((*pool[each.claim.id], *(each.evidence or {})))
        texts = {name: data.documents[name].abstract for name in read}
        scores = scorer.logits([Pair(each.claim.text, text) for text in texts.values()])[:, 0]
        best = list(read)[int(scores.argmax())]
        wanted = dict.fromkeys((*first[each.claim.id], best))
        [example] = of(int(each.claim.id), examples)
        assert example.evidence.split(" <SEP> ") == [texts[name] for name in wanted]
    assert of(6, examples)[0].evidence == "Coffee delays sleep.", "missed gold can be the best"


def test_the_student_wants_the_mixed_score_and_one_for_gold(
    data: Claims, tmp_path: Path, tiny: TinyModels
) -> None:
    def scored(alpha: float, k: int) -> list[Example]:
        builder = Combo(
            verifier=str(tiny.joint),
            relevance=str(tiny.pair_one),
            k=k,
            search=Search(k=4),
            scale="probability",
            alpha=alpha,
        )
        return built(builder, data, tmp_path / f"{alpha} {k}")

    examples = scored(0.3, 2)
    assert [each.target for each in of(6, examples)] == [1.0], "gold is added"
    gold = " ".join(("Statins", *CORPUS[3][1]))
    assert [each.target for each in of(2, examples) if each.evidence == gold] == [1.0]
    relevance, verification = (
        {each.evidence: float(each.target) for each in of(4, scored(alpha, 4))}
        for alpha in (0.0, 1.0)
    )
    mixed = {text: 0.3 * verification[text] + 0.7 * relevance[text] for text in relevance}
    best = sorted(mixed.values(), reverse=True)[:2]
    assert [each.target for each in of(4, examples)] == pytest.approx(best, abs=1e-6)
    for each in of(4, examples):
        assert each.target == pytest.approx(mixed[each.evidence], abs=1e-6)


def test_a_teachers_scores_are_kept_and_not_mixed_with_anothers(
    data: Claims, tmp_path: Path
) -> None:
    builder = Combo(alpha=0.0, search=Search(k=4))
    first = built(builder, data, tmp_path)
    path = tmp_path / SCORES
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:2]) + lines[2][:10])
    assert built(builder, data, tmp_path) == first
    assert len(path.read_text().splitlines()) == len(CLAIMS)
    with pytest.raises(ConfigurationError, match="other teachers"):
        built(Combo(alpha=0.0, k=3, search=Search(k=4)), data, tmp_path)
    with pytest.raises(ConfigurationError, match=r"examples\.verifier"):
        Combo()


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 1), max_size=6),
    st.lists(st.sampled_from("defgh"), unique=True),
)
def test_targets_hold_every_score_and_all_gold(scores: dict[str, float], gold: list[str]) -> None:
    found = targets(scores, gold)
    assert set(found) == {*scores, *gold}
    assert all(found[name] == (1.0 if name in gold else scores[name]) for name in found)


def test_a_target_finds_its_output_by_name() -> None:
    names = ("CONTRADICT", "NEI", "SUPPORT")
    assert [output_of(label, names) for label in (Label.REFUTES, Label.SUPPORTS)] == [0, 2]
    assert output_of(Label.NOT_ENOUGH_INFO, ("true", "weak", "false")) == 1
    assert [output_of(each, ("false", "true")) for each in (False, True)] == [0, 1]
    assert [output_of(each, ("relevant", "irrelevant")) for each in (False, True)] == [1, 0]
    assert output_of(0.25, ()) == 0.25
    with pytest.raises(ConfigurationError, match="one output"):
        output_of(0.25, names)
    with pytest.raises(ConfigurationError, match="cannot learn labels"):
        output_of(Label.REFUTES, ())


def test_oversampling_repeats_an_output() -> None:
    examples = [Example("1", "c", "e", True), Example("1", "c", "f", False)]
    assert oversampled(examples, {"relevant": 3}, ("irrelevant", "relevant")) == [
        *[examples[0]] * 3,
        examples[1],
    ]
    with pytest.raises(UnknownNameError, match="oversample"):
        oversampled(examples, {"wrong": 3}, ("irrelevant", "relevant"))
    assert oversampled(examples, {"relevant": 3}, ()) == oversampled(
        examples, {"relevant": 3}, ("irrelevant", "relevant")
    ), "a single output is that of relevance"


def test_a_fold_of_claims_is_held_out_and_none_without_one(data: Claims) -> None:
    examples = built(Sentences(), data)
    assert divided(examples, data.claims, 3, None) == (examples, [])
    parts = [divided(examples, data.claims, 3, fold)[1] for fold in range(3)]
    assert sorted(map(repr, chain.from_iterable(parts))) == sorted(map(repr, examples))


def test_abstracts_are_learnt_window_by_window_as_they_are_reranked(data: Claims) -> None:
    whole = built(Abstracts(), data)
    cut = built(Windows(window=2, stride=1), data)
    assert [each.evidence for each in of(1, cut)[:2]] == [
        "We gave aspirin. Aspirin lowered risk.",
        "Aspirin lowered risk. Adults took it.",
    ]
    assert {each.evidence: each.target for each in whole if len(each.evidence.split(". ")) < 3} == {
        each.evidence: each.target
        for each in cut
        if each.evidence in {other.evidence for other in whole}
    }
    assert len(cut) > len(whole)
    with pytest.raises(ConfigurationError, match="stride"):
        Windows(window=2, stride=3)
