"""What EndNote, Zotero and Web of Science export."""

from __future__ import annotations

import json
from pathlib import Path

from .helpers import documents_of, outcome, write

ENDNOTE = """<?xml version="1.0" encoding="UTF-8" ?><xml><records><record>
<database name="My.enl" path="/My.enl">My.enl</database>
<source-app name="EndNote" version="20.1">EndNote</source-app><rec-number>1</rec-number>
<ref-type name="Journal Article">17</ref-type>
<contributors><authors><author><style face="normal" font="default">Müller, Anna</style></author>
<author>Doe, J.</author></authors><secondary-authors><author>Editor, E.</author>
</secondary-authors></contributors>
<titles><title><style>Coffee and </style><style face="italic">sleep</style></title>
<secondary-title>J Sleep</secondary-title></titles>
<periodical><full-title>Journal of Sleep</full-title></periodical>
<keywords><keyword>coffee</keyword></keywords>
<dates><year><style>2019</style></year></dates>
<accession-num>31234567</accession-num><remote-database-name>PubMed</remote-database-name>
<abstract>Coffee delays sleep. It did so in 40 adults.</abstract><notes>Retracted article</notes>
<urls><related-urls><url>https://example.org/p</url></related-urls></urls>
<electronic-resource-num>https://doi.org/10.1000/ABC</electronic-resource-num>
<language>eng</language></record>
<record><ref-type name="Book">6</ref-type><dates><year>2001</year></dates></record>
</records></xml>"""

ENW = """
%0 Journal Article
%A Müller, Anna
%A Doe, J.
%T Coffee and sleep
%J Journal of Sleep
%D 2019
%R 10.1000/abc
%M 31234567
%W PubMed
%U https://example.org/p
%G en
%X Coffee delays sleep
 by an hour.
%5 of 40 adults slept well.

%0 Book
%D 2001

%0 Thesis
%T A thesis
"""

CSL = [
    {
        "id": "muller2019",
        "type": "article-journal",
        "title": "Coffee and <i>sleep</i>",
        "container-title": "Journal of Sleep",
        "author": [
            {"family": "Müller", "given": "Anna"},
            {"non-dropping-particle": "van", "family": "Doe", "given": "J."},
            {"literal": "The Sleep Group"},
        ],
        "issued": {"date-parts": [["2019", 5, 1]]},
        "DOI": "10.1000/ABC",
        "URL": "https://example.org/p",
        "language": "en",
        "abstract": "Coffee delays sleep. It did so in 40 adults.",
        "note": "PMID: 31234567\nPMCID: PMC1",
    },
    {"id": "empty", "type": "book"},
    {"id": "x", "type": "thesis", "title": ["A thesis"], "issued": {"raw": "May 2001"}},
]

WOS = """FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Muller, A
   Doe, J
AF Mueller, Anna
   Doe, John
TI Coffee and
   sleep
SO JOURNAL OF SLEEP
LA English
DT Article; Retracted Publication
AB Coffee delays sleep. PT was given.
   It did so in 40 adults.
PY 2019
DI 10.1000/ABC
PM 31234567
UT WOS:000123
ER

PT B
PY 2001
ER

EF
"""


def test_endnote_xml_keeps_every_field(tmp_path: Path) -> None:
    (document,), (failure,) = outcome(write(tmp_path, "x.xml", ENDNOTE))
    meta = document.meta
    assert (document.id, document.title) == ("pmid:31234567", "Coffee and sleep")
    assert document.sentences == ("Coffee delays sleep.", "It did so in 40 adults.")
    assert meta.authors == ("Müller, Anna", "Doe, J.")
    assert (meta.doi, meta.year, meta.venue) == ("10.1000/abc", 2019, "Journal of Sleep")
    assert (meta.url, meta.language, meta.retracted) == ("https://example.org/p", "en", True)
    assert meta.publication_types == ("Journal Article",)
    assert failure.line
    assert "neither a title nor an abstract" in failure.reason


def test_endnote_tagged_text_keeps_every_field(tmp_path: Path) -> None:
    (document, thesis), (failure,) = outcome(write(tmp_path, "x.enw", ENW))
    meta = document.meta
    assert (document.id, meta.doi, meta.year) == ("pmid:31234567", "10.1000/abc", 2019)
    assert document.abstract == "Coffee delays sleep by an hour. %5 of 40 adults slept well."
    assert meta.authors == ("Müller, Anna", "Doe, J.")
    assert (meta.venue, meta.language) == ("Journal of Sleep", "en")
    assert (thesis.title, thesis.meta.publication_types) == ("A thesis", ("Thesis",))
    assert failure.line == 17


def test_csl_json_of_zotero_keeps_every_field(tmp_path: Path) -> None:
    (document, thesis), (failure,) = outcome(write(tmp_path, "x", json.dumps(CSL, indent=1)))
    meta = document.meta
    assert (document.id, document.title) == ("pmid:31234567", "Coffee and sleep")
    assert meta.authors == ("Müller, Anna", "van Doe, J.", "The Sleep Group")
    assert (meta.doi, meta.year, meta.venue) == ("10.1000/abc", 2019, "Journal of Sleep")
    assert (thesis.title, thesis.meta.year) == ("A thesis", 2001)
    lines = json.dumps(CSL, indent=1).splitlines()
    assert '"id": "empty"' in lines[failure.line or 0]


def test_a_list_that_is_cut_off_keeps_the_records_before(tmp_path: Path) -> None:
    text = json.dumps(CSL)
    documents, (failure,) = outcome(write(tmp_path, "x.json", text[: text.index("empty")]))
    assert [each.title for each in documents] == ["Coffee and sleep"]
    assert "ends in the middle of a record" in failure.reason


def test_broken_json_in_a_list_is_named(tmp_path: Path) -> None:
    text = json.dumps(CSL).replace('{"id": "empty"', '{"id" "empty"')
    documents, (failure,) = outcome(write(tmp_path, "x.json", text))
    assert len(documents) == 1
    assert "The JSON is broken here" in failure.reason


def test_a_list_of_other_things_is_refused_one_by_one(tmp_path: Path) -> None:
    text = json.dumps([CSL[0], 3, "x", None, [1], CSL[2]])
    documents, failures = outcome(write(tmp_path, "x.json", text))
    assert [each.title for each in documents] == ["Coffee and sleep", "A thesis"]
    assert len(failures) == 4


def test_web_of_science_plain_text_keeps_every_field(tmp_path: Path) -> None:
    (document,), (failure,) = outcome(write(tmp_path, "savedrecs.txt", WOS))
    meta = document.meta
    assert (document.id, document.title) == ("pmid:31234567", "Coffee and sleep")
    assert document.abstract.endswith("PT was given. It did so in 40 adults.")
    assert meta.authors == ("Mueller, Anna", "Doe, John")
    assert (meta.doi, meta.year, meta.venue) == ("10.1000/abc", 2019, "JOURNAL OF SLEEP")
    assert meta.publication_types == ("Article", "Retracted Publication")
    assert meta.retracted
    assert failure.line == 21


def test_web_of_science_tables_have_plain_quotation_marks(tmp_path: Path) -> None:
    rows = [
        "PT\tAU\tAF\tTI\tSO\tLA\tDT\tAB\tPY\tDI\tPM\tUT",
        'J\tDoe, J; Roe, R\tDoe, John; Roe, R.\t"Coffee" and sleep\tJ SLEEP\tEnglish\tArticle\t'
        '"Quoted. Not closed.\t2019\t10.1000/abc\t31234567\tWOS:1',
        "J\tDoe, J\t\t\t\t\t\t\t2001",
        "J\tDoe, J" + "\t" * 10 + "WOS:3\tone too many",
    ]
    path = write(tmp_path, "x.txt", "\r\n".join(rows).encode("utf-16"))
    (document,), failures = outcome(path)
    assert document.title == '"Coffee" and sleep'
    assert document.abstract == '"Quoted. Not closed.'
    assert document.meta.authors == ("Doe, John", "Roe, R.")
    assert [failure.line for failure in failures] == [3, 4]
    assert "13 cells where the header has 12" in failures[1].reason


def test_one_reference_manager_does_not_hide_another(tmp_path: Path) -> None:
    for name, text in {"e.xml": ENDNOTE, "e.enw": ENW, "w.txt": WOS}.items():
        write(tmp_path, name, text)
    documents, _ = outcome(tmp_path)
    assert [each.id for each in documents].count("pmid:31234567") == 3


def test_a_note_without_our_id_is_no_note_of_ours(tmp_path: Path) -> None:
    item = {"id": "1", "type": "book", "title": "T", "note": "Population: 8 billion"}
    (document,) = documents_of(write(tmp_path, "x.json", json.dumps([item])))
    assert document.meta.population is None
