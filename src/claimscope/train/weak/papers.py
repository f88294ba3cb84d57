"""The PubMed abstracts that weak supervision is made from, and what is near to each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from claimscope.datasets import scifact
from claimscope.datasets.files import need_file, read_json_lines
from claimscope.datasets.location import need_folder
from claimscope.datasets.registry import open_dataset
from claimscope.stages.retrieve.bm25 import BM25
from claimscope.text import split_sentences
from claimscope.train.verifier.pairs import plain_words
from claimscope.types import Document

_FEWEST, _MOST = 4, 25
_ENGLISH = (None, "en", "eng")
_NOTICES = ("retract", "correction", "erratum")


def read_papers(folder: Path) -> Iterator[Document]:
    """Read PubMed's abstracts, without those of SciFact, which verifiers are measured on."""
    need_folder(scifact.CARD)
    measured = {plain_words(document.title) for document in open_dataset("scifact").documents()}
    return usable(read_json_lines(need_file(folder, "pubmed.jsonl"), dict), measured)


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


class Neighbours:
    """Finds the papers most like a paper, by its title."""

    def __init__(self, papers: Sequence[Document]) -> None:
        self._papers = papers
        self._index = BM25((paper.text for paper in papers), analyser="stem-stop")

    def of(self, place: int, count: int = 3) -> list[Document]:
        """Give the papers nearest to the one in this place, itself not among them."""
        found = self._index.search(self._papers[place].title, count + 1)
        return [self._papers[other] for other, _ in found if other != place][:count]
