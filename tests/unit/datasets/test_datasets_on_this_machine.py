"""Counts and the first, tenth and last items of the data sets in the data folder."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from claimscope.datasets import (
    LabelledClaim,
    Relevant,
    answers_of,
    check,
    find_definition,
    gold_of,
    qrels_of,
)
from claimscope.datasets.record import Dataset
from claimscope.labels import Label
from claimscope.types import GoldEvidence


def _open(name: str, data_folder: Path) -> Dataset:
    definition = find_definition(name)
    folder = data_folder / definition.card.folder
    if not folder.is_dir():
        pytest.skip(f"{name} is not in the data folder")
    return Dataset(definition, folder)


_PRESENT = ["scifact", "check-covid", "covid19-scientific", "scifact-covid36", "climate"]
_PRESENT += ["healthver", "covidfact", "fever"]


@pytest.mark.parametrize("name", _PRESENT)
def test_everything_that_is_there_has_the_right_count(name: str, data_folder: Path) -> None:
    findings = list(check(_open(name, data_folder)))
    counted = [finding for finding in findings if not finding.missing]
    assert len(counted) >= 2
    assert all(finding.right for finding in counted)


@pytest.mark.parametrize(
    ("name", "split", "ids"),
    [
        ("scifact", "train", ("0", "15", "1407")),
        ("scifact", "dev", ("1", "51", "1395")),
        ("scifact", "test", ("7", "65", "1408")),
        (
            "check-covid",
            "train",
            (
                "60b83923f9b9e03ea4d8e6be_0",
                "60934ca4f9b9e03ea4d8e511_0",
                "60706338f9b9e03ea4d8e4a7_2",
            ),
        ),
        (
            "check-covid",
            "dev",
            (
                "60ac5f7ff9b9e03ea4d8e68e_0",
                "605373066bc088b6d218dc5c_0",
                "60a06208f9b9e03ea4d8e66b_2",
            ),
        ),
        ("covid19-scientific", "test", ("1", "10", "142")),
        ("scifact-covid36", "test", ("0", "9", "35")),
        ("climate", "train", ("claim-1937", "claim-2834", "claim-3093")),
        ("climate", "dev", ("claim-752", "claim-1786", "claim-1021")),
        ("climate", "test", ("claim-2967", "claim-148", "claim-1212")),
        ("healthver", "train", ("0", "9", "1392")),
        ("healthver", "dev", ("1393", "1402", "1622")),
        ("covidfact", "train", ("0", "30", "4064")),
    ],
)
def test_first_tenth_and_last_claim(
    name: str, split: str, ids: tuple[str, str, str], data_folder: Path
) -> None:
    claims = list(_open(name, data_folder).claims(split))
    assert tuple(claims[position].claim.id for position in (0, 9, -1)) == ids


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("scifact", ("4983", "70490", "198309074")),
        ("check-covid", ("8vp57c1o", "nl4ysbnr", "ex1ahuc6")),
        ("climate", ("evidence-205", "evidence-783", "evidence-1208729")),
        ("healthver", ("57", "271", "112")),
        ("covidfact", ("0", "18", "408")),
    ],
)
def test_first_tenth_and_last_document(
    name: str, ids: tuple[str, str, str], data_folder: Path
) -> None:
    documents = list(_open(name, data_folder).documents())
    assert tuple(documents[position].id for position in (0, 9, -1)) == ids
    assert len({document.id for document in documents}) == len(documents)


def _dev(data_folder: Path) -> list[LabelledClaim]:
    return list(_open("scifact", data_folder).claims("dev"))


def test_scifact_dev_has_the_counts_the_papers_give(data_folder: Path) -> None:
    claims = _dev(data_folder)
    sets = [
        r for each in gold_of(claims).values() for gold in each.values() for r in gold.rationales
    ]
    assert sum(map(len, gold_of(claims).values())) == 209
    assert sum(map(len, sets)) == 366
    assert (len(sets), sum(len(each) == 1 for each in sets)) == (338, 313)
    assert sum(map(len, qrels_of(claims, Relevant.CITED).values())) == 339
    assert Counter(each.verdict for each in claims) == {
        Label.SUPPORTS: 124,
        Label.REFUTES: 64,
        Label.NOT_ENOUGH_INFO: 112,
    }


def test_a_scifact_claim_in_full(data_folder: Path) -> None:
    labelled = _dev(data_folder)[1]
    assert labelled.claim.text.startswith("1,000 genomes project enables mapping")
    assert labelled.evidence == {
        "14717500": GoldEvidence(Label.SUPPORTS, (frozenset({2, 5}), frozenset({7})))
    }
    assert labelled.cited == ("14717500",)
    assert labelled.label is None
    assert labelled.verdict is Label.SUPPORTS


def test_answers_that_are_kept_back_are_not_empty_answers(data_folder: Path) -> None:
    test = list(_open("scifact", data_folder).claims("test"))
    assert {each.evidence for each in test} == {None}
    assert {each.verdict for each in test} == {None}
    assert gold_of(test) == {}


@pytest.mark.parametrize("name", ["scifact", "check-covid", "healthver", "covidfact", "climate"])
def test_every_gold_document_and_sentence_exists(name: str, data_folder: Path) -> None:
    dataset = _open(name, data_folder)
    sentences = {document.id: len(document.spans) for document in dataset.documents()}
    missing = {finding.what for finding in check(dataset) if finding.missing}
    for split in dataset.card.splits:
        if f"claims in {split}" in missing:
            continue
        for labelled in dataset.claims(split):
            for document, gold in (labelled.evidence or {}).items():
                assert document in sentences
                assert all(0 <= s < sentences[document] for r in gold.rationales for s in r)


def test_sentences_are_verbatim(data_folder: Path) -> None:
    document = next(_open("scifact", data_folder).documents())
    assert document.sentences[0].startswith("Alterations of the architecture")
    assert all(sentence in document.abstract for sentence in document.sentences)


def test_check_covid_parts_make_up_the_split(data_folder: Path) -> None:
    dataset = _open("check-covid", data_folder)
    assert len(list(dataset.claims("dev-extracted"))) == 47
    assert len(list(dataset.claims("dev-composed"))) == 160
    silent = [c for c in dataset.claims("dev") if c.label is Label.NOT_ENOUGH_INFO]
    assert len(silent) == 68
    assert all(not gold.rationales for c in silent for gold in (c.evidence or {}).values())


def test_the_disputed_rule_gives_every_climate_label(data_folder: Path) -> None:
    dataset = _open("climate", data_folder)
    for split in ("train", "dev"):
        for each in dataset.claims(split):
            assert LabelledClaim(each.claim, each.evidence).verdict is each.label


def test_climate_counts_passages_that_say_nothing(data_folder: Path) -> None:
    dataset = _open("climate", data_folder)
    claims = list(dataset.claims("dev"))
    listed = sum(len(each.evidence or ()) for each in claims)
    assert sum(map(len, dataset.qrels("dev").values())) == listed
    assert sum(map(len, qrels_of(claims).values())) < listed
    assert sum(len(answer.evidence) for answer in answers_of(claims).values()) == listed


def test_covid19_scientific_labels(data_folder: Path) -> None:
    claims = _open("covid19-scientific", data_folder).claims("test")
    assert Counter(each.verdict for each in claims) == {Label.SUPPORTS: 41, Label.REFUTES: 101}
