"""CORD-19: abstracts about COVID-19 without claims, the corpus of VerT5erini's COVID tasks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from claimscope._download import Source
from claimscope.datasets.files import find_file, need_file, read_table, unique
from claimscope.datasets.location import find_folder
from claimscope.datasets.record import Card, Definition, LabelledClaim
from claimscope.text import normalise_space, split_sentences
from claimscope.types import Document, Metadata

_FILE = "metadata.csv"
_RELEASE = "2020-06-17"

CARD = Card(
    name="cord-19",
    title=f"CORD-19 of {_RELEASE}",
    about="192,459 abstracts about COVID-19 and other coronaviruses, without claims.",
    homepage="https://github.com/allenai/cord19",
    paper="Wang et al. 2020, CORD-19: The COVID-19 Open Research Dataset, NLP-COVID",
    licence="COVID Dataset License Agreement: text and data mining only",
    folder="cord19",
    labels={},
    splits={},
    documents=None,
    sources=(
        Source(
            f"https://ai2-semanticscholar-cord-19.s3-us-west-2.amazonaws.com/{_RELEASE}/{_FILE}",
            {_FILE: _FILE},
        ),
    ),
    notes=(
        "VerT5erini (section 2) counts 192,459 abstracts in this release; we have not.",
        "Rows without an abstract are left out, and a paper that has several rows counts once.",
        "COVID-19 Scientific and COVID-19 SciFact are checked against it if it is on the machine.",
    ),
)


def corpus() -> Iterator[Document]:
    """Read the documents if they are on this machine; there are none otherwise."""
    folder = find_folder(CARD)
    if folder is not None and find_file(folder, _FILE):
        yield from _documents(folder)


def _documents(folder: Path) -> Iterator[Document]:
    rows = read_table(need_file(folder, _FILE), ",", _document)
    return unique(document for document in rows if document.abstract)


def _document(row: Mapping[str, str]) -> Document:
    abstract = normalise_space(row["abstract"])
    authors = (normalise_space(name) for name in row["authors"].split(";"))
    year = row["publish_time"][:4]
    meta = Metadata(
        doi=row["doi"].strip() or None,
        pmid=row["pubmed_id"].strip() or None,
        year=int(year) if year.isdecimal() else None,
        venue=row["journal"].strip() or None,
        authors=tuple(filter(None, authors)),
    )
    title = normalise_space(row["title"])
    return Document(row["cord_uid"].strip(), title, abstract, split_sentences(abstract), meta)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    return iter(())


DEFINITION = Definition(CARD, _claims, _documents)
