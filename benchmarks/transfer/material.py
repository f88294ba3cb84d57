"""Claims with the evidence to read, gathered from the data sets on this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from claimscope.datasets.files import (
    document_of,
    find_file,
    need_file,
    parse_label,
    read_json_lines,
)
from claimscope.datasets.location import data_folders
from claimscope.datasets.record import Dataset, LabelledClaim
from claimscope.datasets.registry import open_dataset
from claimscope.errors import ClaimscopeError, FormatError, MissingDataError
from claimscope.labels import Label
from claimscope.text import split_sentences
from claimscope.types import Claim, Document
from transfer.sets import MeasuredSet

_COVID_SETS = ("check-covid", "healthver", "covidfact")
_COVID_WORDS = re.compile(r"covid|sars-cov-2|2019-ncov", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim, a document to read about it, and what annotators say the document says."""

    claim: Claim
    document: Document
    gold: Label | None
    """None where the data set labels whole claims only."""
    sentences: frozenset[int] = frozenset()
    """The gold sentences; empty where none are marked."""

    @property
    def shortened(self) -> Pair:
        """The pair with nothing but its gold sentences to read."""
        kept = [self.document.sentences[place] for place in sorted(self.sentences)]
        return replace(self, document=document_of(self.document.id, "", kept))


@dataclass(frozen=True, slots=True)
class Material:
    """A split of a data set, ready to be read."""

    split: str
    pairs: tuple[Pair, ...]
    verdicts: Mapping[str, Label]
    """The label of each whole claim, by its id."""


def gather(measured: MeasuredSet, limit: int | None) -> Material:
    """Gather the first claims of the first split that is here."""
    if measured.name == "nli4ct":
        return _statements(measured.splits[0], limit)
    dataset = open_dataset(measured.name)
    split, claims = _first_split(dataset, measured.splits, limit)
    documents = {document.id: document for document in dataset.documents()}
    verdicts = {each.claim.id: each.verdict for each in claims if each.verdict is not None}
    pairs = [pair for each in claims for pair in pairs_of(each, documents)]
    return Material(split, tuple(pairs), verdicts)


def _first_split(
    dataset: Dataset, splits: tuple[str, ...], limit: int | None
) -> tuple[str, list[LabelledClaim]]:
    for split in splits:
        try:
            return split, list(islice(dataset.claims(split), limit))
        except MissingDataError:
            continue
    raise MissingDataError(
        f"No split of {dataset.card.title} to measure on is here; get one of: {', '.join(splits)}."
    )


def pairs_of(labelled: LabelledClaim, documents: Mapping[str, Document]) -> Iterator[Pair]:
    """Pair a claim with all documents it is to be checked against.

    A document that is cited and is no evidence says nothing, as SciFact has it.
    """
    evidence = labelled.evidence or {}
    for name in dict.fromkeys((*labelled.cited, *evidence)):
        if name not in documents:
            raise FormatError(
                f"Claim {labelled.claim.id} names the document {name}, which the data set does not "
                "have; get the data set again."
            )
        gold = evidence.get(name)
        label = gold.label if gold else Label.NOT_ENOUGH_INFO
        sentences = frozenset[int]().union(*gold.rationales) if gold else frozenset[int]()
        yield Pair(labelled.claim, documents[name], label, sentences)


def _statements(split: str, limit: int | None) -> Material:
    path = need_file(_folder("nli4ct"), f"pairs_{split}.jsonl")
    pairs = tuple(islice(read_json_lines(path, _statement), limit))
    return Material(split, pairs, {pair.claim.id: pair.gold for pair in pairs if pair.gold})


def _statement(record: Any) -> Pair:
    name = str(record["id"])
    document = document_of(name, "", record["evidence_sentences"])
    return Pair(Claim(record["claim"], name), document, parse_label(record["label"]))


def _folder(name: str) -> Path:
    found = next((each / name for each in data_folders() if (each / name).is_dir()), None)
    if found is None:
        raise MissingDataError(f"The folder {name} is in no data folder; set CLAIMSCOPE_DATA.")
    return found


def covid_documents() -> Iterator[Document]:
    """Give every abstract about COVID-19 that is here; each id begins with where it is from."""
    for name in _COVID_SETS:
        try:
            documents = list(open_dataset(name).documents())
        except ClaimscopeError:
            continue  # The report says how many abstracts were searched.
        yield from (replace(each, id=f"{name}:{each.id}") for each in documents)
    yield from _pubmed()


def _pubmed() -> Iterator[Document]:
    folders = (folder / "corpora" for folder in data_folders())
    path = next((path for each in folders if (path := find_file(each, "pubmed.jsonl"))), None)
    if path is None:
        return
    for document in read_json_lines(path, _abstract):
        if document.has_abstract and _COVID_WORDS.search(document.text):
            yield document


def _abstract(record: Any) -> Document:
    abstract = record["abstract"] or ""
    spans = split_sentences(abstract)
    return Document(f"pubmed:{record['doc_id']}", record["title"] or "", abstract, spans)
