"""PubHealth: claims of fact-checking and news sites, with the article that judged them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from claimscope._download import Source
from claimscope.datasets.files import need_file, read_table, unique
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim
from claimscope.errors import UnknownLabelError
from claimscope.labels import Label
from claimscope.text import split_sentences
from claimscope.types import Claim, Document, GoldEvidence

_SPLITS = ("train", "dev", "test")

CARD = Card(
    name="pubhealth",
    title="PUBHEALTH",
    about="12,000 public-health claims, with the article that judged each.",
    homepage="https://github.com/neemakot/Health-Fact-Checking",
    paper="Kotonya and Toni 2020, Explainable Automated Fact-Checking for Public Health Claims, "
    "EMNLP",
    licence="MIT; the articles belong to their publishers",
    folder="pubhealth",
    labels={
        Label.SUPPORTS: "true",
        Label.REFUTES: "false",
        Label.NOT_ENOUGH_INFO: "unproven",
        Label.DISPUTED: "mixture",
    },
    splits={"train": Expected(9_817), "dev": Expected(1_227), "test": Expected(1_235)},
    documents=None,
    sources=(
        Source(
            "https://drive.google.com/uc?export=download&id=1eTtRs5cUlBP5dXsx-FTAlmXuB6JQi2qj",
            {f"PUBHEALTH/{split}.tsv": f"{split}.tsv" for split in _SPLITS},
            sha256="3f0a5541f4a60c09a138a896621402893ce4b3a37060363d9257010c2c27fc3a",
        ),
    ),
    notes=(
        "The document is the fact-check itself and states the verdict: it is not evidence from "
        "research, and finding it is not retrieval of science.",
        "'mixture' is read as DISPUTED and 'unproven' as NOT_ENOUGH_INFO, which they resemble.",
        "Some rows have no label, or other text in its place; these claims come without label.",
        "The count is of the rows the authors state; programs that split rows differently find a "
        "few more or fewer.",
    ),
)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    return read_table(need_file(folder, f"{split}.tsv"), "\t", _claim)


def _claim(row: Mapping[str, str]) -> LabelledClaim:
    name = row["claim_id"].strip()
    evidence = {name: GoldEvidence(None)} if row["main_text"].strip() else {}
    claim = Claim(row["claim"].strip(), name)
    return LabelledClaim(claim, evidence, label=_label(row["label"]), cited=tuple(evidence))


def _label(spelling: str) -> Label | None:
    try:
        return Label.parse(spelling)
    except UnknownLabelError:
        return None  # Stray text where a label belongs; the authors' files have a few.


def _documents(folder: Path) -> Iterator[Document]:
    articles = (
        article
        for split in _SPLITS
        for article in read_table(need_file(folder, f"{split}.tsv"), "\t", _article)
    )
    return unique(article for article in articles if article.has_abstract)


def _article(row: Mapping[str, str]) -> Document:
    text = row["main_text"].strip()
    return Document(row["claim_id"].strip(), "", text, split_sentences(text))


DEFINITION = Definition(CARD, _claims, _documents)
