"""The exploratory look, and the check of counts, on a data set small enough to count by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.datasets import check, describe, find_definition
from claimscope.datasets.describe import distribution
from claimscope.datasets.record import Dataset
from claimscope.labels import Label

_DOCUMENTS = [
    {"doc_id": 1, "title": "Tea and sleep", "abstract": ["Tea delayed sleep.", "The cell cell."]},
    {"doc_id": 2, "title": "Coffee", "abstract": ["Coffee-lovers slept."]},
]


def _set(sentences: list[int], label: str = "SUPPORT") -> dict[str, object]:
    return {"sentences": sentences, "label": label}


_TRAIN = [
    {"id": 1, "claim": "Tea delays sleep.", "evidence": {"1": [_set([0]), _set([1])]}},
    {"id": 2, "claim": "Coffee!", "evidence": {}},
    {"id": 3, "claim": "Both.", "evidence": {"1": [_set([0, 1])], "2": [_set([0], "CONTRADICT")]}},
]
_DEV = [{"id": 4, "claim": "TEA  delays sleep", "evidence": {"2": [_set([0])]}}]


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    files = {"claims_train": _TRAIN, "claims_dev": _DEV, "corpus": _DOCUMENTS}
    for name, records in files.items():
        text = "".join(json.dumps(record) + "\n" for record in records)
        (tmp_path / f"{name}.jsonl").write_text(text)
    return Dataset(find_definition("scifact"), tmp_path)


def test_splits_that_are_there(dataset: Dataset) -> None:
    train, dev = describe(dataset).splits
    assert (train.name, train.claims, train.kept_back) == ("train", 3, 0)
    assert train.labels == {Label.SUPPORTS: 1, Label.NOT_ENOUGH_INFO: 1, Label.DISPUTED: 1}
    assert train.document_labels == {Label.SUPPORTS: 2, Label.REFUTES: 1}
    assert train.claim_words.histogram == {1: 2, 3: 1}
    assert train.evidence_per_claim.histogram == {0: 1, 1: 1, 2: 1}
    assert train.rationales_per_claim.histogram == {0: 1, 2: 2}
    assert train.sentences_per_rationale.histogram == {1: 3, 2: 1}
    assert dev.labels == {Label.SUPPORTS: 1}


def test_leaks_are_found_by_words_and_documents(dataset: Dataset) -> None:
    (leak,) = describe(dataset).leaks
    assert (leak.first, leak.second, leak.claims, leak.evidence_documents) == ("train", "dev", 1, 1)


def test_documents_and_words(dataset: Dataset) -> None:
    description = describe(dataset)
    assert description.documents == 2
    assert description.document_words.histogram == {3: 1, 9: 1}
    assert description.evidence_words.count == 2
    assert description.rationale_words.histogram == {2: 1, 3: 2}
    assert description.vocabulary == 9
    assert description.frequent_terms[0] == ("cell", 1)
    assert "the" not in dict(description.frequent_terms)


def test_a_distribution() -> None:
    spread = distribution([1, 2, 2, 7])
    assert (spread.minimum, spread.median, spread.mean, spread.maximum) == (1, 2, 3, 7)
    assert distribution([]).count == 0


def test_the_check_tells_wrong_from_missing(dataset: Dataset) -> None:
    findings = {finding.what: finding for finding in check(dataset)}
    assert (findings["claims in train"].found, findings["claims in train"].right) == (3, False)
    assert findings["claims in test"].missing
    assert "claims_test.jsonl" in findings["claims in test"].problem
    assert findings["documents"].expected == 5183


def test_a_damaged_file_is_a_problem_not_a_crash(dataset: Dataset) -> None:
    (dataset.folder / "corpus.jsonl").write_text("{")
    findings = {finding.what: finding for finding in check(dataset)}
    assert "line 1 is not JSON" in findings["documents"].problem
    assert not findings["documents"].missing
