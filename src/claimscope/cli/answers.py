"""Shows the answer of a checked claim in a terminal: in words, in camps, in a table."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from claimscope.cli.styles import LABEL_STYLES, clean
from claimscope.labels import Label
from claimscope.render.camps import Camps, camps
from claimscope.render.content import reason
from claimscope.render.flips import flips, group_words
from claimscope.render.studies import COLUMNS, StudyRow, study_rows
from claimscope.render.wording import answer, headline, shown_confidence
from claimscope.types import Case

_WEAK = "bold yellow"
_WIDTHS = (8, 0, 0, 13, 4, 12, 8, 9)
"""The widths of the table's columns; title and quote share what is left."""
_SHARES = {"Study": 2, "Quoted sentence": 3}


def show_answer(case: Case, to: Console) -> None:
    """Show the claim, the answer in words, and what a reader should know before relying on it."""
    to.print(Text(clean(case.claim.text), style="bold"))
    if case.verdict is not None:
        to.print(_answer(case))
    for notice in () if case.parts else case.notices:
        to.print(Text(f"! {clean(notice)}", style="yellow"))
    if not case.parts and (found := camps(case)):
        to.print(_camps(found))


def show_decision(case: Case, to: Console) -> None:
    """Show the arithmetic behind a verdict."""
    if case.verdict is None:
        return
    text = Text("How this was decided: ", style="dim")
    text.append(f"{clean(reason(case))} {clean(case.verdict.rule.would_change)}")
    for line in (*group_words(case), *flips(case)):
        text.append(f"\n{clean(line)}")
    to.print(text)


def show_table(case: Case, to: Console) -> None:
    """Show a row for every paper that was looked at; without any, show nothing."""
    if not (rows := study_rows(case)):
        return
    table = Table(expand=True, show_lines=True, box=box.HORIZONTALS, padding=0)
    for name, width in zip(COLUMNS, _WIDTHS, strict=True):
        table.add_column(name, width=width or None, ratio=_SHARES.get(name), overflow="fold")
    for row in rows:
        table.add_row(*map(clean, row.cells), style=_style(row))
    to.print(table)


def _style(row: StudyRow) -> str:
    return LABEL_STYLES[row.label].removeprefix("bold ") if row.counts and row.label else ""


def _answer(case: Case) -> Text:
    said = answer(case)
    text = Text()
    label = case.verdict.label if case.verdict else Label.NOT_ENOUGH_INFO
    style = _WEAK if said.is_weak else LABEL_STYLES[label]
    text.append(label.verdict, style=style)
    if (sure := shown_confidence(case)) is not None:
        text.append(f"  confidence {sure:.2f}")
    if case.parts:
        text.append(f"  {headline(case)}", style=style)
    if said.is_weak:
        text.append(f"  ◔ {headline(case)}", style=style)
    text.append(f"\n{clean(said.text or reason(case))}")
    if said.is_weak:
        text.append(f"\n◔ {said.weakness}", style=_WEAK)
    return text


def _camps(found: Camps) -> Table:
    table = Table(expand=True, pad_edge=False, show_lines=True)
    table.add_column("", ratio=1)
    table.add_column(f"✓ {len(found.supporting)} for", ratio=3, style="green")
    table.add_column(f"✕ {len(found.refuting)} against", ratio=3, style="red")
    sides = (found.supporting, found.refuting)
    table.add_row("Papers", *("\n".join(clean(row.title) for row in side) for side in sides))
    for each in found.differences:
        name = f"{each.name} (differs)" if each.differs else each.name
        table.add_row(name, clean(each.supporting), clean(each.refuting))
    return table
