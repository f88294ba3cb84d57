"""CoVERT: tweets about COVID-19 with snippets that annotators found on the web."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimscope.datasets.files import document_of, need_file, parse_label, read_json_lines
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim
from claimscope.labels import Label
from claimscope.measures.records import GoldEvidence
from claimscope.types import Claim, Document, Metadata

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
    for number, record in enumerate(_records(folder)):
        documents = [document.id for document in _snippets(number, record)]
        yield LabelledClaim(
            Claim(record["claim"], str(record.get("id", number))),
            {name: GoldEvidence(None) for name in documents},
            label=parse_label(record["label"]),
            cited=tuple(documents),
        )


def _records(folder: Path) -> Iterator[Any]:
    return read_json_lines(need_file(folder, _FILE), _checked)


def _checked(record: Any) -> Any:
    """Check a record here, where its line is known."""
    parse_label(record["label"])
    list(_snippets(0, record))
    return {**record, "claim": str(record["claim"])}


def _documents(folder: Path) -> Iterator[Document]:
    for number, record in enumerate(_records(folder)):
        yield from _snippets(number, record)


def _snippets(number: int, record: Any) -> Iterator[Document]:
    """Give the snippets; each annotator's entry is a list whose third item is the text, or null."""
    claim = str(record.get("id", number))
    for position, entry in enumerate(record["evidence"]):
        text = entry[2]
        if text:
            url = next((each for each in entry if str(each).startswith("http")), None)
            yield document_of(f"{claim}-{position}", "", [text], Metadata(url=url))


DEFINITION = Definition(CARD, _claims, _documents)
