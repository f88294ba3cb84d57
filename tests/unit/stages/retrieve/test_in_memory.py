from collections.abc import Iterator
from pathlib import Path

import pytest

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.library.local import LocalLibrary
from claimscope.pipeline.stage import KnowsRank, Stage, describe
from claimscope.stages.retrieve.in_memory import InMemory, InMemoryBM25, InMemoryTfIdf
from claimscope.text import split_sentences
from claimscope.types import Case, Claim, Document

ABSTRACTS = {
    "a": ("Zinc and colds", "Zinc lozenges shortened colds by two days."),
    "b": ("Vitamin C", "Vitamin C did not prevent colds."),
    "c": ("Sleep", "Short sleep went with weight gain."),
    "d": ("Zinc in soil", ""),
}


def document(name: str, title: str, abstract: str) -> Document:
    return Document(name, title, abstract, split_sentences(abstract))


@pytest.fixture
def library(tmp_path: Path) -> Iterator[LocalLibrary]:
    library = LocalLibrary(tmp_path / "library", create=True)
    library.add(document(name, *texts) for name, texts in ABSTRACTS.items())
    yield library
    library.close()


@pytest.fixture(params=[InMemoryBM25, InMemoryTfIdf])
def retriever(request: pytest.FixtureRequest, library: LocalLibrary) -> InMemory:
    stage = request.param(library)
    assert isinstance(stage, InMemory)
    return stage


def found(retriever: InMemory, claim: str) -> list[str]:
    [case] = retriever.run([Case(Claim(claim))])
    return [candidate.document.id for candidate in case.candidates]


def test_ranks_by_score_under_its_own_name(retriever: InMemory, library: LocalLibrary) -> None:
    claims = [Case(Claim("Zinc shortens colds.")), Case(Claim("Quarks are heavy."))]
    [first, second] = retriever.run(claims)
    scores = [candidate.scores[f"retrieve.{retriever.name}"].raw for candidate in first.candidates]
    assert first.candidates[0].document == library.get(["a"])[0]
    assert {candidate.document.id for candidate in first.candidates} == {"a", "b", "d"}
    assert scores == sorted(scores, reverse=True)
    assert second.candidates == ()


def test_keeps_k(library: LocalLibrary) -> None:
    assert len(found(InMemoryTfIdf(library, k=2), "zinc colds")) == 2


def test_sees_what_was_added_and_removed(retriever: InMemory, library: LocalLibrary) -> None:
    assert found(retriever, "ginger nausea") == []
    library.add([document("e", "Ginger", "Ginger eased nausea.")])
    assert found(retriever, "ginger nausea") == ["e"]
    library.remove(["e"])
    assert found(retriever, "ginger nausea") == []


def test_knows_the_rank_of_every_document(retriever: InMemory) -> None:
    assert isinstance(retriever, Stage)
    assert isinstance(retriever, KnowsRank)
    claim = Claim("zinc colds")
    order = found(retriever, claim.text)
    for name in ABSTRACTS:
        expected = order.index(name) + 1 if name in order else None
        assert retriever.rank_of(claim, name) == expected
    assert retriever.rank_of(claim, "unknown") is None


def test_an_empty_library_gives_no_candidates(tmp_path: Path) -> None:
    library = LocalLibrary(tmp_path / "empty", create=True)
    for stage in (InMemoryBM25(library), InMemoryTfIdf(library)):
        assert found(stage, "anything") == []
    library.close()


def test_parameters_are_recorded(library: LocalLibrary) -> None:
    described = describe(InMemoryBM25(library, k=5, k1=0.9, b=0.4, analyser="whitespace"))
    assert described == {
        "stage": "retrieve.bm25-memory",
        "k": 5,
        "content": "title-and-abstract",
        "k1": 0.9,
        "b": 0.4,
        "method": "lucene",
        "analyser": "whitespace",
    }


def test_bad_parameters_are_refused_before_the_library_is_read(library: LocalLibrary) -> None:
    with pytest.raises(ConfigurationError, match=r"'k' of stage retrieve\.tfidf must"):
        InMemoryTfIdf(library, k=0)
    with pytest.raises(UnknownNameError, match="analyser"):
        InMemoryTfIdf(library, analyser="porter")
    with pytest.raises(UnknownNameError, match="method"):
        InMemoryBM25(library, method="bm26")
    with pytest.raises(ConfigurationError, match="b from 0 to 1"):
        InMemoryBM25(library, b=2.0)


def test_the_content_that_is_indexed_can_be_chosen(library: LocalLibrary) -> None:
    assert found(InMemoryBM25(library), "zinc soil") == ["d", "a"]
    assert found(InMemoryBM25(library, content="abstract"), "zinc soil") == ["a"]
    # "SleepShort" is one word when title and abstract are joined without a space.
    assert found(InMemoryBM25(library, content="title-glued-to-abstract"), "short") == []
    with pytest.raises(UnknownNameError, match="title-glued-to-abstract"):
        InMemoryBM25(library, content="full text")
