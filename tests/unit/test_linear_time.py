"""Hostile text of the largest size that is read: time grows with its length, and not faster."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pyarrow
import pyarrow.parquet
import pytest
from openpyxl import Workbook

from claimscope.claims.detection import find_claims
from claimscope.ingest import FORMATS, detect, read
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


def files(text: str) -> dict[str, bytes]:
    """Put a text into every place of a record of every format where readers look closer."""
    short = text[: LONGEST["title"] - 100]
    made = {name: content.encode() for name, content in texts(text, short).items()}
    return made | {"a.xlsx": workbook(text, short), "a.parquet": parquet(text, short)}


def texts(text: str, short: str) -> dict[str, str]:
    """Give the files that are text."""
    pubmed = "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>a</ArticleTitle>"
    quoted = text.replace('"', '""')
    line = " ".join(text.split())
    row = line[: len(short)]
    works = {
        "openalex.json": {
            "results": [{"title": short, "authorships": [], "abstract_inverted_index": {text: [0]}}]
        },
        "europepmc.json": {
            "resultList": {
                "result": [{"title": short, "authorString": short, "abstractText": text}]
            }
        },
        "csl.json": [{"type": "article", "title": short, "abstract": text, "URL": short}],
        "beir.jsonl": {"_id": "1", "title": short, "text": text},
        "scifact.jsonl": {"doc_id": 1, "title": short, "abstract": [text]},
        "a.jsonl": {"title": short, "abstract": text, "doi": short, "authors": [short]},
    }
    return {name: json.dumps(work) for name, work in works.items()} | {
        "a.ris": f"TY  - JOUR\nTI  - {short}\nAB  - {text}\nN1  - {short}\nDO  - {short}\nER  - \n",
        "a.nbib": f"PMID- 1\nTI  - {short}\nAB  - {text}\nAID - {short} [doi]\nDP  - {short}\n\n",
        "a.enw": f"%0 Journal Article\n%T {short}\n%X {text}\n%R {short}\n%U {short}\n",
        "wos.txt": f"FN Clarivate\nVR 1.0\nPT J\nAU {short}\nTI {short}\nAB {text}\nER\nEF\n",
        "wos-tab.txt": f"PT\tAU\tTI\tAB\tDI\nJ\t{row}\t{row}\t{line}\t{row}\n",
        "pubmed.txt": f"1. J Sleep. 2019;1:2. doi: {row}\n\n{row}\n\nDoe J.\n\n{text}\n\nPMID: 1\n",
        "a.bib": f"@misc{{b, title={{z}},\nabstract={{{text}}},\nurl={{{short}}},"
        f"\nnote={{{short}}}}}\n",
        "open.bib": f'@misc{{b, title={{z}},\nabstract="{text}',
        "a.csv": f'title,abstract,authors,year\n"a","{quoted}","{quoted[:900]}","{quoted[:900]}"\n',
        "open.csv": f'title,abstract\n"a","b"\n"{text}',
        "a.xml": f"<PubmedArticleSet>{pubmed}<Abstract><AbstractText>{escaped(text)}</AbstractText>"
        "</Abstract></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>",
        "open.xml": f"<PubmedArticleSet>{pubmed}<Abstract><AbstractText>{text}",
        "endnote.xml": f"<xml><records><record><titles><title>{escaped(short)}</title></titles>"
        f"<abstract>{escaped(text)}</abstract><notes>{escaped(short)}</notes></record></records></xml>",
        "a.nxml": "<article><front><article-meta><title-group><article-title>a</article-title>"
        f"</title-group><abstract><p>{escaped(text)}</p></abstract></article-meta></front></article>",
        "a.pdf": f"%PDF-1.4\n{text}",
        "a.txt": text,
    }


def workbook(text: str, short: str) -> bytes:
    """Give a workbook that is not compressed, so that its size is that of the text."""
    rows = (("title", "abstract", "doi"), (escaped(short), escaped(text), escaped(short)))
    cell = '<c t="inlineStr"><is><t>{}</t></is></c>'
    sheet = "".join(f"<row>{''.join(map(cell.format, row))}</row>" for row in rows)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData></worksheet>'
    empty, made = io.BytesIO(), io.BytesIO()
    Workbook().save(empty)
    with ZipFile(empty) as old, ZipFile(made, "w") as new:
        for name in old.namelist():
            new.writestr(name, sheet if name == "xl/worksheets/sheet1.xml" else old.read(name))
    return made.getvalue()


def parquet(text: str, short: str) -> bytes:
    """Give a Parquet file that is not compressed."""
    made = io.BytesIO()
    table = pyarrow.table({"title": [short], "abstract": [text], "doi": [short]})
    pyarrow.parquet.write_table(table, made, compression="none", use_dictionary=False)
    return made.getvalue()


def test_every_format_is_among_them(tmp_path: Path) -> None:
    found = set()
    for name, content in files("Aspirin lowers risk.").items():
        (tmp_path / name).write_bytes(content)
        format_ = detect(tmp_path / name)
        found |= {format_.name} if format_ is not None else set()
    assert found == set(FORMATS)


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_every_reader_takes_linear_time(tmp_path: Path, fragment: str) -> None:
    text = (fragment * LENGTH)[:LENGTH]
    for name, content in files(text).items():
        path = tmp_path / name
        path.write_bytes(content)
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
