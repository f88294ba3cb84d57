from __future__ import annotations

from pathlib import Path

import pytest

from .helpers import documents_of, outcome, write

ARTICLE = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96)//EN" "JATS-archivearticle1.dtd">
<article article-type="{kind}" xml:lang="en"{namespace}><front>
<journal-meta><journal-title-group><journal-title>J Sleep</journal-title></journal-title-group>
</journal-meta><article-meta>
<article-id pub-id-type="pmid">77</article-id><article-id pub-id-type="doi">10.1000/ABC</article-id>
<title-group><article-title>Coffee and <italic>sleep</italic><xref>1</xref></article-title>
</title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Müller</surname>
<given-names>Anna</given-names></name></contrib></contrib-group>
<pub-date><year>2020</year></pub-date><pub-date><year>2019</year></pub-date>
<abstract abstract-type="graphical"><p>A picture.</p></abstract>
<abstract><title>Abstract</title><sec><title>Background</title><p>Coffee is common.</p></sec>
<sec><title>Results:</title><p>It delayed sleep.</p><p>A lot.</p></sec></abstract>
</article-meta></front><body><p>Body.</p></body>
<back><ref-list><ref><article-title>Another paper</article-title></ref></ref-list></back></article>
"""


@pytest.mark.parametrize("namespace", ["", ' xmlns="https://jats.nlm.nih.gov/ns/archiving/1.3/"'])
def test_every_field_is_kept(tmp_path: Path, namespace: str) -> None:
    text = ARTICLE.format(kind="research-article", namespace=namespace)
    (document,) = documents_of(write(tmp_path, "a.nxml", text))
    assert (document.id, document.title) == ("pmid:77", "Coffee and sleep")
    assert document.abstract == "BACKGROUND: Coffee is common. RESULTS: It delayed sleep. A lot."
    meta = document.meta
    assert (meta.doi, meta.year, meta.venue) == ("10.1000/abc", 2019, "J Sleep")
    assert (meta.authors, meta.language) == (("Müller, Anna",), "en")
    assert meta.publication_types == ("research-article",)
    assert not meta.retracted


def test_a_set_of_articles_is_read_and_marked(tmp_path: Path) -> None:
    def bare(kind: str) -> str:
        declared = ARTICLE.format(kind=kind, namespace="")
        return declared[declared.index("<article ") :]

    text = f"<pmc-articleset>{bare('retracted-article')}{bare('retraction')}</pmc-articleset>"
    documents = documents_of(write(tmp_path, "set.xml", text))
    assert [document.meta.retracted for document in documents] == [True, False]


def test_an_article_without_front_matter_is_a_failure(tmp_path: Path) -> None:
    _, (failure,) = outcome(write(tmp_path, "a.xml", "<article><body><p>x</p></body></article>"))
    assert failure.line == 1
    assert "front matter" in failure.reason
