"""Variants of a preset: every combination of values, each in its stage's parameters."""

from __future__ import annotations

import pytest

from claimscope.errors import ConfigurationError
from claimscope.evaluate.variants import combinations, variants
from claimscope.pipeline import preset as presets


def test_every_selector_is_paired_with_every_label_model() -> None:
    words = [
        "select.relevance.model=scifchex-rationale-scibert,scifchex-rationale-roberta-large",
        "judge.rationale.model=verisci-label,scifchex-label-biobert-large",
    ]
    made = variants(presets.load("scifchex-scibert"), words)
    models = [tuple(stage.parameters["model"] for stage in each.stages[2:4]) for each in made]
    assert models == [
        ("scifchex-rationale-scibert", "verisci-label"),
        ("scifchex-rationale-scibert", "scifchex-label-biobert-large"),
        ("scifchex-rationale-roberta-large", "verisci-label"),
        ("scifchex-rationale-roberta-large", "scifchex-label-biobert-large"),
    ]
    assert len({each.name for each in made}) == 4
    assert all(each.stages[1] == made[0].stages[1] for each in made), "the rest stays"


def test_values_are_numbers_where_they_are_written_so() -> None:
    made = variants(presets.load("scifchex-bge"), ["rerank.drop-off.drop=0.01,0.05,0.10,0.20"])
    assert [each.stages[2].parameters["drop"] for each in made] == [0.01, 0.05, 0.1, 0.2]


def test_no_words_change_nothing() -> None:
    loaded = presets.load("verisci")
    assert variants(loaded, []) == [loaded]


@pytest.mark.parametrize(
    "words", [["epochs"], ["=1"], ["epochs="], ["epochs=1,,2"], ["a=1", "a=2"]]
)
def test_what_cannot_be_swept_is_refused(words: list[str]) -> None:
    with pytest.raises(ConfigurationError):
        combinations(words)


def test_a_stage_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigurationError, match=r"no stage 'rerank\.drop-off'.*select\.relevance"):
        variants(presets.load("verisci"), ["rerank.drop-off.drop=0.1"])
