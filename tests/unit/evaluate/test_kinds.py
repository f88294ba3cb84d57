"""Claims are put into kinds by rules, and each kind is scored apart."""

from __future__ import annotations

import pytest

from claimscope.evaluate.gold import GoldClaim, GoldDocument
from claimscope.evaluate.kinds import ClaimKind, Rarity, by_kind, kinds_of
from claimscope.labels import Label
from claimscope.measures import parse_measure
from claimscope.types import Document, GoldEvidence

from .conftest import MakeRun
from .small import DATASET, MAJORITY, SEARCH

COMMON = [Document(str(n), "", "aspirin lowers the risk of heart attack") for n in range(3)]
RARITY = Rarity([*COMMON, Document("rare", "", "troponin")])


def claim(text: str, *rationales: set[int]) -> GoldClaim:
    evidence = GoldEvidence(Label.SUPPORTS, tuple(map(frozenset, rationales)))
    document = GoldDocument(evidence, True, True, "", "", ())
    return GoldClaim("1", text, None, {"d": document} if rationales else {})


@pytest.mark.parametrize(
    "text",
    ["Aspirin lowers the risk by 20%", "1/2000 heart attack risk", "risk 3-fold", "risk 1,000"],
)
def test_a_number_of_its_own_counts(text: str) -> None:
    assert ClaimKind.NUMBERS in kinds_of(claim(text), RARITY)


@pytest.mark.parametrize("text", ["IL-6", "CO2 risk", "COVID-19", "p53", "the risk"])
def test_the_number_of_a_name_does_not(text: str) -> None:
    assert ClaimKind.NUMBERS not in kinds_of(claim(text), RARITY)


def test_a_word_that_hardly_any_document_has_is_rare() -> None:
    assert ClaimKind.RARE in kinds_of(claim("Troponin lowers risk"), RARITY)
    assert kinds_of(claim("Aspirin lowers risk"), RARITY) == {ClaimKind.ALL, ClaimKind.PLAIN}
    assert ClaimKind.RARE not in kinds_of(claim("Troponin"), Rarity([])), "nothing to compare with"


def test_joint_evidence_needs_several_sentences_in_every_rationale() -> None:
    assert ClaimKind.JOINT in kinds_of(claim("risk", {0, 1}), RARITY)
    assert ClaimKind.JOINT not in kinds_of(claim("risk", {0, 1}, {2}), RARITY)


def test_each_kind_is_scored_on_its_own_claims(make_run: MakeRun) -> None:
    more = [Document(name, "", "Lowers, make, fall, cures a cold.") for name in "ab"]
    documents = [*DATASET.documents(), *DATASET.documents(), *more]
    found = {each.kind: each for each in by_kind(make_run(MAJORITY), documents)}
    measure = parse_measure("abstract-label-only F1")
    values = {kind: (each.claims, each.values[measure]) for kind, each in found.items()}
    assert values == {
        ClaimKind.ALL: (5, pytest.approx(0.4)),
        ClaimKind.RARE: (2, 0.0),  # "helps" and "gained" are in no document
        ClaimKind.PLAIN: (3, pytest.approx(2 / 3)),
    }


def test_a_search_has_no_kinds(make_run: MakeRun) -> None:
    assert by_kind(make_run(SEARCH, name="search"), DATASET.documents()) == ()
