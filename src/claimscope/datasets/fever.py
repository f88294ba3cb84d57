"""FEVER: claims about Wikipedia, as pairs of a claim and its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimscope.datasets.files import (
    document_of,
    find_file,
    need_file,
    parse_label,
    read_json_lines,
    tidy,
)
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim
from claimscope.labels import Label
from claimscope.types import Claim, Document, GoldEvidence

_FILES = {"dev": "dev_pairs.jsonl", "train": "train_pairs.jsonl"}

CARD = Card(
    name="fever",
    title="FEVER",
    about="Claims about Wikipedia that its sentences support or refute; the development set.",
    homepage="https://fever.ai/dataset/fever.html",
    paper="Thorne et al. 2018, FEVER: a Large-scale Dataset for Fact Extraction and VERification, "
    "NAACL",
    licence="CC BY-SA 3.0",
    folder="fever",
    labels={Label.SUPPORTS: "SUPPORTS", Label.REFUTES: "REFUTES"},
    splits={"dev": Expected(13_092)},
    documents=1_432,
    by_hand=f"write there, as {_FILES['dev']}, an object a line with the id, claim, evidence and "
    "label of each claim in paper_dev.jsonl, the evidence being its sentences in wiki-pages.zip; "
    f"the homepage links to both. {_FILES['train']}, made of train.jsonl in the same way, is the "
    "split train, which training takes where it is there",
    parts=("train",),
    notes=(
        "Claims without enough information are left out, and so are all other sentences of a page.",
        "Evidence that shares a sentence is taken as one document, so a document is the evidence "
        "of a page and not its text: it is made for training, not for measuring a search.",
        "11,172 of its claims occur in the synthetic part of VitaminC, too.",
    ),
    may_train=True,
)

_END = re.compile(r"(?<= [.!?]) ")
"""Between sentences: a full stop that stands alone, so not that of an abbreviation."""


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    claim: str
    sentences: tuple[str, ...]
    label: Label


def _rows(folder: Path, split: str) -> list[_Row]:
    return list(read_json_lines(need_file(folder, _FILES[split]), _row))


def _named(page: int, split: str) -> str:
    """Name a page; those of one split are not those of another."""
    return str(page) if split == "dev" else f"{split}-{page}"


def _row(record: Any) -> _Row:
    sentences = tuple(dict.fromkeys(_END.split(tidy(record["evidence"]))))
    label = parse_label(record["label"])
    return _Row(str(record["id"]), tidy(record["claim"]), sentences, label)


def _pages(rows: Sequence[_Row]) -> dict[int, list[str]]:
    """Join all evidence that shares a sentence, step by step, in the order of the file."""
    pages: dict[int, list[str]] = {}
    page_of: dict[str, int] = {}
    for number, row in enumerate(rows):
        known = {page_of[sentence] for sentence in row.sentences if sentence in page_of}
        page = min(known, default=number)
        moved = [sentence for other in sorted(known - {page}) for sentence in pages.pop(other)]
        new = [sentence for sentence in row.sentences if sentence not in page_of]
        pages.setdefault(page, []).extend([*moved, *new])
        page_of.update(dict.fromkeys([*moved, *new], page))
    return pages


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    """Read the rows of a claim as one record; the three claims with two labels make two."""
    rows = _rows(folder, split)
    places = {
        sentence: (_named(page, split), index)
        for page, sentences in _pages(rows).items()
        for index, sentence in enumerate(sentences)
    }
    claims: dict[tuple[str, Label], list[_Row]] = {}
    for row in rows:
        claims.setdefault((row.claim, row.label), []).append(row)
    for (text, label), same in claims.items():
        sets: dict[str, dict[frozenset[int], None]] = {}
        for row in same:
            page = places[row.sentences[0]][0]
            chosen = frozenset(places[sentence][1] for sentence in row.sentences)
            sets.setdefault(page, {})[chosen] = None
        evidence = {page: GoldEvidence(label, tuple(found)) for page, found in sets.items()}
        yield LabelledClaim(Claim(text, same[0].name), evidence, cited=tuple(evidence))


def _documents(folder: Path) -> Iterator[Document]:
    for split, file in _FILES.items():
        if split == "dev" or find_file(folder, file) is not None:
            for page, sentences in _pages(_rows(folder, split)).items():
                yield document_of(_named(page, split), "", sentences)


DEFINITION = Definition(CARD, _claims, _documents)
