from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from claimscope.datasets.files import document_of
from claimscope.datasets.record import Dataset, Definition, LabelledClaim
from claimscope.errors import InputError
from claimscope.evaluate.corpus import open_corpus
from claimscope.evaluate.gold import gold_claims, gold_to_json, oracle_evidence, read_gold
from claimscope.labels import Label
from claimscope.types import Claim, Document, GoldEvidence

from .small import CARD, CLAIMS, DATASET

TITLE = "A trial of aspirin in four hundred adults"
SENTENCES = ["Aspirin was given to adults.", "Heart attacks became rarer in the trial."]


def _dataset(*documents: Document) -> Dataset:
    def read(folder: Path) -> Iterator[Document]:
        return iter(documents)

    definition = Definition(CARD, DATASET.definition.claims, read)
    return Dataset(definition, Path())


def test_two_records_of_one_paper_stay_two(tmp_path: Path) -> None:
    twice = _dataset(document_of("a", TITLE, SENTENCES), document_of("b", TITLE, SENTENCES))
    with open_corpus(twice, tmp_path) as library:
        assert [each.id for each in library.documents()] == ["a", "b"]


def test_other_documents_make_another_library(tmp_path: Path) -> None:
    for sentences in (SENTENCES, SENTENCES[:1], SENTENCES):
        with open_corpus(_dataset(document_of("a", TITLE, sentences)), tmp_path) as library:
            assert library.get(["a"]) == [document_of("a", TITLE, sentences)]
    assert len(list((tmp_path / "corpora").iterdir())) == 2


def test_a_data_set_without_documents_needs_a_library(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without documents"), open_corpus(_dataset(), tmp_path):
        pass


def test_gold_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    with open_corpus(DATASET, tmp_path) as library:
        claims = list(
            gold_claims([*CLAIMS, LabelledClaim(Claim("kept back", "6"))], library, False)
        )
    path.write_text("".join(gold_to_json(claim) + "\n" for claim in claims))
    assert list(read_gold(path)) == claims
    assert claims[0].label is Label.DISPUTED
    assert claims[-1].documents is None


def test_evidence_without_a_label_takes_the_claims(tmp_path: Path) -> None:
    unlabelled = replace(CLAIMS[0], evidence={"aspirin": GoldEvidence(None)})
    refuted = replace(unlabelled, label=Label.REFUTES)
    disputed = replace(unlabelled, label=Label.DISPUTED)
    with open_corpus(DATASET, tmp_path) as library:
        made = [oracle_evidence(each) for each in gold_claims([refuted, disputed], library, False)]
    labels = [each["aspirin"].label for each in made]
    assert labels == [Label.REFUTES, Label.NOT_ENOUGH_INFO]
