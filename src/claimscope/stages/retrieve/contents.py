"""What of a document is indexed, by name; apart from the indexes, which take long to import."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from claimscope.types import Document

CONTENTS: Mapping[str, Callable[[Document], str]] = MappingProxyType(
    {
        "title-and-abstract": lambda document: document.text,
        "abstract": lambda document: document.abstract,
        # VeriSci and SciFCheX join the two without a space, which fuses two words.
        "title-glued-to-abstract": lambda document: document.title + document.abstract,
    }
)
