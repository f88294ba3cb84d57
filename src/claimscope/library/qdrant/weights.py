"""BM25 as sparse vectors: the client sends saturated term frequencies, the server adds the IDF.

A document's weight for a term is tf (k1 + 1) / (tf + k1 (1 - b + b length / average length)), as
in tantivy, whose rounding of lengths to one byte is copied, so that both libraries rank alike.
The average length is the collection's when a document is weighed; `QdrantLibrary.rebuild` weighs
all documents again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from zlib import crc32

from claimscope.library.lexical import analyse, tokens

K1 = 1.2
B = 0.75
_EXACT = 24
"""Lengths below this are kept; of longer ones the four highest binary digits of the excess are."""
_DIGITS = 4


def weigh(terms: Mapping[int, int], length: int, average: float) -> dict[int, float]:
    """Give each term's share of BM25, but for its IDF."""
    norm = K1 * (1 - B + B * rounded_length(length) / average) if average else K1
    return {term: count * (K1 + 1) / (count + norm) for term, count in sorted(terms.items())}


def count_terms(text: str) -> tuple[Counter[int], int]:
    """Count a text's terms by number, and its tokens in all."""
    found = tokens(text)
    return Counter(map(number, found)), len(found)


def query_weights(text: str) -> dict[int, float]:
    """Give each distinct term of a query the weight one."""
    return dict.fromkeys(sorted({number(term) for term in analyse(text)}), 1.0)


def number(term: str) -> int:
    """Give the 32-bit number by which the server knows a term.

    Two of n terms share a number about n²/2³³ times: 116 of a million.
    """
    return crc32(term.encode())


def rounded_length(length: int) -> int:
    """Round a length down as tantivy and Lucene keep it in one byte."""
    excess = length - _EXACT
    if excess < 1 << _DIGITS:
        return length
    shift = excess.bit_length() - _DIGITS
    return _EXACT + (excess >> shift << shift)
