from __future__ import annotations

from pathlib import Path

from .helpers import documents_of, outcome, write

RECORD = """PMID- 12345678
OWN - NLM
TI  - Coffee and sleep in
      adults.
LID - S0140 [pii]
LID - 10.1000/ABC [doi]
AB  - BACKGROUND: Coffee is common. RESULTS: Coffee delayed
      sleep - by an hour.
FAU - Müller, Anna
AU  - Müller A
LA  - eng
PT  - Journal Article
DP  - 2019 May-Jun
TA  - J Sleep
JT  - Journal of Sleep
"""


def test_every_field_is_kept(tmp_path: Path) -> None:
    (document,) = documents_of(write(tmp_path, "export.nbib", "\n" + RECORD))
    assert document.id == "pmid:12345678"
    assert document.title == "Coffee and sleep in adults."
    assert document.sentences == (
        "BACKGROUND: Coffee is common.",
        "RESULTS: Coffee delayed sleep - by an hour.",
    )
    meta = document.meta
    assert (meta.doi, meta.year, meta.venue) == ("10.1000/abc", 2019, "Journal of Sleep")
    assert (meta.authors, meta.language) == (("Müller, Anna",), "en")
    assert meta.publication_types == ("Journal Article",)


def test_records_need_no_blank_line_between_them(tmp_path: Path) -> None:
    text = RECORD + RECORD.replace("12345678", "2") + "\n\n" + RECORD.replace("12345678", "3")
    ids = [document.id for document in documents_of(write(tmp_path, "a.nbib", text))]
    assert ids == ["pmid:12345678", "pmid:2", "pmid:3"]


def test_retracted_papers_are_told_from_notices(tmp_path: Path) -> None:
    text = "PMID- 1\nTI  - A\nPT  - Retracted Publication\n\n"
    text += "PMID- 2\nTI  - B\nRIN - Lancet. 2010;375:445\n\n"
    text += "PMID- 3\nTI  - [Retracted] C\nPT  - Retraction of Publication\nROF - Lancet. 1998\n"
    marks = [each.meta.retracted for each in documents_of(write(tmp_path, "r.nbib", text))]
    assert marks == [True, True, False]


def test_a_record_without_title_and_abstract_is_a_failure_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, "bad.nbib", RECORD + "\nPMID- 2\nOWN - NLM\n")
    documents, (failure,) = outcome(path)
    assert len(documents) == 1
    assert failure.line == 17
