"""Vectors of texts, kept in the user's cache, since encoding a library takes minutes."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
from platformdirs import user_cache_path

from claimscope.models.text_encoder import TextEncoder, Vectors


def encoded(texts: Sequence[str], encoder: TextEncoder, weights: str | None) -> Vectors:
    """Give the vectors of texts, from the cache if the same weights have read the same texts."""
    path = _path(texts, weights or "")
    if path.is_file():
        kept: Vectors = np.load(path, allow_pickle=False)
        return kept
    vectors = encoder.encode(texts)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.part")
    with partial.open("wb") as file:
        np.save(file, vectors, allow_pickle=False)
    partial.replace(path)
    return vectors


def _path(texts: Sequence[str], weights: str) -> Path:
    digest = blake2b(weights.encode(), digest_size=16)
    for text in texts:
        digest.update(text.encode() + b"\0")
    folder = user_cache_path("claimscope", appauthor=False) / "vectors"
    return folder / f"{digest.hexdigest()}.npy"
