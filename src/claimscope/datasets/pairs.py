"""Claim-abstract pairs, one per line, as MultiVerS prepared HealthVer and COVID-Fact.

A line: `claim_id`, `doc_id`, `claim`, `title`, `abstract` (sentences), `rationales`, `label`. All
lines of a claim follow each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from claimscope._download import Source
from claimscope.datasets.files import (
    document_of,
    find_file,
    need_file,
    parse_label,
    read_json_lines,
    unique,
)
from claimscope.datasets.record import LabelledClaim
from claimscope.datasets.scifact_format import read_claims, read_corpus
from claimscope.labels import Label
from claimscope.types import Claim, Document, GoldEvidence


def multivers_source(folder: str, *splits: str) -> Source:
    """Give MultiVerS's archive of data, with the files of one data set."""
    names = ("corpus.jsonl", *(f"claims_{split}.jsonl" for split in splits))
    return Source(
        "https://scifact.s3.us-west-2.amazonaws.com/longchecker/latest/data.tar.gz",
        {f"data/{folder}/{name}": name for name in names},
        size=3_610_222,
        sha256="0ce25066f18572af3307438a08d0d318a734d97d1d8c27ca43b51e81ae3d683c",
    )


def read_pairs(path: Path) -> Iterator[LabelledClaim]:
    """Read the pairs of each claim as one record."""
    rows = read_json_lines(path, _row)
    for name, group in groupby(rows, key=lambda row: row[0]):
        pairs = list(group)
        evidence = {document: gold for _, _, document, gold in pairs}
        yield LabelledClaim(Claim(pairs[0][1], name), evidence, cited=tuple(evidence))


def _row(record: Any) -> tuple[str, str, str, GoldEvidence]:
    rationales = tuple(map(frozenset, record["rationales"]))
    gold = GoldEvidence(parse_label(record["label"]), rationales)
    return str(record["claim_id"]), record["claim"], str(record["doc_id"]), gold


def read_paired_documents(paths: list[Path]) -> Iterator[Document]:
    """Give every abstract of the pairs once."""
    return unique(document for path in paths for document in read_json_lines(path, _document))


def _document(record: Any) -> Document:
    return document_of(record["doc_id"], record["title"], record["abstract"])


def multivers_claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    """Read MultiVerS' own files; a candidate abstract without evidence has the label NEI."""
    silent = GoldEvidence(Label.NOT_ENOUGH_INFO)
    for each in read_claims(need_file(folder, f"claims_{split}.jsonl")):
        evidence = {**dict.fromkeys(each.cited, silent), **(each.evidence or {})}
        yield LabelledClaim(each.claim, evidence, cited=each.cited)


def multivers_documents(folder: Path) -> Iterator[Document]:
    """Read MultiVerS' corpus, which names the sentences of an abstract as SciFact does."""
    return read_corpus(need_file(folder, "corpus.jsonl"))


def claims_in_any_form(folder: Path, split: str) -> Iterator[LabelledClaim]:
    """Read the split from pairs if they are there, and from MultiVerS' files otherwise."""
    pairs = find_file(folder, f"pairs_{split}.jsonl")
    return read_pairs(pairs) if pairs else multivers_claims(folder, split)


def documents_in_any_form(folder: Path, splits: tuple[str, ...]) -> Iterator[Document]:
    """Read the abstracts from pairs if they are there, and from MultiVerS' corpus otherwise."""
    found = [path for split in splits if (path := find_file(folder, f"pairs_{split}.jsonl"))]
    return read_paired_documents(found) if found else multivers_documents(folder)
