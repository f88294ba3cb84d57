"""The contrast claims: claims written over abstracts so that small changes turn the label."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimscope.datasets.files import need_file, read_json_lines
from claimscope.text import split_sentences
from claimscope.train.verifier.pools import ClaimPool
from claimscope.train.verifier.sources import folder_of
from claimscope.train.weak.papers import read_papers
from claimscope.train.written.reading import WrittenClaim, labelled, parse
from claimscope.types import Document

CONTRAST = "contrast-claims"
_FILE = Path(__file__).parent.parent / "written" / f"{CONTRAST}.tsv"
_ARXIV = "arxiv:"


def contrast_pool() -> ClaimPool:
    """Read the contrast claims and the abstracts of PubMed and arXiv they were written over."""
    claims = list(_read(_FILE))
    papers = {paper.id: paper for paper in _papers({claim.document for claim in claims})}
    found, marked = labelled(claims, papers)
    return ClaimPool(tuple(found), papers, {}, marked)


def _read(path: Path) -> Iterator[WrittenClaim]:
    """Read lines of document, checksum, label, sentences, kind and claim."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        document, checksum, label, sentences, _, claim = line.split("\t")
        yield parse("\t".join((document, checksum, label, sentences, claim)), number)


def _papers(wanted: set[str]) -> Iterator[Document]:
    folder = folder_of("pubmed-edits")
    yield from (paper for paper in read_papers(folder) if paper.id in wanted)
    names = {name.removeprefix(_ARXIV) for name in wanted if name.startswith(_ARXIV)}
    records: Iterator[Any] = read_json_lines(need_file(folder, "arxiv.jsonl"), dict)
    for record in records:
        if record["doc_id"] in names:
            abstract = " ".join(record["abstract"].split())
            spans = split_sentences(abstract)
            yield Document(f"{_ARXIV}{record['doc_id']}", record["title"], abstract, spans)
