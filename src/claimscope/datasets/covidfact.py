"""COVID-Fact: claims from a forum on COVID-19, half of them altered by a machine to be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from claimscope.datasets.files import document_of, find_file, parse_label, read_json_lines, unique
from claimscope.datasets.pairs import claims_in_any_form, documents_in_any_form, multivers_source
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim
from claimscope.labels import Label
from claimscope.types import Claim, Document, GoldEvidence, Metadata

_SPLITS = ("train", "test")
_OFFICIAL = "COVIDFACT_dataset.jsonl"

CARD = Card(
    name="covidfact",
    title="COVID-Fact",
    about="Claims about COVID-19 against abstracts, as MultiVerS prepared them.",
    homepage="https://github.com/asaakyan/covidfact",
    paper="Saakyan et al. 2021, COVID-Fact: Fact Extraction and Verification of Real-World Claims "
    "on COVID-19 Pandemic, ACL",
    licence="none stated",
    folder="covidfact",
    labels={Label.SUPPORTS: "SUPPORTED", Label.REFUTES: "REFUTED"},
    splits={"train": Expected(903, pairs=940), "test": Expected(pairs=317)},
    documents=None,
    sources=(multivers_source("covidfact", *_SPLITS),),
    notes=(
        "Refuted claims were made by replacing a word by machine: some are not even sentences.",
        "A refuted claim shares its evidence with the supported claim it was made from, so splits "
        "at random leak.",
        "The authors' own file (4,086 claims, the part 'all') gives evidence sentences without "
        "their abstracts; the sentences of a claim are then one document.",
    ),
    parts=("all",),
)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    official = find_file(folder, _OFFICIAL)
    if official and split == "all":
        numbers = count()
        return read_json_lines(official, lambda record: _claim(str(next(numbers)), record))
    return claims_in_any_form(folder, split)


def _claim(number: str, record: Any) -> LabelledClaim:
    """Read one of the authors' records, which have no ids and are numbered from 0."""
    name = _name(record)
    label = parse_label(record["label"])
    whole = frozenset(range(len(record["evidence"])))
    return LabelledClaim(
        Claim(record["claim"], number),
        {name: GoldEvidence(label, (whole,) if whole else ())},
        label=label,
        cited=(name,),
    )


def _documents(folder: Path) -> Iterator[Document]:
    official = find_file(folder, _OFFICIAL)
    return _evidence(official) if official else documents_in_any_form(folder, _SPLITS)


def _evidence(path: Path) -> Iterator[Document]:
    return unique(
        read_json_lines(
            path,
            lambda record: document_of(
                _name(record), "", record["evidence"], Metadata(url=record.get("gold_source"))
            ),
        )
    )


def _name(record: Any) -> str:
    """Name a list of evidence sentences by its text, since the file gives it no name."""
    return sha256("\n".join(record["evidence"]).encode()).hexdigest()[:16]


DEFINITION = Definition(CARD, _claims, _documents)
