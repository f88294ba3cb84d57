"""The climate task of COMP90042: CLIMATE-FEVER's claims against 1.2 million passages."""

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
    read_json_object,
)
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim, Relevant
from claimscope.errors import FormatError
from claimscope.labels import Label
from claimscope.types import Claim, Document, GoldEvidence

_RAW = "https://raw.githubusercontent.com/drcarenhan/COMP90042_2024/main/data"

CARD = Card(
    name="climate",
    title="Climate task (COMP90042)",
    about="1,535 claims about the climate with four labels, against passages of Wikipedia.",
    homepage="https://github.com/drcarenhan/COMP90042_2024",
    paper="Diggelmann et al. 2020, CLIMATE-FEVER: A Dataset for Verification of Real-World "
    "Climate Claims",
    licence="none stated (passages are Wikipedia's, CC BY-SA)",
    folder="climate",
    labels={
        Label.SUPPORTS: "SUPPORTS",
        Label.REFUTES: "REFUTES",
        Label.NOT_ENOUGH_INFO: "NOT_ENOUGH_INFO",
        Label.DISPUTED: "DISPUTED",
    },
    splits={"train": Expected(1_228), "dev": Expected(154), "test": Expected(153)},
    documents=None,
    sources=tuple(
        Source(f"{_RAW}/{name}", {name: name}, size=size)
        for name, size in (
            ("train-claims.json", 328_040),
            ("dev-claims.json", 41_487),
            ("test-claims-unlabelled.json", 24_328),
        )
    ),
    by_hand="put evidence.json (174 MB), which the homepage links to, there",
    relevant=Relevant.JUDGED,
    notes=(
        "The answers of the test split are kept back.",
        "The whole evidence has 1,208,827 passages and is read into memory at once (1 GB).",
        "Evidence is a passage, not a sentence of an abstract: there are no rationales.",
        "A pool of 20,792 passages that holds all gold passages is easier to search than the whole "
        "1.2 million: recall on it cannot be compared with published recall.",
        "Passages labelled NOT_ENOUGH_INFO are gold evidence in this task's measures.",
    ),
)

_OFFICIAL = {"train": "train-claims", "dev": "dev-claims", "test": "test-claims-unlabelled"}


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    path = find_file(folder, f"claims_{split}.jsonl")
    if path:
        return read_json_lines(path, _claim)
    return _official_claims(need_file(folder, f"{_OFFICIAL[split]}.json"))


def _claim(record: Any) -> LabelledClaim:
    evidence = record.get("evidence")
    return LabelledClaim(
        Claim(record["claim"], str(record["id"])),
        None if evidence is None else dict(map(_passage, evidence)),
        label=parse_label(record["label"]) if "label" in record else None,
    )


def _passage(record: Any) -> tuple[str, GoldEvidence]:
    label = record.get("climate_fever_evidence_label")
    return str(record["evidence_id"]), GoldEvidence(parse_label(label) if label else None)


def _official_claims(path: Path) -> Iterator[LabelledClaim]:
    """Read the task's own form, one object of claims; it labels claims, not passages."""
    for name, record in read_json_object(path).items():
        try:
            listed = record.get("evidences")
            yield LabelledClaim(
                Claim(record["claim_text"], name),
                None if listed is None else {each: GoldEvidence(None) for each in listed},
                label=parse_label(record["claim_label"]) if "claim_label" in record else None,
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise FormatError(
                f"{path.name}: claim {name} has no claim_text, claim_label and evidences; check "
                "that it is the task's claims file."
            ) from error


def _documents(folder: Path) -> Iterator[Document]:
    pool = find_file(folder, "evidence_pool.jsonl")
    if pool:
        yield from read_json_lines(
            pool, lambda record: document_of(record["evidence_id"], "", [record["text"]])
        )
        return
    for name, text in read_json_object(need_file(folder, "evidence.json")).items():
        yield document_of(name, "", [text])


DEFINITION = Definition(CARD, _claims, _documents)
