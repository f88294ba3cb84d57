"""Reranks candidates with static word embeddings, which match words of similar meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.models.catalogue import VECTORS
from claimscope.models.loader import Models
from claimscope.models.text_encoder import TextEncoder
from claimscope.pipeline.stage import Composable, Kind, Part, require_positive, stage_id
from claimscope.stages.rerank.combo import earlier_score
from claimscope.stages.rerank.pair_reranker import CONTENTS
from claimscope.types import Candidate, Case, Score


@dataclass(frozen=True)
class VectorReranker(Composable):
    """Adds the likeness of claim and document to the score of an earlier stage and keeps the best.

    Both sides of the sum are brought to at most 1 (a weighted sum of two rankings' scores, as in
    Bruch et al., 2023, section 4): the earlier score is taken beside the best one's, and of the
    cosine of the two vectors what is above 0. Only what was found is encoded, so that no index of
    vectors is needed.
    """

    model: str = VECTORS
    weight: float = 1.0
    """How much likeness counts beside the earlier score."""
    content: str = "title-and-abstract"
    k: int = 10
    models: Models = field(default_factory=Models, repr=False, compare=False)

    kind: ClassVar[Kind] = Kind.RERANK
    name: ClassVar[str] = "vectors"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset()

    def __post_init__(self) -> None:
        require_positive(self, "k")
        if self.weight < 0:
            raise ConfigurationError(
                "Parameter 'weight' of stage rerank.vectors must be 0 or more, "
                f"not {self.weight:g}."
            )
        if self.content not in CONTENTS:
            raise UnknownNameError("kind of content", self.content, CONTENTS)

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Rank the candidates of every case."""
        found = [case for case in cases if case.candidates]
        if not found:
            return list(cases)
        vectors = self._vectors(found)
        return [
            replace(case, candidates=self._ranked(case, vectors)) if case.candidates else case
            for case in cases
        ]

    def _vectors(self, cases: Sequence[Case]) -> Mapping[str, NDArray[np.float32]]:
        """Encode every claim and document once, however many cases name it."""
        texts = dict.fromkeys(
            text for case in cases for text in (case.claim.text, *self._texts(case))
        )
        vectors = self.models.encoder(self.model).encode(list(texts))
        return dict(zip(texts, vectors, strict=True))

    def _texts(self, case: Case) -> list[str]:
        return [CONTENTS[self.content](item.document) for item in case.candidates]

    def _ranked(
        self, case: Case, vectors: Mapping[str, NDArray[np.float32]]
    ) -> tuple[Candidate, ...]:
        name = stage_id(self)
        earlier = [earlier_score(item, "", name).raw for item in case.candidates]
        documents = np.stack([vectors[text] for text in self._texts(case)])
        scores = summed(earlier, cosines(vectors[case.claim.text], documents), self.weight)
        ranked = [
            replace(item, scores=item.scored(name, Score(score)))
            for item, score in zip(case.candidates, scores, strict=True)
        ]
        ranked.sort(key=lambda item: (-item.scores[name].raw, item.document.id))
        return tuple(ranked[: self.k])


def likeness(encoder: TextEncoder, claim: str, texts: Sequence[str]) -> list[float]:
    """Give the cosine of each text's vector with the claim's, and 0 where it is negative."""
    vectors = encoder.encode([claim, *texts])
    return cosines(vectors[0], vectors[1:])


def cosines(claim: NDArray[np.float32], documents: NDArray[np.float32]) -> list[float]:
    """Give the cosine of each document's vector with the claim's, and 0 where it is negative."""
    found: list[float] = np.maximum(documents @ claim, 0.0).tolist()
    return found


def summed(earlier: Sequence[float], likenesses: Sequence[float], weight: float) -> list[float]:
    """Add weighted likenesses to scores, which are taken beside the best one."""
    best = max(earlier, default=0.0)
    return [
        (max(0.0, score) / best if best > 0 else 1.0) + weight * like
        for score, like in zip(earlier, likenesses, strict=True)
    ]
