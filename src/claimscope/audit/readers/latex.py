r"""Reads LaTeX with pylatexenc's tokeniser: paragraphs, the \cite family, and \bibitem lists."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path

from pylatexenc.latexwalker import (
    LatexCharsNode,
    LatexCommentNode,
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexNode,
    LatexSpecialsNode,
    LatexWalker,
    LatexWalkerError,
    get_default_latex_context_db,
)
from pylatexenc.macrospec import LatexContextDb, MacroSpec

from claimscope.audit.citations import STUDY, extract
from claimscope.audit.manuscript import Block, BlockBuilder, Manuscript, Reference, Style
from claimscope.audit.readers._text import read_text
from claimscope.audit.references import Entry, parse_entries
from claimscope.errors import FormatError, RecordError
from claimscope.ingest.latex import latex_to_text


def _names(listing: str) -> frozenset[str]:
    return frozenset(listing.split())


_NARRATIVE = _names("citet Citet textcite Textcite textcites citeA shortciteA")
_CITES = _NARRATIVE | _names(
    "cite citep Citep citealt citealp parencite Parencite autocite Autocite footcite footcitetext "
    "smartcite supercite fullcite parencites autocites cites onlinecite citenum shortcite"
)
_FILES = _names("bibliography addbibresource")
_INCLUDES = _names("input include subfile")
_HEADINGS = _names("part chapter section subsection subsubsection paragraph subparagraph title")
_PROSE = _names(
    "emph textbf textit textsc textrm textsf textsl textup underline uline mbox text enquote "
    "footnote footnotetext textquote foreignlanguage"
)
_NOTES = _names("footnote footnotetext")
_SKIPPED = _names(
    "label ref eqref autoref cref Cref pageref nameref nocite citeauthor citeyear citeyearpar "
    "includegraphics caption url href vspace hspace bibliographystyle usepackage documentclass "
    "newcommand renewcommand index todo thanks date author keywords affiliation email"
)
_NO_PROSE = _names(
    "equation align gather multline eqnarray figure table tabular tabularx longtable verbatim "
    "lstlisting minted tikzpicture algorithm algorithmic displaymath math array comment"
)
_LIST = "thebibliography"


def read(path: Path) -> Manuscript:
    """Read the paragraphs of a file; formulas, figures, tables and listings hold no claims."""
    text = read_text(path)
    try:
        nodes, _, _ = LatexWalker(text, latex_context=_context()).get_latex_nodes()
        reader = _Reader(text)
        reader.read(nodes)
    except (LatexWalkerError, RecursionError, RecordError) as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise FormatError(
            f"{path} cannot be read as LaTeX ({reason.rstrip('.')}); correct it there."
        ) from None
    reader.end()
    has_keys = any(block.marks for block in reader.blocks)
    return Manuscript(
        path.name,
        tuple(reader.blocks if has_keys else map(extract, reader.blocks)),
        tuple(reader.references()),
        tuple(reader.files),
        notes=tuple(
            f"The included file {name} was not read; audit it by itself."
            for name in reader.included
        ),
    )


def _context() -> LatexContextDb:
    context = get_default_latex_context_db()
    macros = [MacroSpec(name, "*[[{") for name in _CITES]
    macros += [MacroSpec(name, "*[{") for name in _SKIPPED | _FILES | _INCLUDES | _HEADINGS]
    macros += [MacroSpec(name, "{") for name in _PROSE - _NOTES] + [MacroSpec("bibitem", "[{")]
    macros += [MacroSpec("href", "{{"), MacroSpec("foreignlanguage", "{{")]
    context.add_context_category("claimscope", macros=macros, prepend=True)
    return context


class _Reader:
    """Walks through the nodes and fills one block after another."""

    def __init__(self, text: str) -> None:
        self._feeds = [place for place, sign in enumerate(text) if sign == "\n"]
        self._builder = BlockBuilder()
        self._entries: list[tuple[str, str]] = []
        self._in_list = False
        self.blocks: list[Block] = []
        self.files: list[str] = []
        self.included: list[str] = []

    def read(self, nodes: Sequence[LatexNode | None]) -> None:
        """Read nodes in order."""
        for node in nodes:
            if isinstance(node, LatexCharsNode):
                self._chars(node.chars, node.pos)
            elif isinstance(node, LatexMacroNode):
                self._macro(node)
            elif isinstance(node, LatexEnvironmentNode):
                self._environment(node)
            elif isinstance(node, LatexGroupNode):
                self.read(node.nodelist)
            elif isinstance(node, LatexSpecialsNode) and node.specials_chars == "\n\n":
                self._break()
            elif node is not None and not isinstance(node, LatexCommentNode):
                self._add(latex_to_text(node.latex_verbatim()), node.pos)

    def end(self) -> None:
        """End the paragraph."""
        block = self._builder.build()
        if block is not None:
            self.blocks.append(block)
        self._builder = BlockBuilder()

    def references(self) -> Iterator[Reference]:
        """Give the entries of the list of references under their keys."""
        for key, text in self._entries:
            [reference] = parse_entries([Entry(key, text)])
            yield reference

    def _line(self, position: int) -> int:
        return bisect_left(self._feeds, position) + 1

    def _break(self) -> None:
        if not self._in_list:
            self.end()

    def _add(self, text: str, position: int) -> None:
        # The text of a macro may have other line feeds than its source, so it has none.
        self._builder.add(" ".join(text.split("\n")), self._line(position))

    def _chars(self, text: str, position: int) -> None:
        reached = 0
        for match in _EMPTY_LINE.finditer(text):
            self._builder.add(text[reached : match.start()], self._line(position + reached))
            self._break()
            reached = match.end()
        self._builder.add(text[reached:], self._line(position + reached))

    def _macro(self, node: LatexMacroNode) -> None:
        name = node.macroname
        if name in _CITES:
            self._cite(node, name in _NARRATIVE)
        elif name in _FILES:
            self.files += _listed(node)
        elif name in _INCLUDES:
            self.included += _listed(node)
        elif name == "bibitem":
            self._item(node)
        elif name in {"par", "item", "maketitle"}:
            self._break()
        elif name in _HEADINGS:
            self.end()
        elif name in _NOTES:
            self._note(node)
        elif name in _PROSE:
            self.read(_arguments(node)[-1:])
        elif name not in _SKIPPED:
            self._add(latex_to_text(node.latex_verbatim()), node.pos)

    def _environment(self, node: LatexEnvironmentNode) -> None:
        name = node.environmentname.rstrip("*")
        if name in _NO_PROSE:
            return
        if name == "document":
            self._builder = BlockBuilder()
            self.blocks.clear()
        self.end()
        self._in_list = name == _LIST
        self.read(node.nodelist)
        if self._in_list:
            self._close_item()
        self._in_list = False
        self.end()

    def _cite(self, node: LatexMacroNode, is_narrative: bool) -> None:
        if keys := tuple(_listed(node)):
            stays = STUDY if is_narrative else ""
            self._builder.cite(node.latex_verbatim(), keys, Style.KEY, stays)
            self._add(stays, node.pos)

    def _note(self, node: LatexMacroNode) -> None:
        """Read a footnote as a paragraph of its own, after the one that it stands in."""
        outer, self._builder = self._builder, BlockBuilder()
        self.read(_arguments(node)[-1:])
        self.end()
        self._builder = outer

    def _item(self, node: LatexMacroNode) -> None:
        self._close_item()
        self._entries.append(("".join(_listed(node)), ""))

    def _close_item(self) -> None:
        """Give the text collected so far to the entry that was opened last."""
        block = self._builder.build()
        if self._entries and block is not None:
            self._entries[-1] = (self._entries[-1][0], block.text)
        self._builder = BlockBuilder()


_EMPTY_LINE = re.compile(r"\n[ \t]*\n\s*")


def _arguments(node: LatexMacroNode) -> list[LatexNode | None]:
    return list(node.nodeargd.argnlist) if node.nodeargd and node.nodeargd.argnlist else []


def _listed(node: LatexMacroNode) -> list[str]:
    """Give the names in a macro's last argument, which commas separate."""
    last = next(reversed(_arguments(node)), None)
    if not isinstance(last, LatexGroupNode):
        return []
    text = "".join(each.latex_verbatim() for each in last.nodelist)
    return [name for part in text.split(",") if (name := part.strip())]
