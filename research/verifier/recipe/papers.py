"""The PubMed abstracts that claims were written over, and the folders of training data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from claimscope.datasets import scifact
from claimscope.datasets.files import need_file, read_json_lines
from claimscope.datasets.location import VARIABLE, data_folders, need_folder
from claimscope.datasets.registry import open_dataset
from claimscope.errors import MissingDataError
from claimscope.text import split_sentences
from claimscope.types import Document
from recipe.texts import plain_words

CORPORA = "corpora"
_FEWEST, _MOST = 4, 25
_ENGLISH = (None, "en", "eng")
_NOTICES = ("retract", "correction", "erratum")


def read_papers() -> Iterator[Document]:
    """Read PubMed's abstracts, without those of SciFact, which verifiers are measured on."""
    need_folder(scifact.CARD)
    measured = {plain_words(document.title) for document in open_dataset("scifact").documents()}
    return usable(read_json_lines(need_file(folder_of(CORPORA), "pubmed.jsonl"), dict), measured)


def usable(records: Iterable[dict[str, Any]], measured: set[str]) -> Iterator[Document]:
    """Keep English abstracts of a fair length whose title is not among those measured on."""
    for record in records:
        title = record["title"].strip("[] ").rstrip(".]")
        if record.get("language") not in _ENGLISH or not record["abstract"]:
            continue
        if plain_words(title) in measured or title.lower().startswith(_NOTICES):
            continue
        abstract = " ".join(record["abstract"].split())
        spans = split_sentences(abstract)
        if _FEWEST <= len(spans) <= _MOST:
            yield Document(str(record["doc_id"]), title, abstract, spans)


def folder_of(name: str) -> Path:
    """Find a folder of training data."""
    for place in data_folders():
        if (place / name).is_dir():
            return place / name
    raise MissingDataError(
        f"The training data {name} are not on this machine; put the folder into a data folder and "
        f"name that in {VARIABLE}."
    )
