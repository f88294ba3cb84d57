"""Claims written over abstracts: read, and put beside their abstracts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimscope.datasets.files import need_file, read_json_lines
from claimscope.datasets.record import LabelledClaim
from claimscope.datasets.registry import open_dataset
from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.text import split_sentences
from claimscope.types import Claim, Document, GoldEvidence
from recipe.findings import claims_of_lines
from recipe.papers import CORPORA, folder_of, read_papers
from recipe.texts import content, overlap

PUBMED, LAY, SCIFACT = "pubmed-claims", "lay-claims", "scifact-claims"
CONTRAST = "contrast-claims"
"""Claims with small changes that turn the label."""
FINDINGS = "findings"
"""Claims that rules word from short records of findings (see `recipe.findings`)."""
SETS = (PUBMED, LAY, SCIFACT, CONTRAST, FINDINGS)

Marked = Mapping[tuple[str, str], frozenset[int]]
"""Claim and document to sentences near the claim that are not its evidence."""

_FOLDER = Path(__file__).parent.parent / "written"
_ARXIV = "arxiv:"
_LABELS = {"S": Label.SUPPORTS, "R": Label.REFUTES, "N": Label.NOT_ENOUGH_INFO}
_NEAR = 0.34
"""Share of a claim's words from which a sentence that is not cited may say the same."""


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    """A claim, the abstract it was written over, and the sentences that decide it."""

    document: str
    split: str
    """Checksum of the abstract's sentences, since their numbers depend on the splitting."""
    label: Label
    sentences: frozenset[int]
    text: str


def read_written(name: str) -> list[WrittenClaim]:
    """Read one of the sets."""
    lines = (_FOLDER / f"{name}.tsv").read_text("utf-8").splitlines()
    if name == FINDINGS:
        worded = {
            (document, claim.text): WrittenClaim(
                document, split, claim.label, claim.sentences, claim.text
            )
            for document, split, claim in claims_of_lines(lines)
        }
        return list(worded.values())
    return [parse(line, number) for number, line in enumerate(lines, start=1)]


def parse(line: str, number: int) -> WrittenClaim:
    """Read one line: document, checksum, label, sentences, kind of change if any, claim."""
    try:
        document, split, label, sentences, *_, claim = line.split("\t")
        numbers = frozenset(map(int, sentences.split(","))) if sentences else frozenset()
        return WrittenClaim(document, split, _LABELS[label], numbers, claim)
    except (ValueError, KeyError) as error:
        raise ConfigurationError(
            f"Line {number} of the written claims cannot be read ({error}); it needs document, "
            "checksum, S, R or N, sentence numbers and the claim, separated by tabs."
        ) from None


def checksum(document: Document) -> str:
    """Give a short checksum of an abstract's sentences."""
    return hashlib.blake2b("\n".join(document.sentences).encode(), digest_size=4).hexdigest()


def labelled(
    claims: Iterable[WrittenClaim], documents: Mapping[str, Document]
) -> tuple[list[LabelledClaim], Marked]:
    """Put claims beside their abstracts; sentences near a claim that it does not cite are marked.

    The writers cite the fewest sentences that decide, so another may well say the same; of a claim
    that is left open they are the ones that look like evidence most.
    """
    found: list[LabelledClaim] = []
    marked: dict[tuple[str, str], frozenset[int]] = {}
    for number, claim in enumerate(_present(claims, documents)):
        name = f"{claim.document}-{number}"
        rationales = (claim.sentences,) if claim.sentences else ()
        evidence = {claim.document: GoldEvidence(claim.label, rationales)}
        found.append(LabelledClaim(Claim(claim.text, name), evidence, cited=(claim.document,)))
        marked[name, claim.document] = _near(claim, documents[claim.document])
    return found, marked


def _present(
    claims: Iterable[WrittenClaim], documents: Mapping[str, Document]
) -> Iterator[WrittenClaim]:
    """Give the claims whose abstract is at hand; one that is split otherwise is refused."""
    for claim in claims:
        document = documents.get(claim.document)
        if document is None:
            continue
        if checksum(document) != claim.split:
            raise ConfigurationError(
                f"The abstract {claim.document} is not split as the claims written over it say; "
                "number their sentences anew."
            )
        yield claim


def _near(claim: WrittenClaim, document: Document) -> frozenset[int]:
    said = content(claim.text)
    return frozenset(
        index
        for index, sentence in enumerate(document.sentences)
        if index not in claim.sentences and overlap(said, content(sentence)) >= _NEAR
    )


def papers_under(name: str) -> dict[str, Document]:
    """Give the abstracts that a set was written over."""
    if name == SCIFACT:
        return {paper.id: paper for paper in open_dataset("scifact").documents()}
    papers = {paper.id: paper for paper in read_papers()}
    if name in (CONTRAST, FINDINGS):
        wanted = {claim.document for claim in read_written(name)}
        papers |= {paper.id: paper for paper in _arxiv(wanted)}
    return papers


def _arxiv(wanted: set[str]) -> Iterator[Document]:
    records: Iterator[Any] = read_json_lines(need_file(folder_of(CORPORA), "arxiv.jsonl"), dict)
    for record in records:
        if f"{_ARXIV}{record['doc_id']}" not in wanted:
            continue
        abstract = " ".join(record["abstract"].split())
        spans = split_sentences(abstract)
        yield Document(f"{_ARXIV}{record['doc_id']}", record["title"], abstract, spans)
