"""Named analysers: how a text becomes the words that sparse retrievers count."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import MappingProxyType

import tantivy
from bm25s.stopwords import STOPWORDS_EN_PLUS

from claimscope.errors import MissingExtraError, UnknownNameError

Analyser = Callable[[str], list[str]]


def find_analyser(name: str) -> Analyser:
    """Give the analyser of a name; an unknown one raises `UnknownNameError`."""
    try:
        return ANALYSERS[name]
    except KeyError:
        raise UnknownNameError("analyser", name, ANALYSERS) from None


def _words(*filters: tantivy.Filter) -> Analyser:
    """Make an analyser of the index engine's own parts; it drops words of 40 bytes or more."""
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (tantivy.Filter.remove_long(40), tantivy.Filter.lowercase(), *filters):
        builder = builder.filter(step)
    analyse: Analyser = builder.build().analyze
    return analyse


_PLAIN_WITHOUT_STOP_WORDS = _words(tantivy.Filter.stopword("english"))


def _lemmas(text: str) -> list[str]:
    """Leave out stop words and give the others' dictionary forms (climate paper, section 2.2.1)."""
    return [lemma(word) for word in _PLAIN_WITHOUT_STOP_WORDS(text)]


_WORD_OF_TWO = re.compile(r"\b\w\w+\b")


def _without_stop_words(text: str) -> list[str]:
    """Give words of two and more characters as scikit-learn's vectorisers do."""
    return [word for word in _WORD_OF_TWO.findall(text.lower()) if word not in STOP_WORDS]


_TREEBANK = re.compile(
    r"""[;@#$%&?!*\[\](){}<>"“”„«»‘’`…–—] | -- | \.{2,}   # parted from words everywhere
    | [:,](?!\d) | \.(?=[\s'"]|$)                     # at the end of a word
    | n't\b | '(?:s|m|d|ll|re|ve)\b | \bcannot\b | '(?=\s|$)""",
    re.VERBOSE,
)


def _letters(text: str) -> list[str]:
    """Give words of letters alone, without NLTK's stop words, as +VeriRel's code does.

    The code cuts words with NLTK's `word_tokenize`. This does the same without its sentence model,
    so that an abbreviation such as "et al." loses its period and is a word here, and none there.
    """
    words = (word.strip("'") for word in _TREEBANK.sub(" ", text.lower()).split())
    return [word for word in words if word.isalpha() and word not in _NLTK_STOP_WORDS]


_NLTK_STOP_WORDS = frozenset(STOPWORDS_EN_PLUS)
"""NLTK's 179 English stop words, which come with bm25s."""


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


STOP_WORDS = _listed(
    """
    a about above across after afterwards again against all almost alone along already also although
    always am among amongst amoungst amount an and another any anyhow anyone anything anyway
    anywhere are around as at back be became because become becomes becoming been before beforehand
    behind being below beside besides between beyond bill both bottom but by call can cannot cant co
    con could couldnt cry de describe detail do done down due during each eg eight either eleven
    else elsewhere empty enough etc even ever every everyone everything everywhere except few
    fifteen fifty fill find fire first five for former formerly forty found four from front full
    further get give go had has hasnt have he hence her here hereafter hereby herein hereupon hers
    herself him himself his how however hundred i ie if in inc indeed interest into is it its itself
    keep last latter latterly least less ltd made many may me meanwhile might mill mine more
    moreover most mostly move much must my myself name namely neither never nevertheless next nine
    no nobody none noone nor not nothing now nowhere of off often on once one only onto or other
    others otherwise our ours ourselves out over own part per perhaps please put rather re same see
    seem seemed seeming seems serious several she should show side since sincere six sixty so some
    somehow someone something sometime sometimes somewhere still such system take ten than that the
    their them themselves then thence there thereafter thereby therefore therein thereupon these
    they thick thin third this those though three through throughout thru thus to together too top
    toward towards twelve twenty two un under until up upon us very via was we well were what
    whatever when whence whenever where whereafter whereas whereby wherein whereupon wherever
    whether which while whither who whoever whole whom whose why will with within without would yet
    you your yours yourself yourselves
    """
)
"""The list of the Glasgow Information Retrieval Group, which scikit-learn, and so VeriSci, uses."""

ANALYSERS: Mapping[str, Analyser] = MappingProxyType(
    {
        "whitespace": str.split,
        # As Python's split(" ") has it, two spaces in a row make an empty word.
        "space": lambda text: text.split(" "),
        "lower": _words(),
        "stem": _words(tantivy.Filter.stemmer("English")),
        "stem-stop": _words(tantivy.Filter.stopword("english"), tantivy.Filter.stemmer("English")),
        "lemma-stop": _lemmas,
        "stop": _without_stop_words,
        "letters-stop": _letters,
    }
)
"""By name; "stem" gives the same words as the library's index (tantivy's en_stem)."""


def lemma(word: str) -> str:
    """Give the dictionary form of a word in lower case; an unknown word is returned unchanged."""
    return _lemmatiser()(word)


@cache
def _lemmatiser() -> Callable[[str], str]:
    """Read the dictionary at the first use, which takes about a second."""
    try:
        from simplemma import Lemmatizer
    except ImportError as error:
        raise MissingExtraError("Lemmatisation", "papers") from error
    return partial(Lemmatizer().lemmatize, lang="en")
