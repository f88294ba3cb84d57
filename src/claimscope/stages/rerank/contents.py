"""What of a document a reranker reads, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from claimscope.stages.retrieve.contents import CONTENTS as INDEXED
from claimscope.types import Document

CONTENTS: Mapping[str, Callable[[Document], str]] = MappingProxyType(
    {**INDEXED, "title": lambda document: document.title}
)


def windows(sentences: tuple[str, ...], size: int, stride: int) -> list[str]:
    """Cut sentences into windows that overlap; the last one may be shorter.

    No window lies wholly inside the one before it (VerT5erini, section 3.1).
    """
    starts = [0]
    while starts[-1] + size < len(sentences):
        starts.append(starts[-1] + stride)
    return [" ".join(sentences[start : start + size]) for start in starts]
