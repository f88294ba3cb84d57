"""The claims written over abstracts: their form, and their abstracts where at hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from claimscope.datasets import scifact
from claimscope.datasets.files import document_of
from claimscope.datasets.record import Dataset
from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from tests.tiny_models import REASON

pytest.importorskip("torch", reason=REASON)

from recipe.written import CONTRAST, SCIFACT, SETS, checksum, labelled, parse, read_written

DOCUMENT = document_of(
    "7", "A trial", ("Aspirin cut the risk.", "The risk fell on aspirin.", "We thank all.")
)


def line(label: str, sentences: str, split: str = "") -> str:
    return f"7\t{split or checksum(DOCUMENT)}\t{label}\t{sentences}\tAspirin lowers the risk."


def test_claims_find_their_abstract_and_its_near_sentences() -> None:
    written = [parse(line("S", "0"), 1), parse(line("N", ""), 2)]
    [supported, silent], marked = labelled(written, {"7": DOCUMENT})
    assert supported.evidence is not None
    assert supported.evidence["7"].label is Label.SUPPORTS
    assert supported.evidence["7"].rationales == (frozenset({0}),)
    assert marked[supported.claim.id, "7"] == {1}
    assert silent.evidence is not None
    assert not silent.evidence["7"].decides


def test_an_abstract_that_is_split_otherwise_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="split"):
        labelled([parse(line("S", "0", "00000000"), 1)], {"7": DOCUMENT})
    assert labelled([parse(line("S", "0"), 1)], {}) == ([], {})


@pytest.mark.parametrize("wrong", ["7\tx\tS\t0", line("X", "0"), line("S", "one")])
def test_a_line_that_cannot_be_read_is_named(wrong: str) -> None:
    with pytest.raises(ConfigurationError, match="Line 3"):
        parse(wrong, 3)


@pytest.mark.parametrize("name", [name for name in SETS if name != CONTRAST])
def test_written_claims_are_balanced_and_whole(name: str) -> None:
    claims = read_written(name)
    counts = Counter(claim.label for claim in claims)
    assert counts[Label.SUPPORTS] == pytest.approx(counts[Label.REFUTES], rel=0.02)
    assert all(claim.sentences for claim in claims if claim.label is not Label.NOT_ENOUGH_INFO)
    assert len({(claim.document, claim.text) for claim in claims}) == len(claims)


def test_no_claim_is_written_over_an_abstract_that_is_measured_on(data_folder: Path) -> None:
    dataset = Dataset(scifact.DEFINITION, data_folder / "scifact")
    measured = {name for claim in dataset.claims("dev") for name in claim.cited}
    assert measured
    assert not measured & {claim.document for claim in read_written(SCIFACT)}


def test_contrast_claims_have_a_kind_before_the_claim() -> None:
    written = parse(f"7\t{checksum(DOCUMENT)}\tR\t0\tdirection\tAspirin raises the risk.", 1)
    assert (written.label, written.text) == (Label.REFUTES, "Aspirin raises the risk.")
    claims = read_written(CONTRAST)
    assert all(claim.sentences for claim in claims if claim.label is not Label.NOT_ENOUGH_INFO)
