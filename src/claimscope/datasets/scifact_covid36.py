"""COVID-19 SciFact: 36 claims about COVID-19 without labels, whose results are judged by eye."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from claimscope._download import Source
from claimscope._files import numbered_lines
from claimscope.datasets import cord19
from claimscope.datasets.files import find_file, need_file
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim
from claimscope.datasets.scifact_format import read_claims
from claimscope.types import Claim, Document

CARD = Card(
    name="scifact-covid36",
    title="COVID-19 SciFact",
    about="36 claims about COVID-19, without labels or documents.",
    homepage="https://github.com/allenai/scifact",
    paper="Wadden et al. 2020, Fact or Fiction: Verifying Scientific Claims, section 6",
    licence="CC BY 4.0",
    folder="scifact_covid36",
    labels={},
    splits={"test": Expected(36)},
    documents=None,
    sources=(
        Source(
            "https://raw.githubusercontent.com/allenai/scifact/"
            "c1100e9089f5f9a937a9f83943d48c1c25cbea5f/covid/claims.txt",
            {"claims.txt": "claims.txt"},
        ),
    ),
    notes=(
        "There are no labels; published figures (30 of 36 for VerT5erini) are judged by readers.",
        "It comes without documents: CORD-19 is taken if it is on the machine, as in VerT5erini; "
        "otherwise choose a library.",
    ),
)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    path = find_file(folder, "claims.jsonl")
    return read_claims(path) if path else _lines(need_file(folder, "claims.txt"))


def _lines(path: Path) -> Iterator[LabelledClaim]:
    """Read one claim a line; they are numbered from 0."""
    for position, (_, line) in enumerate(numbered_lines(path)):
        yield LabelledClaim(Claim(line.strip(), str(position)))


def _documents(folder: Path) -> Iterator[Document]:
    return cord19.corpus()


DEFINITION = Definition(CARD, _claims, _documents)
