"""Dense retrieval: documents and claims as vectors of a bi-encoder, searched exactly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from claimscope.models.loader import Models
from claimscope.models.text_encoder import TextEncoder, Vectors
from claimscope.stages.retrieve.in_memory import InMemory
from claimscope.stages.retrieve.top import Ranked, top
from claimscope.stages.retrieve.vector_cache import encoded


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
