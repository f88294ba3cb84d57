from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from .helpers import documents_of, outcome, write

HEAD = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2019//EN"
 "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd">
<PubmedArticleSet>
"""
ARTICLE = """<PubmedArticle><MedlineCitation>
 <PMID Version="1">{pmid}</PMID>
 <Article><Journal><JournalIssue><PubDate><MedlineDate>2019 May-Jun</MedlineDate></PubDate>
  </JournalIssue><Title>Journal of Sleep</Title></Journal>
  <ArticleTitle>Coffee, CO<sub>2</sub> &amp; &beta;-sleep.</ArticleTitle>
  <ELocationID EIdType="pii">S1</ELocationID><ELocationID EIdType="doi">10.1000/ABC</ELocationID>
  <Abstract><AbstractText Label="Background">Coffee is common.</AbstractText>
  <AbstractText Label="RESULTS">It <i>delayed</i> sleep (p &lt; 0.05).</AbstractText>
  <AbstractText Label="UNLABELLED">The end.</AbstractText>
  <CopyrightInformation>Copyright Somebody.</CopyrightInformation></Abstract>
  <AuthorList><Author><LastName>Müller</LastName><ForeName>Anna</ForeName></Author>
   <Author><CollectiveName>The Group</CollectiveName></Author></AuthorList>
  <Language>eng</Language>
  <PublicationTypeList><PublicationType>{kind}</PublicationType></PublicationTypeList>
 </Article>{notes}</MedlineCitation>
 <PubmedData><ArticleIdList><ArticleId IdType="doi">10.9999/other</ArticleId></ArticleIdList>
 </PubmedData></PubmedArticle>
"""


def article(pmid: int = 1, kind: str = "Journal Article", notes: str = "") -> str:
    return ARTICLE.format(pmid=pmid, kind=kind, notes=notes)


def test_every_field_is_kept(tmp_path: Path) -> None:
    text = HEAD + article() + "</PubmedArticleSet>"
    (document,) = documents_of(write(tmp_path, "pubmed.xml.gz", gzip.compress(text.encode())))
    assert document.id == "pmid:1"
    assert document.title == "Coffee, CO2 & β-sleep."
    assert document.sentences == (
        "BACKGROUND: Coffee is common.",
        "RESULTS: It delayed sleep (p < 0.05).",
        "The end.",
    )
    meta = document.meta
    assert (meta.doi, meta.year, meta.venue) == ("10.1000/abc", 2019, "Journal of Sleep")
    assert meta.authors == ("Müller, Anna", "The Group")
    assert (meta.language, meta.publication_types) == ("en", ("Journal Article",))
    assert (meta.retracted, meta.source) == (False, "pubmed.xml.gz")


@pytest.mark.parametrize(
    ("kind", "note", "retracted"),
    [
        ("Retracted Publication", "", True),
        ("Journal Article", "RetractionIn", True),
        ("Retraction of Publication", "RetractionOf", False),
        ("Journal Article", "ErratumIn", False),
    ],
)
def test_retracted_papers_are_told_from_notices(
    tmp_path: Path, kind: str, note: str, retracted: bool
) -> None:
    notes = f'<CommentsCorrections RefType="{note}"/>' if note else ""
    notes = f"<CommentsCorrectionsList>{notes}</CommentsCorrectionsList>"
    text = HEAD + article(kind=kind, notes=notes) + "</PubmedArticleSet>"
    (document,) = documents_of(write(tmp_path, "p.xml", text))
    assert document.meta.retracted is retracted


def test_old_sets_books_and_translated_titles_are_read(tmp_path: Path) -> None:
    citation = (
        "<MedlineCitation><PMID>5</PMID><Article><ArticleTitle>[Not Available].</ArticleTitle>"
        "<VernacularTitle>Kaffee und Schlaf</VernacularTitle></Article>"
        '<OtherAbstract Language="ger"><AbstractText>Deutsch.</AbstractText></OtherAbstract>'
        '<OtherAbstract Language="eng"><AbstractText>English.</AbstractText></OtherAbstract>'
        "</MedlineCitation>"
    )
    path = write(tmp_path, "old.xml", f"<MedlineCitationSet>{citation}</MedlineCitationSet>")
    (document,) = documents_of(path)
    assert (document.id, document.title) == ("pmid:5", "Kaffee und Schlaf")
    assert document.abstract == "English."
    book = (
        "<PubmedBookArticle><BookDocument><PMID>6</PMID><Book><BookTitle>Handbook</BookTitle></Book>"
        "<Abstract><AbstractText>Text.</AbstractText></Abstract></BookDocument></PubmedBookArticle>"
    )
    path = write(tmp_path, "book.xml", f"<PubmedArticleSet>{book}</PubmedArticleSet>")
    (document,) = documents_of(path)
    assert (document.id, document.title, document.abstract) == ("pmid:6", "Handbook", "Text.")


def test_a_cut_off_file_keeps_the_records_before_the_cut(tmp_path: Path) -> None:
    text = HEAD + article(1) + article(2) + article(3)[:200]
    documents, (failure,) = outcome(write(tmp_path, "cut.xml", text))
    assert [document.id for document in documents] == ["pmid:1", "pmid:2"]
    assert failure.line is not None
    assert "rest of the file was not read" in failure.reason


def test_a_citation_without_title_and_abstract_is_a_failure(tmp_path: Path) -> None:
    bare = "<PubmedArticle><MedlineCitation><PMID>9</PMID></MedlineCitation></PubmedArticle>"
    text = HEAD + bare + "<PubmedArticle/>" + article() + "</PubmedArticleSet>"
    documents, failures = outcome(write(tmp_path, "bare.xml", text))
    assert len(documents) == 1
    assert [failure.line for failure in failures] == [5, 5]


def test_utf16_is_read(tmp_path: Path) -> None:
    text = HEAD.replace("utf-8", "utf-16") + article() + "</PubmedArticleSet>"
    (document,) = documents_of(write(tmp_path, "wide.xml", text.encode("utf-16")))
    assert document.meta.authors[0] == "Müller, Anna"
