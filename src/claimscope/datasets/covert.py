"""CoVERT: tweets about COVID-19 with snippets that annotators found on the web."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from claimscope.datasets.files import document_of, need_file, parse_label, read_json_lines
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim
from claimscope.labels import Label
from claimscope.types import Claim, Document, GoldEvidence, Metadata

_FILE = "CoVERT_FC_annotations.jsonl"

CARD = Card(
    name="covert",
    title="CoVERT",
    about="300 tweets about COVID-19, with labels and evidence snippets from the web.",
    homepage="https://www.ims.uni-stuttgart.de/data/bioclaim",
    paper="Mohr et al. 2022, CoVERT: A Corpus of Fact-checked Biomedical COVID-19 Tweets, LREC",
    licence="none stated; the texts are users' tweets",
    folder="covert",
    labels={
        Label.SUPPORTS: "SUPPORTS",
        Label.REFUTES: "REFUTES",
        Label.NOT_ENOUGH_INFO: "NOT ENOUGH INFO",
    },
    splits={"all": Expected(300)},
    documents=None,
    by_hand=f"put {_FILE} from the homepage there",
    notes=(
        "The label is the claim's; snippets have none. Annotators agreed moderately (kappa 0.44).",
        "Snippets are cut from web pages, some are missing; each is named after its claim.",
        "User names are masked as @username and links stay in the text.",
    ),
)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    return (labelled for labelled, _ in _read(folder))


def _documents(folder: Path) -> Iterator[Document]:
    return (snippet for _, snippets in _read(folder) for snippet in snippets)


def _read(folder: Path) -> Iterator[tuple[LabelledClaim, list[Document]]]:
    """Read each claim with its snippets; claims without an id are numbered from 0."""
    numbers = count()
    return read_json_lines(
        need_file(folder, _FILE),
        lambda record: _claim(str(record.get("id", next(numbers))), record),
    )


def _claim(name: str, record: Any) -> tuple[LabelledClaim, list[Document]]:
    snippets = [
        document_of(f"{name}-{position}", "", [entry[2]], Metadata(url=_url(entry)))
        for position, entry in enumerate(record["evidence"])
        if entry[2]
    ]
    labelled = LabelledClaim(
        Claim(record["claim"], name),
        {snippet.id: GoldEvidence(None) for snippet in snippets},
        label=parse_label(record["label"]),
        cited=tuple(snippet.id for snippet in snippets),
    )
    return labelled, snippets


def _url(entry: list[Any]) -> str | None:
    """Find the link of an entry, an annotator's list whose third item is the text or null."""
    return next((each for each in entry if str(each).startswith("http")), None)


DEFINITION = Definition(CARD, _claims, _documents)
