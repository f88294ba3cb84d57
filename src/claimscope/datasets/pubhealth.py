"""PubHealth: claims of fact-checking and news sites, with the article that judged them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from claimscope.datasets.files import need_file, read_table
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim, Source
from claimscope.errors import FormatError, UnknownLabelError
from claimscope.labels import Label
from claimscope.measures.records import GoldEvidence
from claimscope.text import split_sentences
from claimscope.types import Claim, Document

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
    for name, row in _rows(need_file(folder, f"{split}.tsv")):
        evidence = {name: GoldEvidence(None)} if row["main_text"].strip() else {}
        yield LabelledClaim(
            Claim(row["claim"].strip(), name), evidence, label=_label(row), cited=tuple(evidence)
        )


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    for number, row in enumerate(read_table(path, "\t"), 2):
        if not {"claim_id", "claim", "main_text", "label"} <= row.keys():
            raise FormatError(
                f"{path.name}, row {number} lacks a column of PubHealth's; get the file again."
            )
        yield row["claim_id"].strip() or f"{path.stem}-{number}", row


def _label(row: Mapping[str, str]) -> Label | None:
    try:
        return Label.parse(row["label"])
    except UnknownLabelError:
        return None  # Stray text where a label belongs; the authors' files have a few.


def _documents(folder: Path) -> Iterator[Document]:
    seen: set[str] = set()
    for split in _SPLITS:
        for name, row in _rows(need_file(folder, f"{split}.tsv")):
            text = row["main_text"].strip()
            if text and name not in seen:
                seen.add(name)
                yield Document(name, "", text, split_sentences(text))


DEFINITION = Definition(CARD, _claims, _documents)
