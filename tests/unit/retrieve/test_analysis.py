import pytest
import tantivy
from hypothesis import given
from hypothesis import strategies as st

from claimscope.errors import UnknownNameError
from claimscope.retrieve.analysis import ANALYSERS, find_analyser

TEXT = "The TNF-α levels of running Cells weren't 3.5 mg/kg; a_b X"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("whitespace", "The TNF-α levels of running Cells weren't 3.5 mg/kg; a_b X"),
        ("lower", "the tnf α levels of running cells weren t 3 5 mg kg a b x"),
        ("stem", "the tnf α level of run cell weren t 3 5 mg kg a b x"),
        ("stem-stop", "tnf α level run cell weren t 3 5 mg kg b x"),
        ("stop", "tnf levels running cells weren mg kg a_b"),
    ],
)
def test_words(name: str, words: str) -> None:
    assert find_analyser(name)(TEXT) == words.split()


def test_an_unknown_name_lists_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="whitespace, space, lower, stem, stem-stop, stop"):
        find_analyser("porter")


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
