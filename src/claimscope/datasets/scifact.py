"""SciFact: expert-written claims against abstracts of biomedical papers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from claimscope._download import Source
from claimscope.datasets import scifact_format
from claimscope.datasets.files import need_file
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim
from claimscope.datasets.scifact_format import read_claims, read_corpus
from claimscope.labels import Label
from claimscope.types import Document

__all__ = ["DEFINITION", "read_claims", "read_corpus"]

CARD = Card(
    name="scifact",
    title="SciFact",
    about="1,409 scientific claims against 5,183 abstracts, with rationale sentences.",
    homepage="https://github.com/allenai/scifact",
    paper="Wadden et al. 2020, Fact or Fiction: Verifying Scientific Claims, EMNLP",
    licence="claims and annotations CC BY 4.0, abstracts ODC-By 1.0",
    folder="scifact",
    labels={Label.SUPPORTS: "SUPPORT", Label.REFUTES: "CONTRADICT"},
    splits={"train": Expected(809), "dev": Expected(300), "test": Expected(300)},
    documents=5_183,
    sources=(
        Source(
            "https://scifact.s3-us-west-2.amazonaws.com/release/latest/data.tar.gz",
            {
                f"data/{name}": name
                for name in (
                    "corpus.jsonl",
                    "claims_train.jsonl",
                    "claims_dev.jsonl",
                    "claims_test.jsonl",
                )
            },
            size=3_115_079,
            sha256="11c621288d41ac144d29b13b0f8503b3820b7d6e8b1f6ff24dff335c196d76be",
        ),
    ),
    notes=(
        "A claim without evidence is the NOT_ENOUGH_INFO case; the files have no such label.",
        "The answers of the test split are kept back: it can be predicted, not scored.",
        "No claim has both supporting and refuting evidence, so DISPUTED cannot be tested here.",
        "In dev, 112 of 300 claims have no evidence, and hit-one and hit-all count them as hits.",
        "BEIR calls dev 'test' and counts the 339 cited documents as relevant; the 209 evidence "
        "abstracts are what recall is counted over here.",
    ),
    may_train=True,
)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    return scifact_format.read_claims(need_file(folder, f"claims_{split}.jsonl"))


def _documents(folder: Path) -> Iterator[Document]:
    return scifact_format.read_corpus(need_file(folder, "corpus.jsonl"))


DEFINITION = Definition(CARD, _claims, _documents)
