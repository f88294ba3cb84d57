"""Hostile text of the largest size that is read: time grows with its length, and not faster."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from claimscope.claims.detection import find_claims
from claimscope.ingest import read
from claimscope.ingest.limits import LONGEST
from claimscope.text import split_sentences

SECONDS_PER_MEGABYTE = 2.0
SECONDS_PER_RECORD = 100e-6
"""What a record costs however short it is."""
SECONDS_OF_ANY_FILE = 0.15
LENGTH = LONGEST["abstract"] - 1_000

FRAGMENTS = (
    *(" ", "\t", "\n", ".\n \n", "A. ", "J.B.S. ", "e.g. ", "(b) A", "?)", "。a", "1. "),
    *("Results. ", "(", ")", "[1] ", "{}", "}", '"', '"a,\n', "'", "\\", "\\a", "{\\'e} $x^2$ "),
    *("\\frac{a}{b} ", "$ ", "&", "&amp;", "&#1", "<", "<p ", "<p>", '<p a="b" ', "<![CDATA["),
    *("10.1000/a)", "doi:10.1/", "1", "PMID: 1 ", "http://a.b/(", ";", " and ", "|", "-"),
    *("\u0301", "e\u0301", "ﬃ", "Ａ", "@", "@string", "retracted ", "than I ", "I ", ", ", "is "),
    "p < 0.05 ",
)


def seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def is_quick(work: Callable[[], object], allowed: float) -> bool:
    """Measure again if it took too long: other work on the machine slows a run."""
    return any(seconds(work) < allowed for _ in range(3))


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def files(text: str) -> dict[str, str]:
    """Put a text into every place of a record where readers look closer."""
    short = text[: LONGEST["title"] - 100]
    pubmed = "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>a</ArticleTitle>"
    quoted = text.replace('"', '""')
    return {
        "a.ris": f"TY  - JOUR\nTI  - {short}\nAB  - {text}\nN1  - {short}\nDO  - {short}\nER  - \n",
        "a.nbib": f"PMID- 1\nTI  - {short}\nAB  - {text}\nAID - {short} [doi]\nDP  - {short}\n\n",
        "a.bib": f"@misc{{b, title={{z}},\nabstract={{{text}}},\nurl={{{short}}},"
        f"\nnote={{{short}}}}}\n",
        "open.bib": f'@misc{{b, title={{z}},\nabstract="{text}',
        "a.csv": f'title,abstract,authors,year\n"a","{quoted}","{quoted[:900]}","{quoted[:900]}"\n',
        "open.csv": f'title,abstract\n"a","b"\n"{text}',
        "a.jsonl": json.dumps({"title": short, "abstract": text, "doi": short, "authors": [short]}),
        "a.xml": f"<PubmedArticleSet>{pubmed}<Abstract><AbstractText>{escaped(text)}</AbstractText>"
        "</Abstract></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>",
        "open.xml": f"<PubmedArticleSet>{pubmed}<Abstract><AbstractText>{text}",
        "a.nxml": "<article><front><article-meta><title-group><article-title>a</article-title>"
        f"</title-group><abstract><p>{escaped(text)}</p></abstract></article-meta></front></article>",
        "a.pdf": f"%PDF-1.4\n{text}",
        "a.txt": text,
    }


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_every_reader_takes_linear_time(tmp_path: Path, fragment: str) -> None:
    text = (fragment * LENGTH)[:LENGTH]
    for name, content in files(text).items():
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        items: list[object] = []

        def reading(path: Path = path, items: list[object] = items) -> None:
            items[:] = read([path])

        taken = seconds(reading)
        allowed = SECONDS_PER_MEGABYTE * path.stat().st_size / 1e6
        allowed += SECONDS_PER_RECORD * len(items) + SECONDS_OF_ANY_FILE
        assert taken < allowed or is_quick(reading, allowed), f"{name}: {taken:.2f} s"


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_sentences_and_claims_are_found_in_linear_time(fragment: str) -> None:
    text = (fragment * LENGTH)[:LENGTH]
    allowed = SECONDS_PER_MEGABYTE * LENGTH / 1e6
    assert is_quick(lambda: split_sentences(text), allowed)
    assert is_quick(lambda: find_claims(text), allowed)
