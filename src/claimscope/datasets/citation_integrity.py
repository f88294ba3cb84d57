"""Citation-Integrity: citing statements against passages of the paper they cite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from claimscope.datasets.files import need_file, parse_label
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim
from claimscope.datasets.scifact_format import read_claims, read_corpus
from claimscope.labels import Label
from claimscope.types import Document

CARD = Card(
    name="citation-integrity",
    title="Citation-Integrity",
    about="Citing statements of biomedical papers, judged against the paper they cite.",
    homepage="https://github.com/ScienceNLP-Lab/Citation-Integrity",
    paper="Sarol et al. 2024, Assessing citation integrity in biomedical publications: corpus "
    "annotation and NLP models, Bioinformatics",
    licence="none stated",
    folder="citation_integrity",
    labels={
        Label.SUPPORTS: "ACCURATE",
        Label.REFUTES: "NOT_ACCURATE",
        Label.NOT_ENOUGH_INFO: "IRRELEVANT",
    },
    splits={"train": Expected(), "dev": Expected(), "test": Expected()},
    documents=None,
    by_hand="put claims_train.jsonl, claims_dev.jsonl, claims_test.jsonl and corpus.jsonl from the "
    "shared folder the homepage links to there",
    notes=(
        "NOT_ACCURATE holds contradiction, but also misquoting, oversimplifying and claims the "
        "paper does not substantiate; all are read as REFUTES.",
        "A document is a passage of the cited paper, and its 'abstract' the passage's sentences.",
        "The statements keep markers such as <|cit|> where the citation stood.",
        "The paper counts 3,063 statements, and does not say how many each split has.",
    ),
)

_SPELLINGS = {
    "ACCURATE": Label.SUPPORTS,
    "NOT_ACCURATE": Label.REFUTES,
    "IRRELEVANT": Label.NOT_ENOUGH_INFO,
    # The finer labels of the annotation, in the copy inside the repository.
    "NOT_SUBSTANTIATE": Label.REFUTES,
    "MISQUOTE": Label.REFUTES,
    "OVERSIMPLIFY": Label.REFUTES,
    "INDIRECT": Label.REFUTES,
    "INDIRECT_NOT_REVIEW": Label.REFUTES,
    "ETIQUETTE": Label.REFUTES,
}


def _label(spelling: object) -> Label:
    known = _SPELLINGS.get(spelling) if isinstance(spelling, str) else None
    return known or parse_label(spelling)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    path = need_file(folder, f"claims_{split}.jsonl", f"claims-{split}.jsonl")
    return read_claims(path, _label)


def _documents(folder: Path) -> Iterator[Document]:
    return read_corpus(need_file(folder, "corpus.jsonl"))


DEFINITION = Definition(CARD, _claims, _documents)
