"""Gives every record an id."""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b

_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")


def normalise_title(title: str) -> str:
    """Give a title's letters and digits alone, so that spelling variants of one title agree."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return _NOT_ALPHANUMERIC.sub("", folded) or title


def make_id(doi: str | None, pmid: str | None, title: str, year: int | None) -> str:
    """Give the id of a record whose format has none: its PMID, else its DOI, else its title."""
    if pmid:
        return f"pmid:{pmid}"
    if doi:
        return f"doi:{doi}"
    key = f"{normalise_title(title)}\n{year or ''}"
    return f"title:{blake2b(key.encode(), digest_size=8).hexdigest()}"
