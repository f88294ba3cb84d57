"""Tells retracted papers from their publication types, notes and titles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

# "Retraction: ..." is the title of a notice; "Retracted: ..." that of the paper itself.
_TITLE = re.compile(
    r"\W{0,2}(?:retracted|withdrawn)(?:\s+(?:article|paper|manuscript|publication|chapter))?\s*[:\]\).–—-]",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(
    r"(?:this|the) (?:article|paper|publication) has been (?:retracted|withdrawn)\b", re.IGNORECASE
)
_NOTE = re.compile(
    r"\b(?:retracted (?:publication|article|paper)\b"
    r"|(?:article|paper|publication) (?:is|was|has been) retracted\b|retraction in:)",
    re.IGNORECASE,
)
_NOTICE = re.compile(r"\bretraction (?:of publication|notice)\b|^retraction$", re.IGNORECASE)


def is_retracted(title: str, abstract: str, types: Iterable[str], notes: Iterable[str]) -> bool:
    """Whether a paper was retracted; the notice that retracts another paper was not."""
    is_notice, is_paper = _say(tuple(types))
    if is_notice:
        return False
    return (
        is_paper
        or any(_NOTE.search(text) for text in notes)
        or _TITLE.match(title) is not None
        or _ABSTRACT.match(abstract) is not None
    )


# Papers share few combinations of types.
@lru_cache(maxsize=1024)
def _say(types: tuple[str, ...]) -> tuple[bool, bool]:
    """Whether publication types name a notice of retraction, and a retracted paper."""
    return any(map(_NOTICE.search, types)), any(map(_NOTE.search, types))
