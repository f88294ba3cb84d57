"""Reads corrections from a table: each row has a claim, a paper of the library and its label."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from claimscope._files import numbered_lines
from claimscope.claims.reading import read_claim
from claimscope.datasets.record import LabelledClaim
from claimscope.errors import FormatError, InputError
from claimscope.labels import Label
from claimscope.library.protocol import ManagedLibrary
from claimscope.types import Claim, Document, GoldEvidence

ENDINGS = {".csv": ",", ".tsv": "\t"}
_NEEDED = ("claim", "paper", "label")


def read_corrections(path: Path, library: ManagedLibrary) -> list[LabelledClaim]:
    """Read the rows of a table; those on one claim become one labelled claim.

    The column paper has an id, DOI, PubMed id, URL or title; "quote" may have the sentences that
    decide, verbatim. A paper with too little information is cited, but is no evidence.
    """
    claims: dict[str, dict[str, GoldEvidence]] = {}
    for number, row in _rows(path):
        try:
            document = library.find(row["paper"])
            label, text = Label.parse(row["label"]), read_claim(row["claim"]).text
            rationale = _quoted(row.get("quote", ""), document)
        except InputError as error:
            raise FormatError(f"{path.name}, row {number}: {error}") from error
        if label is Label.DISPUTED:
            raise FormatError(
                f"{path.name}, row {number}: a paper cannot be DISPUTED; write SUPPORTS, REFUTES "
                "or NOT_ENOUGH_INFO."
            )
        claims.setdefault(text, {})[document.id] = GoldEvidence(label, rationale)
    return [
        LabelledClaim(
            Claim(text, str(number)),
            {name: gold for name, gold in papers.items() if gold.decides},
            cited=tuple(papers),
        )
        for number, (text, papers) in enumerate(claims.items(), start=1)
    ]


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    lines = (line for _, line in numbered_lines(path))
    table = csv.reader(lines, delimiter=ENDINGS[path.suffix.lower()])
    names = [name.strip().lower() for name in next(table, [])]
    if missing := [name for name in _NEEDED if name not in names]:
        raise FormatError(
            f"{path.name} has no column {missing[0]!r}; a table of corrections needs the columns "
            f"{', '.join(_NEEDED)}."
        )
    for number, row in enumerate(table, start=1):
        yield (
            number,
            {
                name: row[place].strip() if place < len(row) else ""
                for place, name in enumerate(names)
            },
        )


def _quoted(quote: str, document: Document) -> tuple[frozenset[int], ...]:
    """Find the sentences of an abstract that a quotation holds, or that hold it."""
    if not quote:
        return ()
    found = frozenset(
        index
        for index, sentence in enumerate(document.sentences)
        if sentence in quote or quote in sentence
    )
    if not found:
        raise InputError(f"The quotation is not in the abstract of {document.id}; copy it from it.")
    return (found,)
