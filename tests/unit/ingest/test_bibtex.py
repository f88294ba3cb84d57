from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.errors import RecordError
from claimscope.ingest import latex
from claimscope.ingest.latex import latex_to_text

from .helpers import documents_of, outcome, write

LATEX = [*"\\{}$%&~#^_[]|a1 \n", r"\begin{", r"\end{", "tabular}", r"\verb", r"\item", r"\frac"]
LATEX += [r"\input{", r"\sqrt[", r"\'", r"\\", r"\textit", r"\(", r"\)", r"\href{", "--", "``"]

ENTRY = r"""@string{js = "Journal of Sleep"}
@article{mueller2019,
  title = {{Coffee} and sleep in {M{\"u}nchen}},
  author = {M{\"u}ller, Anna and {World Health Organization and Partners} and Doe, J},
  journal = js,
  year = 2019,
  doi = {10.1000/ABC},
  abstract = {Sleep fell by 50% in A\&B users \textgreater{} 40 years.
     It cost $5, ~3 h.},
  note = {PMID: 42},
}
"""


def test_every_field_is_kept(tmp_path: Path) -> None:
    (document,) = documents_of(write(tmp_path, "library.bib", ENTRY))
    assert document.id == "pmid:42"
    assert document.title == "Coffee and sleep in München"
    assert document.sentences == (
        "Sleep fell by 50% in A&B users > 40 years.",
        "It cost $5, ~3 h.",
    )
    meta = document.meta
    assert meta.authors == ("Müller, Anna", "World Health Organization and Partners", "Doe, J")
    assert (meta.venue, meta.year, meta.doi) == ("Journal of Sleep", 2019, "10.1000/abc")
    assert meta.publication_types == ("article",)


def test_a_broken_entry_is_reported_with_its_line_and_the_rest_is_kept(tmp_path: Path) -> None:
    broken = "@article{broken,\n  title = {Never closed,\n  year = 2020\n\n"
    text = "@misc{a, title = {One}}\n" + broken + "@misc{b, title = {Two}}\n"
    text += '@misc(c, title = "Three")\n'
    path = write(tmp_path, "broken.bib", text)
    documents, (failure,) = outcome(path)
    assert [document.title for document in documents] == ["One", "Two", "Three"]
    assert failure.line == 2
    assert "broken" in failure.reason


def test_repeated_keys_and_fields_lose_no_entry(tmp_path: Path) -> None:
    text = "@misc{a, title={One}, title={Uno}} @misc{a, title={Two}}\n"
    text += "@comment{x}\n@misc{a, title={Three}}"
    titles = [document.title for document in documents_of(write(tmp_path, "r.bib", text))]
    assert titles == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    "extra", ["note = {Retracted Publication}", "keywords = {x, retracted article}"]
)
def test_retractions_are_seen_in_notes(tmp_path: Path, extra: str) -> None:
    (document,) = documents_of(write(tmp_path, "r.bib", f"@article{{a, title={{X}}, {extra}}}"))
    assert document.meta.retracted


def test_nothing_is_logged_to_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    outcome(write(tmp_path, "broken.bib", "@article{broken, title = {Never closed"))
    assert capfd.readouterr() == ("", "")


@given(st.lists(st.sampled_from(LATEX), max_size=15).map("".join))
def test_any_latex_is_read_or_refused_cleanly(text: str) -> None:
    with suppress(RecordError):
        assert isinstance(latex_to_text(text), str)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"Erd\H{o}s, \v{C}ech, S{\o}ren, na\"{\i}ve, \ss", "Erdős, Čech, Søren, naïve, ß"),
        (r"$\alpha$-synuclein, p$<$0.05", "α-synuclein, p<0.05"),
        ("plain 50% & $5 text", "plain 50% & $5 text"),
        (r"{50% of} A & B", "50% of A & B"),
        (r"CO\textsubscript{2} ``quoted''", "CO2 “quoted”"),
    ],
)
def test_latex_becomes_text(written: str, text: str) -> None:
    assert latex_to_text(written) == text


PIECES = (
    *("a", "z", "x y", " ", "  ", "\n", "{", "}", "{}", "$", "\\", "\\'", '\\"', "\\~", "\\="),
    *("\\c", "\\v", "\\k", "{\\'e}", "\\'{e}", '\\"{\\i}', "\\i", "\\o", "\\ss", "\\alpha"),
    *("\\mu{}", "$\\pm$", "$x^2$", "$a < 5$", "$ a $", "--", "---", "`", "'", "``", "''", "~"),
    *("\\%", "é", "[", "*", "!"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
def test_simple_latex_is_decoded_as_all_latex_is(text: str) -> None:
    if (simple := latex._decode_simple(text)) is not None:
        assert simple == latex.decode_any(text)


def test_latex_that_takes_long_is_refused() -> None:
    with pytest.raises(RecordError, match="20,000 LaTeX"):
        latex_to_text("\\frac12" * 20_000)


@pytest.mark.parametrize("name", ["nejm", "NEJM"])
def test_a_string_may_be_defined_after_its_use(tmp_path: Path, name: str) -> None:
    text = (
        f"@article{{a, title={{A}}, journal={name}}}\n"
        '@string{nejm = "N Engl J Med"}\n'
        "@article{b, title={B}, journal=nejm}\n"
        '@string{nejm = "Another"}\n'
        "@article{c, title={C}, journal=nejm}\n"
    )
    venues = [document.meta.venue for document in documents_of(write(tmp_path, "x.bib", text))]
    assert venues == ["N Engl J Med", "N Engl J Med", "Another"]
