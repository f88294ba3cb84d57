"""What all output to a terminal shares: the labels' styles, and text that cannot control it."""

from __future__ import annotations

import unicodedata

from claimscope.labels import Label

LABEL_STYLES = {
    Label.SUPPORTS: "bold green",
    Label.REFUTES: "bold red",
    Label.DISPUTED: "bold yellow",
    Label.NOT_ENOUGH_INFO: "bold cyan",
}
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean(text: str) -> str:
    """Take out what could move the cursor, colour the screen or reverse the reading order."""
    return "".join(
        " "
        if unicodedata.category(character) in {"Cc", "Cs"} or character in _BIDI_CONTROLS
        else character
        for character in text
    )
