"""CLIMATE-FEVER in its own form: five labelled passages a claim."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimscope._download import Source
from claimscope.datasets.files import document_of, need_file, parse_label, read_json_lines, unique
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim
from claimscope.labels import Label
from claimscope.types import Claim, Document, GoldEvidence

_FILE = "climate-fever-dataset-r1.jsonl"

CARD = Card(
    name="climate-fever",
    title="CLIMATE-FEVER",
    about="1,535 claims about the climate, each with five labelled passages of Wikipedia.",
    homepage="https://www.sustainablefinance.uzh.ch/en/research/climate-fever.html",
    paper="Diggelmann et al. 2020, CLIMATE-FEVER: A Dataset for Verification of Real-World "
    "Climate Claims",
    licence="none stated (passages are Wikipedia's, CC BY-SA)",
    folder="climate_fever",
    labels={
        Label.SUPPORTS: "SUPPORTS",
        Label.REFUTES: "REFUTES",
        Label.NOT_ENOUGH_INFO: "NOT_ENOUGH_INFO",
        Label.DISPUTED: "DISPUTED",
    },
    splits={"all": Expected(1_535, pairs=7_675)},
    documents=None,
    sources=(
        Source(
            "https://www.sustainablefinance.uzh.ch/dam/jcr:df02e448-baa1-4db8-921a-58507be4838e/"
            + _FILE,
            {_FILE: _FILE},
            sha256="8a4b9032d861be482ffb49dddfd283ffa6089e654f1e968040011882c5eb6e0b",
        ),
    ),
    notes=(
        "There are no splits; other copies call all of it 'test'.",
        "Labels must be words: the copy with numbers documents their order backwards.",
        "Any supporting and any refuting passage together make DISPUTED; this rule gives all 1,535 "
        "labels.",
    ),
)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    return read_json_lines(need_file(folder, _FILE), _claim)


def _claim(record: Any) -> LabelledClaim:
    return LabelledClaim(
        Claim(record["claim"], str(record["claim_id"])),
        {
            str(each["evidence_id"]): GoldEvidence(parse_label(each["evidence_label"]))
            for each in record["evidences"]
        },
        label=parse_label(record["claim_label"]),
    )


def _documents(folder: Path) -> Iterator[Document]:
    passages = read_json_lines(need_file(folder, _FILE), _passages)
    return unique(passage for each in passages for passage in each)


def _passages(record: Any) -> list[Document]:
    """Give a claim's passages, titled with their articles."""
    return [
        document_of(each["evidence_id"], each.get("article", ""), [each["evidence"]])
        for each in record["evidences"]
    ]


DEFINITION = Definition(CARD, _claims, _documents)
