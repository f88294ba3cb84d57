"""Shows results to people in a terminal; every text is taken as text, never as markup."""

from __future__ import annotations

from rich.console import Console, Group
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from claimscope._languages import language_name
from claimscope._wording import counted
from claimscope.cli.answers import show_answer, show_decision, show_table
from claimscope.cli.styles import LABEL_STYLES, clean
from claimscope.labels import Label
from claimscope.library.statistics import Statistics
from claimscope.metadata import Place, details, facts
from claimscope.types import Candidate, Case, Document

_HIGHLIGHT_STYLES = {Label.SUPPORTS: "black on green", Label.REFUTES: "white on red"}
_PLAIN_HIGHLIGHT = "black on yellow"


def console(error: bool = False) -> Console:
    """Make a console that keeps long lines whole where output is not a terminal."""
    made = Console(stderr=error, highlight=False)
    if not made.is_terminal:
        made = Console(stderr=error, highlight=False, width=100)
    return made


def show_case(case: Case, to: Console, shown: int, as_table: bool = False) -> None:
    """Show a claim, its verdict, and the evidence inside the abstracts or in a table."""
    show_answer(case, to)
    for number, part in enumerate(case.parts, start=1):
        to.print(Text(f"\nPart {number} of {len(case.parts)}", style="dim"))
        show_case(part, to, shown, as_table)
    if case.parts:
        return
    if as_table:
        show_table(case, to)
    else:
        _show_evidence(case, to, shown)
    show_decision(case, to)


def _show_evidence(case: Case, to: Console, shown: int) -> None:
    quoted = [item for item in case.candidates if item.quotes][:shown]
    for candidate in quoted:
        to.print(_card(candidate, marked=to.color_system is None))
    others = [item for item in case.candidates if item not in quoted]
    if others:
        to.print(Text("Also looked at:", style="dim"))
        for candidate in others[:shown]:
            to.print(Padding(heading(candidate.document), (0, 0, 0, 2)))
        if len(others) > shown:
            to.print(Text(f"  and {len(others) - shown} more.", style="dim"))


def _card(candidate: Candidate, marked: bool) -> Panel:
    title = Text()
    if candidate.labels is not None:
        label = candidate.labels.label
        title.append(f"{label.value} {candidate.labels.of(label):.2f} ", LABEL_STYLES[label])
    if candidate.quotations:
        title.append("from the full text ", style="dim")
    title.append(clean(candidate.document.id), style="dim")
    return Panel(
        Group(
            heading(candidate.document, with_id=False),
            _abstract(candidate, marked),
            *(Text(clean(opinion.words), style="dim") for opinion in candidate.opinions),
        ),
        title=title,
        title_align="left",
        padding=(0, 1),
    )


def heading(document: Document, with_id: bool = True) -> Text:
    """Give title, authors, venue and year on one line, with a warning where one is due."""
    meta = document.meta
    text = Text()
    if meta.retracted:
        text.append("RETRACTED ", style="bold white on red")
    text.append(clean(document.title) or "(no title)", style="bold")
    by = meta.authors[0] if meta.authors else None
    if by is not None and len(meta.authors) > 1 and "et al" not in by:
        by += " et al."
    parts = [*([by] if by else ()), *facts(meta)]
    if parts:
        text.append(f"  {clean(', '.join(parts))}", style="dim")
    if with_id:
        text.append(f"  [{clean(document.id)}]", style="dim")
    if not document.has_abstract:
        text.append("  (no abstract)", style="yellow")
    return text


def _abstract(candidate: Candidate, marked: bool) -> Text:
    """Give the whole abstract with its rationale sentences lit up, or in marks without colour."""
    document = candidate.document
    label = candidate.label
    style = _PLAIN_HIGHLIGHT if label is None else _HIGHLIGHT_STYLES.get(label, _PLAIN_HIGHLIGHT)
    text = Text()
    position = 0
    for index in sorted(sentence.index for sentence in candidate.rationale):
        start, end = document.spans[index]
        text.append(clean(document.abstract[position:start]))
        quoted = clean(document.abstract[start:end])
        text.append(f"»{quoted}«" if marked else quoted, style)
        position = end
    text.append(clean(document.abstract[position:]))
    for item in candidate.quotations:
        quoted = clean(item.text)
        text.append("\n")
        text.append(f"»{quoted}«" if marked else quoted, style)
        text.append(f" ({clean(item.place)})", style="dim")
    return text


def show_document(document: Document, to: Console) -> None:
    """Show a paper in full."""
    to.print(heading(document))
    to.print(Text(clean(document.abstract) or "(no abstract)"))
    if document.body:
        last = document.body[-1].page
        pages = f", {counted(last, 'page')}" if last else ""
        to.print(Text(f"Full text: {counted(len(document.body), 'section')}{pages}.", style="dim"))
    for name, value in details(document.meta, Place.LINK, Place.DETAIL, Place.CAUTION).items():
        to.print(Text(f"{name}: {clean(value)}", style="dim"))


def show_statistics(location: str, revision: str, found: Statistics, to: Console) -> None:
    """Show a library's counts, with its years as a row of bars."""
    to.print(Text(f"{clean(location)}  revision {revision[:12]}", style="dim"))
    size = "" if found.bytes_on_disk is None else f", {found.bytes_on_disk / 1e6:,.1f} MB"
    to.print(
        f"{counted(found.documents, 'document')}, {found.without_abstract:,} without abstract, "
        f"{found.retracted:,} retracted{size}"
    )
    languages = ", ".join(
        f"{clean(language_name(code)) if code else 'unknown'} {count:,}"
        for code, count in found.languages.items()
    )
    to.print(Text(f"languages: {languages}"))
    decades: dict[str, int] = {}
    for year, count in found.years.items():
        name = "unknown" if year is None else f"{year // 10 * 10}s"
        decades[name] = decades.get(name, 0) + count
    largest = max(decades.values(), default=1)
    for name, count in decades.items():
        to.print(Text(f"{name:>8} {'█' * max(1, round(40 * count / largest))} {count:,}"))
