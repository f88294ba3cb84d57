"""Whatever a library holds, each export of it is recognised and read back the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimscope.ingest import read
from claimscope.ingest.assemble import assemble
from claimscope.library.export import FORMATS
from claimscope.types import Document, Metadata

COMMANDS = [
    *("--", "''", "@article{x,", "\\alpha", "ER  - ", "TY  - JOUR", "&lt;b&gt;", "</record>"),
    *("%0 Journal", "=1+1", "'=x", "ü", "β", "咖", "🙂", " and ", "word"),
]
SIGNS = st.sampled_from([*"\\{}$~^_%&#@`'\"<>-=+;,:.|\t\n", *COMMANDS])
TEXT = st.lists(SIGNS | st.text(max_size=5), max_size=12).map("".join)
LINE = TEXT.map(lambda text: " ".join(text.split()))
# Names are a list, in which these would be taken for what stands between two.
NAME = st.text("abcÄöß咖 .'-{}\\&", min_size=1, max_size=12).map(lambda text: f"{text}x")
AUTHOR = st.builds("{}, {}".format, NAME, NAME) | NAME | st.just("Health and Human Services")
TYPES = st.lists(st.sampled_from(["Review", "A & B"]), unique=True)


@st.composite
def papers(draw: st.DrawFn) -> list[Document]:
    """Give papers as an import makes them, each with an id of its own."""
    made = []
    for number in range(draw(st.integers(1, 3))):
        pmid, doi = draw(st.none() | st.just("77")), draw(st.none() | st.just("10.1000/x_y(1)z"))
        meta = Metadata(
            doi=doi,
            pmid=pmid,
            year=draw(st.none() | st.integers(1900, 2100)),
            venue=draw(LINE) or None,
            authors=tuple(draw(st.lists(AUTHOR, max_size=3))),
            url=draw(st.none() | st.just("https://example.org/a_b~c?d=%20&e={f}#g")),
            language=draw(st.none() | st.just("de")),
            publication_types=tuple(
                draw(st.lists(st.sampled_from(["Review", "A & B"]), unique=True))
            ),
            study_type=draw(st.none() | st.just("randomised trial")),
            sample_size=draw(st.none() | st.integers(1, 10**8)),
            population=draw(st.none() | st.just("adults: 50% women")),
            retracted=draw(st.booleans()),
            note=draw(st.none() | st.just("Guessed: from a PDF.")),
        )
        made.append(assemble(meta, f"Title {draw(LINE)}", draw(LINE), identifier=f"id {number}"))
    return made


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(written=papers())
def test_an_export_is_read_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, name: str, written: Sequence[Document]
) -> None:
    path = tmp_path_factory.getbasetemp() / f"trip.{FORMATS[name].ending}"
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(FORMATS[name].write(written))
    again = list(read([path]))
    assert again == [_from(document, path) for document in written]


def _from(document: Document, path: Path) -> Document:
    return replace(document, meta=replace(document.meta, source=path.name))


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_library_is_an_empty_file_of_its_format(name: str) -> None:
    text = "".join(FORMATS[name].write([]))
    assert "Title" not in text
    assert text == text.strip() + "\n" or not text or name == "csv"
