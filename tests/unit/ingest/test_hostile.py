"""Files made to harm: each must end in one sentence, soon, and in little memory."""

from __future__ import annotations

import gzip
import json
import lzma
import random
import tracemalloc
from pathlib import Path

import pytest

from claimscope.ingest import Failure, read
from claimscope.types import Document

from .helpers import outcome, write

MEGABYTE = 1_000_000


def bounded_outcome(path: Path) -> tuple[list[Document], list[Failure]]:
    """Read a file, and fail if that holds more than 50 MB at any moment."""
    tracemalloc.start()
    try:
        result = outcome(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 50 * MEGABYTE
    return result


def bomb(levels: int = 9) -> str:
    entities = ['<!ENTITY x0 "ha">']
    entities += [f'<!ENTITY x{i} "{f"&x{i - 1};" * 10}">' for i in range(1, levels)]
    return f"<!DOCTYPE PubmedArticleSet [{''.join(entities)}]>"


ARTICLE = "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle{}>{}</ArticleTitle>"
ARTICLE += "</Article></MedlineCitation></PubmedArticle>"


@pytest.mark.parametrize(
    "text",
    [
        bomb() + f"<PubmedArticleSet>{ARTICLE.format('', '&x8;')}</PubmedArticleSet>",
        bomb() + '<PubmedArticleSet a="&x8;">' + ARTICLE.format("", "x") + "</PubmedArticleSet>",
        bomb(2) + f"<PubmedArticleSet>{ARTICLE.format('', 'harmless')}</PubmedArticleSet>",
        '<!DOCTYPE PubmedArticleSet [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        f"<PubmedArticleSet>{ARTICLE.format('', '&x;')}</PubmedArticleSet>",
        '<!DOCTYPE PubmedArticleSet [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>'
        f"<PubmedArticleSet>{ARTICLE.format('', 'x')}</PubmedArticleSet>",
    ],
)
def test_xml_with_entities_of_its_own_is_refused(tmp_path: Path, text: str) -> None:
    documents, (failure,) = bounded_outcome(write(tmp_path, "bomb.xml", text))
    assert documents == []
    assert "root:" not in failure.reason


def test_an_external_document_type_is_not_loaded(tmp_path: Path) -> None:
    write(tmp_path, "evil.dtd", '<!ENTITY x "loaded">')
    text = '<!DOCTYPE PubmedArticleSet SYSTEM "evil.dtd">'
    text += f"<PubmedArticleSet>{ARTICLE.format('', 'a &x; b')}</PubmedArticleSet>"
    (document,), failures = outcome(write(tmp_path, "p.xml", text))
    assert failures == []
    assert document.title == "a &x; b"


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_a_file_that_expands_without_end_is_refused(tmp_path: Path, compress: type[bytes]) -> None:
    record = b'{"title": "harmless"}\n'
    path = write(tmp_path, "bomb.jsonl", compress(record + b" " * (100 * MEGABYTE)))
    (document,), (failure,) = bounded_outcome(path)
    assert document.title == "harmless"
    assert "200 times" in failure.reason


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_a_cut_off_compressed_file_keeps_what_came_before(
    tmp_path: Path, compress: type[bytes]
) -> None:
    chance = random.Random(1)
    lines = [json.dumps({"title": f"Paper {chance.random()}"}) for _ in range(50_000)]
    whole = compress("\n".join(lines).encode())
    documents, (failure,) = outcome(write(tmp_path, "cut.jsonl", whole[: len(whole) // 2]))
    assert len(documents) > 5_000
    assert "damaged" in failure.reason


RECORDS = {
    "jsonl": ('{"title": "a"}\n', '{"title": "%s"}\n', '{"title": "z"}\n'),
    "csv": ("title,abstract\na,b\n", '"%s",b\n', "z,b\n"),
    "ris": (
        "TY  - JOUR\nTI  - a\nER  - \n",
        "TY  - JOUR\nTI  - b\nAB  - %s\nER  - \n",
        "TY  - JOUR\nTI  - z\n",
    ),
    "nbib": ("PMID- 1\nTI  - a\n\n", "PMID- 2\nAB  - %s\n\n", "PMID- 3\nTI  - z\n"),
    "bibtex": (
        "@misc{a, title={a}}\n",
        "@misc{b, title={b},\nabstract={%s}}\n",
        "@misc{z, title={z}}\n",
    ),
}
LONG_LINE = "x" * (25 * MEGABYTE)
# Lines cost more than their characters, so that fewer characters in short lines are too many.
SHORT_LINES = "some words\n" * 200_000


@pytest.mark.parametrize(
    ("name", "filling"),
    [
        *((name, LONG_LINE) for name in RECORDS),
        *((name, SHORT_LINES) for name in ("ris", "nbib", "bibtex")),
    ],
    ids=lambda value: value[:10],
)
def test_an_absurd_record_is_skipped_and_the_next_is_read(
    tmp_path: Path, name: str, filling: str
) -> None:
    before, huge, after = RECORDS[name]
    path = write(tmp_path, "huge", before + huge.replace("%s", filling) + after)
    documents, (failure,) = bounded_outcome(path)
    assert [document.title for document in documents] == ["a", "z"]
    assert "larger than 10 MB" in failure.reason


@pytest.mark.parametrize("inside", ["<i>x</i>" * 4_000_000, "x" * (30 * MEGABYTE), "<i>" * 100_000])
def test_an_absurd_xml_record_ends_the_file(tmp_path: Path, inside: str) -> None:
    text = f"<PubmedArticleSet>{ARTICLE.format('', 'a')}{ARTICLE.format('', inside)}"
    documents, (failure,) = outcome(write(tmp_path, "huge.xml", f"{text}</PubmedArticleSet>"))
    assert [document.title for document in documents] == ["a"]
    assert "rest of the file" in failure.reason


def test_deep_braces_are_taken_off(tmp_path: Path) -> None:
    deep = "@misc{b, title = " + "{" * 50_000 + "x" + "}" * 50_000 + "}\n@misc{z, title={z}}\n"
    documents, failures = outcome(write(tmp_path, "deep.bib", deep))
    assert [document.title for document in documents] == ["x", "z"]
    assert failures == []


@pytest.mark.parametrize(
    "forced", ["csv", "ris", "bibtex", "jsonl", "nbib", "pubmed", "pdf", "xlsx"]
)
def test_binary_junk_yields_failures_only(tmp_path: Path, forced: str) -> None:
    path = write(tmp_path, "junk", random.Random(7).randbytes(300_000))
    items = list(read([path], format=forced))
    assert items
    assert all(isinstance(item, Failure) for item in items)
