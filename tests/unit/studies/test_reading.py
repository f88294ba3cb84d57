"""What a paper says of its study: design, dose, outcome; metadata goes before the text."""

from __future__ import annotations

import pytest

from claimscope.studies import Design, read_study
from claimscope.types import Document, Metadata

ABSTRACT = (
    "We randomly assigned 480 adults to vitamin D 2,000 IU daily or placebo. Blood sugar fell from "
    "110 mg/dL. The primary outcome was a first fall; deaths were counted."
)


def test_an_abstract_tells_its_study() -> None:
    found = read_study(Document("a", "Vitamin D and falls", ABSTRACT))
    assert found.design is Design.RANDOMISED_TRIAL
    assert (found.sample_size, found.sample_words, found.population) == (
        480,
        "480 adults",
        "adults",
    )
    assert found.doses == ("2,000 IU daily",)
    assert found.outcome == "a first fall"


def test_metadata_goes_first() -> None:
    meta = Metadata(study_type="cohort study", sample_size=500, population="nurses")
    found = read_study(Document("a", "A randomised trial", ABSTRACT, meta=meta))
    assert (found.design, found.sample_size, found.population) == (Design.COHORT, 500, "nurses")
    assert found.sample_words == "", "the number is the metadata's and no quotation"


@pytest.mark.parametrize(
    ("title", "abstract", "types", "design"),
    [
        ("X", "", ("Journal Article", "Meta-Analysis"), Design.SYSTEMATIC_REVIEW),
        ("X", "", ("Randomized Controlled Trial", "Meta-Analysis"), Design.SYSTEMATIC_REVIEW),
        ("X", "", ("Journal Article",), Design.UNKNOWN),
        ("X", "", ("Editorial",), Design.OPINION),
        ("A non-randomized study of X", "", (), Design.TRIAL),
        (
            "X",
            "Unlike an earlier randomised trial, this cohort study found harm.",
            (),
            Design.COHORT,
        ),
        ("X", "Mice are common. We fed male mice with fat.", (), Design.ANIMAL),
        ("X", "Cells were kept in vitro.", (), Design.LABORATORY),
        ("Perspective of patients", "We asked them.", (), Design.UNKNOWN),
    ],
)
def test_designs(title: str, abstract: str, types: tuple[str, ...], design: Design) -> None:
    document = Document("a", title, abstract, meta=Metadata(publication_types=types))
    assert read_study(document).design is design


def test_names_for_several() -> None:
    assert Design.COHORT.plural == "cohort studies"
    assert Design.RANDOMISED_TRIAL.plural == "randomised trials"
    assert Design.UNKNOWN.plural == "studies"
