"""A checked claim as Markdown; no markup of a paper or a claim survives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from claimscope.labels import Label
from claimscope.metadata import facts
from claimscope.render.camps import Camps, camps
from claimscope.render.content import STANCES, evidence_candidates, evidence_of, links, reason
from claimscope.render.flips import flips, group_words
from claimscope.render.studies import COLUMNS, study_rows
from claimscope.render.wording import answer, headline, shown_confidence
from claimscope.types import Candidate, Case

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!&])")


def to_markdown(case: Case) -> str:
    """Write the answer, the papers with their sentences, the table, and how it was decided."""
    return "\n".join(_lines(case))


def escape(text: str) -> str:
    """Give a text that Markdown shows as it is, on one line; no markup of it survives."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _lines(case: Case) -> Iterator[str]:
    yield f"# {escape(case.claim.text)}\n"
    yield from _body(case)


def _part(part: Case, place: str) -> Iterator[str]:
    """Give the lines of a part, all headings one level below."""
    yield f"\n## {place}: {escape(part.claim.text)}\n"
    for line in _body(part):
        yield re.sub(r"^(\n?)## ", r"\1### ", line)


def _body(case: Case) -> Iterator[str]:
    said, counted, found = answer(case), evidence_of(case), camps(case)
    yield f"**{headline(case)}**{_confidence(case)}\n"
    yield escape(said.text or reason(case))
    if said.is_weak:
        yield f"\n**{escape(said.weakness)}**"
    for notice in () if case.parts else case.notices:
        yield f"\n> {escape(notice)}"
    for number, part in enumerate(case.parts, start=1):
        yield from _part(part, f"Part {number} of {len(case.parts)}")
    if case.parts:
        yield from _origin(case)
        return
    if found:
        yield from _camps(found)
    for candidate in evidence_candidates(case):
        yield from _paper(candidate, counted[candidate.document.id])
    yield from table(case)
    yield from _decided(case)


def table(case: Case) -> Iterator[str]:
    """Give the lines of the table of studies; none without papers."""
    rows = study_rows(case)
    if rows:
        yield "\n## Table of studies\n"
        yield from _table(COLUMNS, [row.cells for row in rows])


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heading)} |"
    yield f"|{'---|' * len(heading)}"
    yield from (f"| {' | '.join(map(escape, row))} |" for row in rows)


def _confidence(case: Case) -> str:
    sure = shown_confidence(case)
    return "" if sure is None else f" (confidence {sure:.2f})"


def _camps(found: Camps) -> Iterator[str]:
    sides = found.supporting, found.refuting
    yield "\n## The two sides\n"
    heading = ("", *(f"{len(side)} {name}" for side, name in zip(sides, _SIDES, strict=True)))
    papers = ("Papers", *("; ".join(row.title for row in side) for side in sides))
    rows = [(each.name, each.supporting, each.refuting) for each in found.differences]
    yield from _table(heading, [papers, *rows])


_SIDES = ("for", "against")


def _paper(candidate: Candidate, stance: Label | None) -> Iterator[str]:
    meta = candidate.document.meta
    yield f"\n## {escape(candidate.document.title) or 'No title'}"
    yield ""
    said = STANCES[stance] if stance else "Quoted, not judged"
    known = ", ".join(map(escape, (*meta.authors[:3], *facts(meta))))
    yield f"{said}. {known}" + (" **Retracted.**" if meta.retracted else "")
    yield from (f"\n*{escape(notice)}*" for notice in meta.notices)
    yield from (f"<{link.address}>" for link in links(meta))
    for sentence in candidate.quotes[: len(candidate.rationale)]:
        yield f"\n> {escape(sentence)}"
    for item in candidate.quotations:
        yield f"\n> {escape(item.text)} ({escape(item.place)})"
    for opinion in candidate.opinions:
        yield f"\n{escape(opinion.words)}"


def _decided(case: Case) -> Iterator[str]:
    if case.verdict:
        yield "\n## How this was decided\n"
        yield escape(reason(case))
        yield escape(case.verdict.rule.would_change)
        yield from (f"\n{escape(line)}" for line in (*group_words(case), *flips(case)))
    yield from _origin(case)


def _origin(case: Case) -> Iterator[str]:
    if origin := case.provenance:
        yield ""
        yield (
            f"Checked by Claimscope {origin.version}, preset {escape(origin.preset)}, "
            f"library {origin.library_revision[:12]}; no person has reviewed it."
        )
        yield ""
