"""Dictionary forms of English words, by the library simplemma, which brings its dictionary."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from claimscope.errors import MissingExtraError


def lemma(word: str) -> str:
    """Give the dictionary form of a word in lower case; one that is not known stays as it is."""
    return _lemmatiser()(word)


@cache
def _lemmatiser() -> Callable[[str], str]:
    """Read the dictionary at the first use, which takes about a second."""
    try:
        from simplemma import Lemmatizer
    except ImportError as error:
        raise MissingExtraError("Lemmatisation", "papers") from error
    return partial(Lemmatizer().lemmatize, lang="en")
