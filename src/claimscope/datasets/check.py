"""Whether a data set on this machine is complete: its counts against its card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from claimscope.datasets.record import Dataset, Expected
from claimscope.errors import ClaimscopeError, MissingDataError


@dataclass(frozen=True, slots=True)
class Finding:
    """One count of a data set."""

    what: str
    """Such as "claims in dev"."""
    expected: int | None
    """None if nobody has said how many there should be."""
    found: int | None
    """None if it could not be counted."""
    problem: str = ""
    """Why it could not be counted."""
    missing: bool = False
    """Whether its file is simply not there."""

    @property
    def right(self) -> bool:
        """Whether it was counted and nothing speaks against the count."""
        return self.found is not None and self.expected in (None, self.found)


def check(dataset: Dataset) -> Iterator[Finding]:
    """Count what is there, split by split, then the documents."""
    for split, expected in dataset.card.splits.items():
        yield from _check_split(dataset, split, expected)
    yield _check_documents(dataset)


def _check_split(dataset: Dataset, split: str, expected: Expected) -> Iterator[Finding]:
    claims = pairs = 0
    try:
        for labelled in dataset.claims(split):
            claims += 1
            pairs += len(labelled.evidence or ())
    except ClaimscopeError as error:
        yield _failure(f"claims in {split}", expected.claims, error)
        return
    yield Finding(f"claims in {split}", expected.claims, claims)
    if expected.pairs is not None:
        yield Finding(f"pairs in {split}", expected.pairs, pairs)


def _check_documents(dataset: Dataset) -> Finding:
    try:
        found = sum(1 for _ in dataset.documents())
    except ClaimscopeError as error:
        return _failure("documents", dataset.card.documents, error)
    return Finding("documents", dataset.card.documents, found)


def _failure(what: str, expected: int | None, error: ClaimscopeError) -> Finding:
    return Finding(what, expected, None, str(error), isinstance(error, MissingDataError))
