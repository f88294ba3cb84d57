"""Makes the words of printed text whole: ligatures, soft hyphens, words divided at line ends."""

from __future__ import annotations

import re

_LIGATURES = str.maketrans(
    {
        "\ufb00": "ff",
        "\ufb01": "fi",
        "\ufb02": "fl",
        "\ufb03": "ffi",
        "\ufb04": "ffl",
        "\ufb05": "st",
        "\ufb06": "st",
    }
)
# PDFium writes U+FFFE for a hyphen at a line's end and leaves the line's end out.
_DIVIDED = re.compile(
    r"(?P<first>\w+)(?P<mark>\ufffe|\x02|\u00ad|[-\u2010])"
    r"(?P<end>[ \t]*\r?\n[ \t]*)?(?P<second>\w+)"
)
_COMPOUND = frozenset(
    """
    age cross dose double evidence follow half high long low placebo self short single well
    """.split()
)
"""First parts that nearly always keep their hyphen, as in "well-known"."""


def readable(text: str) -> str:
    """Give printed text as its author wrote it: one who searches for a word then finds it.

    A hyphen at a line's end stays if the text has the word with a hyphen elsewhere, after a first
    part that is mostly hyphenated, and beside capitals and digits. Other lines keep their ends.
    """
    text = text.translate(_LIGATURES)
    hyphenated = {word.lower() for word in re.findall(r"[^\W\d_]+-[^\W\d_]+", text)}

    def whole(match: re.Match[str]) -> str:
        first, mark, end, second = match.group("first", "mark", "end", "second")
        if mark == "\u00ad":
            return first + second
        if mark in "-\u2010" and end is None:
            return match[0]
        keeps = (
            f"{first}-{second}".lower() in hyphenated
            or first.lower() in _COMPOUND
            or not (first[-1].islower() and second[0].islower())
        )
        return f"{first}-{second}" if keeps else first + second

    return _DIVIDED.sub(whole, text).replace("\u00ad", "").replace("\r\n", "\n")
