from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path

import pytest

from claimscope.ingest import detect

from .helpers import make_pdf, write

SAMPLES = {
    "pdf": make_pdf([(12, "Hello there")]),
    "pubmed": b"<?xml version='1.0'?>\n<PubmedArticleSet><PubmedArticle/></PubmedArticleSet>",
    "jats": b"<?xml version='1.0'?><article article-type='x'><front/></article>",
    "beir": b'{"_id": "1", "title": "T", "text": "x"}\n',
    "scifact": b'{"doc_id": 1, "title": "T", "abstract": ["x"]}\n',
    "parquet": b"PAR1\x15\x04\x15",
    "jsonl": b'{"id": "1", "title": "T", "abstract": "x"}\n',
    "endnote-xml": b"<?xml version='1.0'?><xml><records><record><ref-type>17</ref-type></record>",
    "openalex": b'{"meta": {"count": 1}, "results": [{"id": "W1", "authorships": []}]}',
    "europepmc": b'{"version": "6.9", "resultList": {"result": [{"id": "1"}]}}',
    "csl-json": b'[\n  {"id": "x", "type": "article-journal", "title": "T"}\n]\n',
    "enw": b"\n%0 Journal Article\n%T A title\n",
    "wos": b"FN Clarivate\nVR 1.0\nPT J\nAU Doe, J\nTI T\nER\n",
    "wos-tab": b"PT\tAU\tTI\tAB\nJ\tDoe\tT\tA\n",
    "pubmed-text": b"1: Doe J. T. J Sleep. 2019;1:2. PMID: 1.\n",
    "ris": b"\r\n1.\r\nTY  - JOUR\r\nTI  - PMID- 1\r\n",
    "nbib": b"\nPMID- 123\nOWN - NLM\n",
    "bibtex": b"% a comment, title\n@article{key,\n title = {x}}\n",
    "csv": b"Title\tAbstract\tDOI\nx\ty\tz\n",
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("wrap", [bytes, gzip.compress, lzma.compress])
def test_formats_are_found_whatever_the_file_is_called(
    tmp_path: Path, name: str, wrap: type[bytes]
) -> None:
    found = detect(write(tmp_path, "file.dat", wrap(SAMPLES[name])))
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("name", ["ris", "nbib", "bibtex", "csv", "jsonl", "pubmed"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_byte_order_mark_hides_nothing(tmp_path: Path, name: str, encoding: str) -> None:
    found = detect(write(tmp_path, "file", SAMPLES[name].decode().encode(encoding)))
    assert found is not None
    assert found.name == name


def test_a_first_line_longer_than_the_head_is_recognised(tmp_path: Path) -> None:
    record = {"doc_id": 1, "title": "T", "abstract": ["long sentence " * 10_000]}
    found = detect(write(tmp_path, "file", json.dumps(record)))
    assert found is not None
    assert found.name == "scifact"


def test_a_broken_first_line_does_not_hide_the_format(tmp_path: Path) -> None:
    found = detect(write(tmp_path, "file", b"{broken\n" + SAMPLES["beir"]))
    assert found is not None
    assert found.name == "beir"


@pytest.mark.parametrize(
    "content", [b"Dear all, the title is above.\n", bytes(range(256)), b"[1, 2]"]
)
def test_other_files_have_no_format(tmp_path: Path, content: bytes) -> None:
    assert detect(write(tmp_path, "file", content)) is None
