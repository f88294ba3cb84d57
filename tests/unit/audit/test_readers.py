"""Readers of manuscripts find sentences, their lines, and the citations in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.audit import read_manuscript
from claimscope.audit.manuscript import Sentence, sentences
from claimscope.errors import ClaimscopeError

MARKDOWN = """---
title: A test
bibliography: [refs.bib, "more.bib"]
---
# Introduction [@not_a_sentence]

Aspirin prevents heart attacks [@phs; see @hope, p. 3]. Vitamin E,
in contrast, has *no* effect [-@hope].
As @bhatt [p. 4] showed, this lasts. Write to me@example.org.

```
Code says nothing [@code].
```

- A list may cite [2, 4–6] too.

Smith et al. (2004) found more (Lee & Kim, 2010a; 2011). It ran (1976 to 1996; since May 2004).

## References

1. Smith J. A title. 2004. doi:10.1000/abc.
2. Lee K, Kim L. Another title. 2010a.
"""

LATEX = r"""\documentclass{article}
\title{Not a sentence \cite{no}}
\begin{document}
Aspirin~helps \citep[see][p.~3]{phs,hope}. In 5\% of \emph{men} it fails \cite{a}. % no [1]
\citet*{bhatt} found it.

K\"uhn\footnote{A note says so \cite{z}.} agrees with $x^2$.
\begin{itemize}
\item One thing helps \autocite{q}.
\end{itemize}
\begin{equation} x = \cite{not} \end{equation}
\input{methods}
\bibliography{refs,more}
\begin{thebibliography}{9}
\bibitem{a} Smith J. A title. 2004.
\bibitem[K(2003)]{z} K\"uhn B. \textit{Other}. 2003; doi:10.1000/xyz.
\end{thebibliography}
\end{document}
"""


def _sentences(path: Path, text: str) -> list[Sentence]:
    path.write_text(text, "utf-8")
    return [each for block in read_manuscript(path).blocks for each in sentences(block)]


def _keys(found: list[Sentence]) -> list[tuple[int, tuple[str, ...]]]:
    return [(each.place, tuple(key for mark in each.marks for key in mark.keys)) for each in found]


def test_markdown_gives_sentences_with_lines_and_citations(tmp_path: Path) -> None:
    found = _sentences(tmp_path / "paper.md", MARKDOWN)
    assert _keys(found) == [
        (7, ("phs", "hope")),
        (7, ("hope",)),
        (9, ("bhatt",)),
        (9, ()),
        (15, ("2", "4", "5", "6")),
        (17, ("Smith et al. 2004", "Lee & Kim 2010a", "Lee & Kim 2011")),
        (17, ()),
    ]
    assert found[0].as_written == "Aspirin prevents heart attacks [@phs; see @hope, p. 3]."
    assert found[2].marks[0].is_narrative
    assert found[2].as_written == "As @bhatt [p. 4] showed, this lasts."
    assert found[5].as_written.startswith("Smith et al. (2004) found more (Lee & Kim, 2010a; 2011)")


def test_markdown_gives_references_and_bibliographies(tmp_path: Path) -> None:
    path = tmp_path / "paper.md"
    path.write_text(MARKDOWN, "utf-8")
    read = read_manuscript(path)
    assert read.bibliographies == ("refs.bib", "more.bib")
    assert [(each.key, each.doi, each.year) for each in read.references] == [
        ("1", "10.1000/abc", 2004),
        ("2", None, 2010),
    ]


def test_latex_gives_sentences_with_lines_and_citations(tmp_path: Path) -> None:
    found = _sentences(tmp_path / "paper.tex", LATEX)
    assert _keys(found) == [
        (4, ("phs", "hope")),
        (4, ("a",)),
        (5, ("bhatt",)),
        (7, ("z",)),
        (7, ()),
        (9, ("q",)),
    ]
    assert found[1].text == "In 5% of men it fails ."
    assert found[4].text == "Kühn agrees with x^2."


def test_latex_gives_references_files_and_what_was_not_read(tmp_path: Path) -> None:
    path = tmp_path / "paper.tex"
    path.write_text(LATEX, "utf-8")
    read = read_manuscript(path)
    assert read.bibliographies == ("refs", "more")
    assert [(each.key, each.year, each.doi) for each in read.references] == [
        ("a", 2004, None),
        ("z", 2003, "10.1000/xyz"),
    ]
    assert read.notes == ("The included file methods was not read; audit it by itself.",)


@pytest.mark.parametrize(
    ("name", "content"),
    [("b.md", b"\xff\xfe\x00x"), ("c.pages", b"x")],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ClaimscopeError) as raised:
        read_manuscript(path)
    assert str(raised.value).count("\n") == 0


def test_a_missing_manuscript_is_named(tmp_path: Path) -> None:
    with pytest.raises(ClaimscopeError, match=r"no file .*none\.md"):
        read_manuscript(tmp_path / "none.md")


def test_latex_without_keys_may_number_its_citations(tmp_path: Path) -> None:
    found = _sentences(tmp_path / "paper.tex", "Aspirin helps [1--3]. Tea warms (Lee, 2004).")
    assert _keys(found) == [(1, ("1", "2", "3")), (1, ("Lee 2004",))]
