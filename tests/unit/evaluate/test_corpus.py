from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from claimscope.datasets.files import document_of
from claimscope.datasets.record import Dataset, Definition, LabelledClaim
from claimscope.errors import InputError
from claimscope.evaluate.corpus import open_corpus
from claimscope.evaluate.gold import gold_claims, oracle_evidence, read_gold, to_json
from claimscope.labels import Label
from claimscope.measures.records import GoldEvidence
from claimscope.types import Claim, Document

from .small import CARD, CLAIMS, DATASET

TITLE = "A trial of aspirin in four hundred adults"
SENTENCES = ["Aspirin was given to adults.", "Heart attacks became rarer in the trial."]


def _dataset(*documents: Document) -> Dataset:
    def read(folder: Path) -> Iterator[Document]:
        return iter(documents)

    definition = Definition(CARD, DATASET.definition.claims, read)
    return Dataset(definition, Path())


def test_two_records_of_one_paper_are_found_under_one_id(tmp_path: Path) -> None:
    twice = _dataset(document_of("a", TITLE, SENTENCES), document_of("b", TITLE, SENTENCES))
    evidence = {"b": GoldEvidence(Label.SUPPORTS, (frozenset({1}), frozenset({7})))}
    with open_corpus(twice, tmp_path) as corpus:
        assert (len(corpus.library), corpus.kept_id("b")) == (1, "a")
        [claim] = gold_claims([LabelledClaim(Claim("c", "1"), evidence)], corpus, False)
    assert list(claim.evidence) == ["a"]
    rationales = claim.evidence["a"].evidence.rationales
    assert rationales == (frozenset({1}),), "the text that was kept has no sentence 7"


def test_other_documents_make_another_library(tmp_path: Path) -> None:
    for sentences in (SENTENCES, SENTENCES[:1], SENTENCES):
        with open_corpus(_dataset(document_of("a", TITLE, sentences)), tmp_path) as corpus:
            assert corpus.find("a") == document_of("a", TITLE, sentences)
            assert corpus.find("x") is None
    assert len(list((tmp_path / "evaluation").iterdir())) == 2


def test_a_data_set_without_documents_needs_a_library(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without documents"), open_corpus(_dataset(), tmp_path):
        pass


def test_gold_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    with open_corpus(DATASET, tmp_path) as corpus:
        claims = list(gold_claims([*CLAIMS, LabelledClaim(Claim("kept back", "6"))], corpus, False))
    path.write_text("".join(to_json(claim) + "\n" for claim in claims))
    assert list(read_gold(path)) == claims
    assert claims[0].label is Label.DISPUTED
    assert claims[-1].documents is None


def test_evidence_without_a_label_takes_the_claims(tmp_path: Path) -> None:
    unlabelled = replace(CLAIMS[0], evidence={"aspirin": GoldEvidence(None)})
    refuted = replace(unlabelled, label=Label.REFUTES)
    disputed = replace(unlabelled, label=Label.DISPUTED)
    with open_corpus(DATASET, tmp_path) as corpus:
        made = [oracle_evidence(each) for each in gold_claims([refuted, disputed], corpus, False)]
    labels = [each["aspirin"].label for each in made]
    assert labels == [Label.REFUTES, Label.NOT_ENOUGH_INFO]
