"""The Penn Treebank's spellings of brackets and quotes, which several data sets keep."""

from __future__ import annotations

_SPELLINGS = (
    *zip(("-LRB-", "-RRB-", "-LSB-", "-RSB-"), "()[]", strict=True),
    ("``", '"'),
    ("''", '"'),
)


def tidy(text: str) -> str:
    """Write brackets and quotes as usual, and one space between words."""
    for spelling, sign in _SPELLINGS:
        text = text.replace(spelling, sign)
    return " ".join(text.split())
