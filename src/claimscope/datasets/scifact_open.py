"""SciFact-Open: claims of SciFact's test split against half a million abstracts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from claimscope._download import Source
from claimscope.datasets.files import need_file, parse_label, read_json_lines
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim
from claimscope.datasets.scifact_format import read_corpus
from claimscope.labels import Label
from claimscope.types import Claim, Document, GoldEvidence

_FILES = ("claims.jsonl", "corpus.jsonl", "corpus_candidates.jsonl")

CARD = Card(
    name="scifact-open",
    title="SciFact-Open",
    about="279 claims against 500,000 abstracts, with evidence from citations and from pooling.",
    homepage="https://github.com/dwadden/scifact-open",
    paper="Wadden et al. 2022, SciFact-Open: Towards open-domain scientific claim verification",
    licence="none stated; SciFact's claims CC BY 4.0, abstracts ODC-By 1.0",
    folder="scifact_open",
    labels={Label.SUPPORTS: "SUPPORT", Label.REFUTES: "CONTRADICT"},
    splits={"test": Expected(279)},
    documents=500_000,
    sources=(
        Source(
            "https://scifact.s3.us-west-2.amazonaws.com/scifact-open/latest/scifact_open.tar.gz",
            {f"data/{name}": name for name in _FILES},
            size=287_369_773,
            sha256="8f4dc238b2eff422bab5c7918fcbddb6996b29d37cb887942ef6ee1a16fb3415",
        ),
    ),
    notes=(
        "Its claims are those of SciFact's test split: treat the labels as test data of SciFact.",
        "A document's rationale sets are merged into one, and those of pooled evidence are model "
        "output, so sentence-level measures mean nothing here.",
        "The paper's figures are means of 1,000 bootstrap samples.",
        "The parts 'citation' and 'pooling' hold all claims, with the evidence of one source.",
    ),
    parts=("citation", "pooling"),
)

CANDIDATES = replace(
    CARD,
    name="scifact-open-candidates",
    title="SciFact-Open, candidates",
    about="SciFact-Open against the 12,236 abstracts that any system retrieved for any claim.",
    documents=12_236,
)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    wanted = None if split == "test" else split
    return read_json_lines(need_file(folder, "claims.jsonl"), lambda record: _claim(record, wanted))


def _claim(record: Any, provenance: str | None) -> LabelledClaim:
    evidence: Mapping[str, Any] = record["evidence"]
    return LabelledClaim(
        Claim(record["claim"], str(record["id"])),
        {
            str(name): GoldEvidence(parse_label(each["label"]), (frozenset(each["sentences"]),))
            for name, each in evidence.items()
            if provenance in (None, each.get("provenance"))
        },
    )


def _documents(folder: Path) -> Iterator[Document]:
    return read_corpus(need_file(folder, "corpus.jsonl"))


def _candidates(folder: Path) -> Iterator[Document]:
    return read_corpus(need_file(folder, "corpus_candidates.jsonl"))


DEFINITION = Definition(CARD, _claims, _documents)
CANDIDATES_DEFINITION = Definition(CANDIDATES, _claims, _candidates)
