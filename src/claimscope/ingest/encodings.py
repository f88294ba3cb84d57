"""Finds the encoding of a text that is not in UTF-8."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

USUAL = "cp1252"
"""Windows-1252, which holds Latin-1's letters."""

_SAMPLE = 32 * 1024
_ASCII = bytes(range(32, 127))
_DECLARED = re.compile(
    rb"^%+[ \t]*(?:encoding:|saved with string encoding)[ \t]*([\w .()-]{1,60}?)[ \t]*\r?$",
    re.IGNORECASE | re.MULTILINE,
)
# What no Western text read as Windows-1252 shows: a capital after a small letter, a sign between
# letters, three accented letters in a row, and signs that hardly any text has.
_STRANGE = re.compile(
    r"[a-zß-ÿ][À-ÖØ-ÞŠŽŸŒ]"
    r"|(?<=[^\W\d_])(?:[^\w\s\x00-\x7f’·–—×…]|[¹²³ªº])(?=[^\W\d_])"
    r"|[À-ÖØ-öø-ÿŠŽšžŸŒœ]{3}"
    r"|[ðýþÐÝÞƒ¤¦¨¬¯´¸¥¢\x80-\x9f\ufffd]"
)
# BibDesk writes the names of macOS.
_NAMES = {
    "western (mac os roman)": "mac_roman",
    "western (iso latin 1)": USUAL,
    "western (windows latin 1)": USUAL,
    "iso8859_1": USUAL,
    "macroman": "mac_roman",
}


def find_encoding(lines: Iterable[bytes]) -> str:
    """Give the encoding of the lines that are not UTF-8: as declared, or as their letters tell.

    JabRef and BibDesk declare it in a comment of their BibTeX files. Few letters tell little, so
    what reads well in the usual encoding is taken to be in it.
    """
    lines = list(lines)
    foreign = b"\n".join(line for line in lines if not line.isascii() and not _is_utf8(line))
    declared = _DECLARED.search(b"\n".join(lines[:20]))
    if declared and (known := _usable(declared[1].decode("ascii", "replace"))):
        return known
    sample = foreign[:_SAMPLE]
    if not _STRANGE.search(sample.decode(USUAL, errors="replace")):
        return USUAL
    import chardet  # loading it takes longer than reading a small file

    guess = chardet.detect(sample)["encoding"]
    return (_usable(guess) if guess else None) or USUAL


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _usable(name: str) -> str | None:
    """Give the codec of a name, if it is one of a text in which ASCII stays ASCII."""
    try:
        codec = codecs.lookup(_NAMES.get(name.strip().lower(), name.strip()))
        is_ascii = codec.decode(_ASCII)[0] == _ASCII.decode("ascii")
    except (LookupError, ValueError, TypeError):
        return None
    return codec.name if is_ascii and codec.name != "utf-8" else None
