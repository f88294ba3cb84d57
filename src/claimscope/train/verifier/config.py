"""The configuration of a verifier's training: data, start and duration."""

from __future__ import annotations

from dataclasses import dataclass

from claimscope.errors import ConfigurationError
from claimscope.models.catalogue import VERIFIER
from claimscope.train.claims import Search

_SEARCH = Search(10, "lucene", 1.2, 0.75, "stem-stop")


@dataclass(frozen=True, slots=True)
class VerifierConfig:
    """What a verifier learns from, and how long."""

    data: str
    """A folder in SciFact's format, the name of a data set, or a .jsonl, .csv or .tsv file."""
    library: str = ""
    """The library that holds the documents of such a file; the user's own if left out."""
    start: str = VERIFIER
    """Name or folder of the verifier to continue."""
    epochs: int = 2
    learning_rate: float = 3e-5
    negatives: int = 1
    """Abstracts per claim that a search finds but that are not evidence."""
    sampled: bool = False
    """Whether negatives are drawn at random from all that the search finds, not its first."""
    search: Search = _SEARCH
    folds: int = 5
    """One fold of so many is held out; claims that share a document are in one fold."""
    batch_tokens: int = 3000
    seed: int = 0
    threads: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("epochs", 1), ("folds", 2), ("negatives", 0), ("batch_tokens", 1)):
            if getattr(self, name) < least:
                raise ConfigurationError(f"The training setting {name} must be at least {least}.")
