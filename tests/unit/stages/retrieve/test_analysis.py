import sys

import pytest
import tantivy
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.errors import MissingExtraError, UnknownNameError
from claimscope.stages.retrieve import analysis as lemmas
from claimscope.stages.retrieve.analysis import ANALYSERS, find_analyser

TEXT = "The TNF-α levels of running Cells weren't 3.5 mg/kg; a_b X"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("whitespace", "The TNF-α levels of running Cells weren't 3.5 mg/kg; a_b X"),
        ("lower", "the tnf α levels of running cells weren t 3 5 mg kg a b x"),
        ("stem", "the tnf α level of run cell weren t 3 5 mg kg a b x"),
        ("stem-stop", "tnf α level run cell weren t 3 5 mg kg b x"),
        ("lemma-stop", "tnf α level run cell be t 3 5 mg kg b x"),
        ("stop", "tnf levels running cells weren mg kg a_b"),
        ("letters-stop", "levels running cells x"),
    ],
)
def test_words(name: str, words: str) -> None:
    assert find_analyser(name)(TEXT) == words.split()


def test_words_of_letters_alone_are_those_of_the_treebank_rules() -> None:
    text = "Mice (aged 12) can't, and cannot, eat p53's well-known tea: 3,000 in 'vitro'. Ends..."
    found = find_analyser("letters-stop")(text)
    assert found == "mice aged ca eat tea vitro ends".split()


def test_lemmas_are_words_of_the_dictionary_where_stems_are_cut() -> None:
    text = "Studies of mice and geese: the seas were warmer in 1998, and CO2 was rising."
    found = find_analyser("lemma-stop")(text)
    assert found == "study mouse goose sea be warm 1998 co2 rise".split()
    assert find_analyser("lemma-stop")("study mouse goose sea warm rise") == [
        word for word in found if word not in ("be", "1998", "co2")
    ]


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "simplemma", None)
    lemmas._lemmatiser.cache_clear()
    with pytest.raises(MissingExtraError, match=r'pip install "\.\[papers\]"'):
        find_analyser("lemma-stop")("mice")


def test_an_unknown_name_lists_the_choices() -> None:
    names = "whitespace, space, lower, stem, stem-stop, lemma-stop, stop, letters-stop"
    with pytest.raises(UnknownNameError, match=names):
        find_analyser("porter")


@settings(deadline=None)  # The first lemma takes long, since the dictionary is read.
@given(st.text())
@pytest.mark.parametrize("name", ANALYSERS)
def test_any_text_gives_words(name: str, text: str) -> None:
    words = find_analyser(name)(text)
    assert all(isinstance(word, str) for word in words)
    assert name == "space" or all(words)


@pytest.mark.parametrize(
    "text", [TEXT, "Étude of ÉTUDES, naïve β-cells 维生素", "x" * 39 + " " + "y" * 40]
)
def test_stem_gives_the_words_of_the_library_index(text: str) -> None:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="en_stem")
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(15_000_000, 1)
    writer.add_document(tantivy.Document(text=text))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def is_indexed(word: str) -> bool:
        return bool(searcher.search(tantivy.Query.term_query(schema, "text", word), 1).hits)

    stems, plain = set(ANALYSERS["stem"](text)), set(ANALYSERS["lower"](text))
    assert all(is_indexed(word) for word in stems)
    assert not any(is_indexed(word) for word in plain - stems)
