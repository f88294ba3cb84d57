"""Dense retrieval: claims and documents as vectors of a bi-encoder, kept in a cache."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from claimscope._files import written_whole
from claimscope.models.loader import Models
from claimscope.models.text_encoder import TextEncoder, Vectors
from claimscope.stages.retrieve.in_memory import InMemory
from claimscope.stages.retrieve.ranking import Ranked, top


@dataclass(frozen=True)
class DenseIndex:
    """The vectors of texts, and the encoder that reads queries."""

    vectors: Vectors
    queries: TextEncoder

    def scores(self, query: str) -> NDArray[np.float64]:
        """Give the cosine of every text with the query, brought from −1 to 1 into 0 to 1."""
        if not len(self.vectors):
            return np.zeros(0)
        cosines = self.vectors @ self.queries.encode([query])[0]
        return np.asarray((1.0 + cosines.astype(np.float64)) / 2)

    def search(self, query: str, k: int) -> Ranked:
        """Rank the k nearest texts; ties keep the order of the texts."""
        return top(self.scores(query), k)


@dataclass(frozen=True)
class DenseRetriever(InMemory):
    """Takes the k documents whose vectors are nearest to the claim's.

    Every document is compared, so nothing is missed. The first use encodes the whole library, and
    the vectors are kept in the user's cache until the library or the model changes.
    `claim_model` reads the claims where two encoders were trained (the climate paper's bi-encoder,
    section 2.3); without it one encoder reads both.
    """

    model: str = "all-minilm-l6-v2"
    claim_model: str = ""
    models: Models = field(default_factory=Models, repr=False, compare=False)

    name: ClassVar[str] = "dense"

    def build(self, texts: Iterable[str]) -> DenseIndex:
        """Encode the texts."""
        encoder = self.models.encoder(self.model)
        vectors = encoded(list(texts), encoder, self.models.sha256(self.model))
        return DenseIndex(vectors, self.models.encoder(self.claim_model or self.model))


def encoded(texts: Sequence[str], encoder: TextEncoder, weights: str | None) -> Vectors:
    """Give the vectors of texts, from the cache if the same weights have read the same texts."""
    path = _path(texts, weights or "")
    if path.is_file():
        kept: Vectors = np.load(path, allow_pickle=False)
        return kept
    vectors = encoder.encode(texts)
    keep(texts, weights, vectors)
    return vectors


def keep(texts: Sequence[str], weights: str | None, vectors: Vectors) -> None:
    """Put the vectors of texts into the cache."""
    path = _path(texts, weights or "")
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as partial, partial.open("wb") as file:
        np.save(file, vectors, allow_pickle=False)


def _path(texts: Sequence[str], weights: str) -> Path:
    digest = blake2b(weights.encode(), digest_size=16)
    for text in texts:
        digest.update(text.encode() + b"\0")
    folder = user_cache_path("claimscope", appauthor=False) / "vectors"
    return folder / f"{digest.hexdigest()}.npy"
