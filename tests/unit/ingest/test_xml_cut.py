"""What is cut out of PubMed XML changes no record, no line number and no failure."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.errors import FormatError
from claimscope.ingest import pubmed_xml
from claimscope.ingest.record import Item
from claimscope.ingest.xml_stream import WithoutElements, read_records

from .helpers import write
from .test_pubmed_xml import HEAD, article

UNREAD = """<MeshHeadingList><MeshHeading>
<DescriptorName>Sleep</DescriptorName></MeshHeading></MeshHeadingList>"""
DATA = """<PubmedData><History><PubMedPubDate><Year>1901</Year></PubMedPubDate>
</History><ArticleIdList><ArticleId IdType="doi">10.9999/other</ArticleId></ArticleIdList>
<ReferenceList><ReferenceList><Reference><ArticleIdList>
<ArticleId IdType="doi">10.5/cited</ArticleId></ArticleIdList></Reference></ReferenceList>
</ReferenceList></PubmedData>"""
AUTHOR = "<ForeName>Anna</ForeName>"
AFFILIATED = AUTHOR + "<AffiliationInfo><Affiliation>Some\nplace</Affiliation></AffiliationInfo>"


def file_of(middle: str = "") -> str:
    first = article(1, notes=UNREAD) + middle
    last = article(2).replace(AUTHOR, AFFILIATED)
    data = last[last.index("<PubmedData>") : last.index("</PubmedArticle>")]
    empty = "<PubmedArticle><MedlineCitation><PMID>3</PMID></MedlineCitation></PubmedArticle>"
    return f"{HEAD}{first}{last.replace(data, DATA)}{empty}</PubmedArticleSet>"


@pytest.mark.parametrize("middle", ["", "<!-- <History> -->", "<Note><![CDATA[<History>]]></Note>"])
@pytest.mark.parametrize("end", [None, -40, -400, -1500])
def test_records_and_failures_are_those_of_the_whole_file(
    tmp_path: Path, middle: str, end: int | None
) -> None:
    path = write(tmp_path, "p.xml", file_of(middle)[:end])
    whole = read_records(path, pubmed_xml._document, pubmed_xml._RECORDS)
    assert list(pubmed_xml.read(path)) == list(whole)


@given(
    parts=st.lists(st.sampled_from(["<a>", "</a>", "<b>", "</b>", "</end>", "x", "\n"])),
    size=st.integers(1, 9),
)
def test_every_line_and_all_other_text_is_kept(parts: list[str], size: int) -> None:
    data = "".join(parts).encode()
    source = WithoutElements(io.BytesIO(data), ["a"], boundary=b"</end>", size=1)
    result = b"".join(iter(lambda: source.read(size), b""))
    assert result.count(b"\n") == data.count(b"\n")
    if b"<a>" not in data:
        assert result == data


def test_elements_are_cut_across_reads_and_nested_ones_stay_balanced() -> None:
    data = b"<r>1<a>no</a>2</end><a><a>no</a>3</a></end><a>open"
    source = WithoutElements(io.BytesIO(data), ["a"], boundary=b"</end>", size=1)
    assert b"".join(iter(lambda: source.read(5), b"")) == b"<r>12</end><a>3</a></end><a>open"


def test_a_damaged_archive_loses_no_record_before_the_damage(tmp_path: Path) -> None:
    noise = "".join(f"<Note>{sha256(bytes([n])).hexdigest()}</Note>" for n in range(200))
    content = gzip.compress(file_of(f"<Notes>{noise}</Notes>").encode())
    for end in range(300, len(content), 400):
        for damaged in (content[:end], content[:end] + b"\xff" * 40 + content[end + 40 :]):
            path = write(tmp_path, "p.xml.gz", damaged)
            whole = read_records(path, pubmed_xml._document, pubmed_xml._RECORDS)
            assert results(pubmed_xml.read(path)) == results(whole)


def results(items: Iterator[Item]) -> list[Item | str]:
    found: list[Item | str] = []
    try:
        found.extend(items)
    except FormatError as error:
        found.append(str(error))
    return found
