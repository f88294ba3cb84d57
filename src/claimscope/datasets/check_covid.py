"""Check-COVID: claims from news about COVID-19 against abstracts of CORD-19."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimscope._download import Source
from claimscope.datasets.files import (
    document_of,
    find_file,
    need_file,
    parse_label,
    read_json_lines,
)
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim
from claimscope.labels import Label
from claimscope.measures.measure import DECIDING
from claimscope.types import Claim, Document, GoldEvidence

_RAW = (
    "https://raw.githubusercontent.com/posuer/Check-COVID/3ae70f8cac4df13a3ce56878e20d8e76790e422d"
)
_WAYS = ("composed", "extracted")


def _source(split: str, way: str) -> Source:
    name = f"covidCheck_{split}_{way}.json"
    return Source(f"{_RAW}/Check-COVID/{split}/{name}", {name: name})


CARD = Card(
    name="check-covid",
    title="Check-COVID",
    about="1,504 news claims about COVID-19 against 347 abstracts, with rationale sentences.",
    homepage="https://github.com/posuer/Check-COVID",
    paper="Wang et al. 2023, Check-COVID: Fact-Checking COVID-19 News Claims with Scientific "
    "Evidence, Findings of ACL",
    licence="MIT",
    folder="check_covid",
    labels={
        Label.SUPPORTS: "SUPPORT",
        Label.REFUTES: "REFUTE",
        Label.NOT_ENOUGH_INFO: "NOTENOUGHINFO",
    },
    splits={"train": Expected(1_068), "dev": Expected(207), "test": Expected(229)},
    documents=347,
    sources=(
        Source(
            f"{_RAW}/Check-COVID/corpus.json",
            {"corpus.json": "corpus.json"},
            size=635_536,
            sha256="2a56084b933f28ec02781a9e501082683ca4b9c4c1c6c8530190d6fb0002ce42",
        ),
        *(_source(split, way) for split in ("train", "dev", "test") for way in _WAYS),
    ),
    notes=(
        "The sentences given for a NOTENOUGHINFO claim are not evidence, and are not read as such.",
        "PRIMARY sentences make the rationale; SUPPLEMENTARY ones are context and are left out.",
        "The same text may occur several times, with another sentence and another label.",
        "Extracted claims were written by journalists, composed ones by annotators; "
        "dev-extracted and dev-composed are parts of dev, and so for the other splits.",
    ),
    parts=tuple(f"{split}-{way}" for split in ("train", "dev", "test") for way in _WAYS),
    may_train=True,
)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    split, _, way = split.partition("-")
    for extracted, labelled in _read(folder, split):
        if way in ("", _WAYS[extracted]):
            yield labelled


def _read(folder: Path, split: str) -> Iterator[tuple[bool, LabelledClaim]]:
    """Read a split from one file, or from the official two."""
    whole = find_file(folder, f"claims_{split}.jsonl")
    paths = [whole] if whole else [need_file(folder, f"covidCheck_{split}_{w}.json") for w in _WAYS]
    for path in paths:
        yield from read_json_lines(path, _claim)


def _claim(record: Any) -> tuple[bool, LabelledClaim]:
    """Read a claim, and whether it was extracted."""
    label = parse_label(record["label"])
    primary = frozenset(
        each["sent_index"] for each in record["evidence_set"] if each["type"] == "PRIMARY"
    )
    document = str(record["cord_id"])
    rationales = (primary,) if primary and label in DECIDING else ()
    return bool(record["is_auth"]), LabelledClaim(
        Claim(record["claim"].strip(), str(record["id"])),
        {document: GoldEvidence(label, rationales)},
        label=label,
        cited=(document,),
    )


def _documents(folder: Path) -> Iterator[Document]:
    return read_json_lines(
        need_file(folder, "corpus.jsonl", "corpus.json"),
        lambda record: document_of(record["cord_id"], record["title"], record["abstract"]),
    )


DEFINITION = Definition(CARD, _claims, _documents)
