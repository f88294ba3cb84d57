import random
from collections import Counter
from pathlib import Path

import pytest

from claimscope.labels import Label
from recipe.findings import claims_of, claims_of_lines, is_plural

FINDINGS = Path(__file__).parents[2] / "research" / "verifier" / "written" / "findings.tsv"
EFFECT = "E|4|{}|fish oil|fish oil capsules|mortality|deaths|in adults|risk of dementia"


def labels(record: str) -> Counter[Label]:
    return Counter(claim.label for claim in claims_of(record, random.Random(1)))


@pytest.mark.parametrize("direction", ["+c", "-c", "0c", "+a", "-a", "0a"])
def test_an_effect_supports_as_many_claims_as_it_refutes(direction: str) -> None:
    found = labels(EFFECT.format(direction))
    assert found == {Label.SUPPORTS: 3, Label.REFUTES: 3, Label.NOT_ENOUGH_INFO: 2}


def test_no_effect_refutes_an_effect_and_supports_its_absence() -> None:
    claims = claims_of(EFFECT.format("0c"), random.Random(1))
    about = [claim for claim in claims if "dementia" not in claim.text]
    said = {claim.text: claim.label for claim in about}
    # The six claims come in a fixed order: up, down, same, not up, not down, changed.
    assert list(said.values()) == [
        Label.REFUTES,
        Label.REFUTES,
        Label.SUPPORTS,
        Label.SUPPORTS,
        Label.SUPPORTS,
        Label.REFUTES,
    ]


def test_a_comparison_whose_sides_are_exchanged_keeps_its_truth() -> None:
    record = "C|2|>|the new drug|placebo|blood pressure|the new pill|a dummy pill|blood pressure"
    for seed in range(20):
        first = claims_of(record, random.Random(seed))[0]
        assert first.label is Label.SUPPORTS
        higher = "higher" in first.text or "more for" in first.text
        left = "new" in first.text.replace("Compared with", "").split(" than ")[0].split(",")[-1]
        assert "Compared with" in first.text or higher == left


def test_open_claims_cite_no_sentence() -> None:
    claims = claims_of("F|1,3|It helps.|It harms.|It is cheap.", random.Random(0))
    assert [claim.sentences for claim in claims] == [{1, 3}, {1, 3}, frozenset()]


@pytest.mark.parametrize(
    ("phrase", "plural"),
    [
        ("fish oil", False),
        ("fish oil capsules", True),
        ("risk of heart attacks", False),
        ("rats given alloxan", True),
        ("aspirin and statins", True),
        ("diagnosis", False),
    ],
)
def test_verbs_agree_with_the_head_of_a_phrase(phrase: str, plural: bool) -> None:
    assert is_plural(phrase) is plural


def test_every_record_of_the_file_can_be_worded() -> None:
    lines = FINDINGS.read_text("utf-8").splitlines()
    found = Counter(claim.label for _, _, claim in claims_of_lines(lines))
    assert found[Label.SUPPORTS] == found[Label.REFUTES]
    assert sum(found.values()) > 60_000
