"""Whatever bytes a reader is given, it yields documents and failures and raises nothing."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimscope.ingest import FORMATS, Failure, read
from claimscope.library.writers.json_lines import to_json_line
from claimscope.types import Document

from .helpers import make_pdf
from .test_detect import SAMPLES

FRAGMENTS = [
    *(
        b"TY  - JOUR\n",
        b"TI  - ",
        b"AB  - ",
        b"ER  - \n",
        b"PMID- 1\n",
        b"\r",
        b"\r\n",
        b"\0",
        b"\xff",
    ),
    *(
        b"@article{a,\n",
        b"title = {",
        b"}",
        b"{",
        b'"',
        b"\\",
        b"$",
        b"%",
        b"#",
        b"\\'",
        b"@string{",
    ),
    *(
        b"title,abstract\n",
        b",",
        b";",
        b"\t",
        b'{"title": ',
        b'"x"',
        b"}\n",
        b"[",
        b'{"doc_id": 1}\n',
    ),
    *(b"<PubmedArticleSet>", b"<PubmedArticle>", b"<MedlineCitation>", b"</", b">", b"<article>"),
    *(b"<front>", b"<article-meta>", b"<!DOCTYPE a [", b"]>", b"&x;", b"&amp;", b"<?xml ", b"<!--"),
    *(
        b"%PDF-1.4\n",
        b"1 0 obj\n",
        b"<<",
        b">>",
        b"stream\n",
        b"endobj\n",
        b"trailer",
        b"PK\x03\x04",
    ),
    *(
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xfe\xff",
        b"\x1f\x8b",
        b"\xfd7zXZ\0",
        b"caf\xe9",
        "β".encode(),
    ),
]
SOUP = st.lists(st.sampled_from(FRAGMENTS) | st.binary(max_size=8), max_size=30).map(b"".join)


@st.composite
def damaged_samples(draw: st.DrawFn) -> bytes:
    """Give a good file with some of its bytes replaced."""
    data = bytearray(draw(st.sampled_from([*SAMPLES.values(), make_pdf([(9, "a b"), (20, "c")])])))
    for _ in range(draw(st.integers(0, 5))):
        place = draw(st.integers(0, len(data) - 1))
        data[place : place + draw(st.integers(0, 5))] = draw(st.sampled_from(FRAGMENTS))
        data = data or bytearray(b"x")
    return bytes(data)


def check(path: Path, forced: str | None) -> None:
    for item in read([path], format=forced):
        if isinstance(item, Document):
            assert item.id
            assert item.title or item.abstract
            to_json_line(item).encode()
            ends = [0, *(place for span in item.spans for place in span), len(item.abstract)]
            assert ends == sorted(ends)
            assert " ".join(item.sentences).split() == item.abstract.split()
        else:
            assert isinstance(item, Failure)
            assert item.reason.endswith(".")


@pytest.mark.parametrize("forced", [None, *FORMATS])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=SOUP | damaged_samples(), compressed=st.booleans())
def test_no_bytes_make_a_reader_raise(
    tmp_path_factory: pytest.TempPathFactory, forced: str | None, data: bytes, compressed: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / f"soup-{forced}"
    path.write_bytes(gzip.compress(data) if compressed else data)
    check(path, forced)
