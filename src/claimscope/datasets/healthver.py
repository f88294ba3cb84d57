"""HealthVer: health claims from web searches against abstracts of CORD-19."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from claimscope.datasets.files import document_of, find_file, parse_label, read_table, unique
from claimscope.datasets.pairs import claims_in_any_form, documents_in_any_form, multivers_source
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim
from claimscope.labels import Label
from claimscope.measures.measure import DECIDING
from claimscope.types import Claim, Document, GoldEvidence

_SPLITS = ("train", "dev", "test")

CARD = Card(
    name="healthver",
    title="HealthVer",
    about="Health claims against abstracts of CORD-19, as MultiVerS prepared them.",
    homepage="https://github.com/sarrouti/HealthVer",
    paper="Sarrouti et al. 2021, Evidence-based Fact-Checking of Health-related Claims, Findings "
    "of EMNLP",
    licence="none stated",
    folder="healthver",
    labels={
        Label.SUPPORTS: "Supports",
        Label.REFUTES: "Refutes",
        Label.NOT_ENOUGH_INFO: "Neutral",
    },
    splits={
        "train": Expected(1_392, pairs=5_292),
        "dev": Expected(230, pairs=940),
        "test": Expected(),
    },
    documents=None,
    sources=(multivers_source("healthver", *_SPLITS),),
    notes=(
        "Of the 219 abstracts of test, 217 occur in train: a model may know the documents.",
        "One claim may be supported by one abstract and refuted by another.",
        "The authors' own files pair claims with snippets (14,330 of them), not with abstracts; "
        "each snippet is then a document of one sentence.",
    ),
)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    table = find_file(folder, f"healthver_{split}.csv")
    return _snippet_claims(table) if table else claims_in_any_form(folder, split)


def _documents(folder: Path) -> Iterator[Document]:
    tables = [path for each in _SPLITS if (path := find_file(folder, f"healthver_{each}.csv"))]
    return _snippets(tables) if tables else documents_in_any_form(folder, _SPLITS)


def _snippet_claims(path: Path) -> Iterator[LabelledClaim]:
    """Read the authors' table; each row is a claim with one snippet and a label."""
    return read_table(path, ",", _snippet_claim)


def _snippet_claim(row: Mapping[str, str]) -> LabelledClaim:
    name = _snippet_name(row)
    label = parse_label(row["label"])
    evidence = {name: GoldEvidence(label, (frozenset({0}),) if label in DECIDING else ())}
    return LabelledClaim(Claim(row["claim"].strip(), row["id"]), evidence, cited=(name,))


def _snippets(paths: list[Path]) -> Iterator[Document]:
    return unique(document for path in paths for document in read_table(path, ",", _snippet))


def _snippet(row: Mapping[str, str]) -> Document:
    return document_of(_snippet_name(row), "", [row["evidence"].strip()])


def _snippet_name(row: Mapping[str, str]) -> str:
    """Name a snippet by its text, since the table gives it no name."""
    return sha256(row["evidence"].strip().encode()).hexdigest()[:16]


DEFINITION = Definition(CARD, _claims, _documents)
