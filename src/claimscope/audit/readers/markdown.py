"""Reads Markdown with pandoc's citations, numbers in brackets, or authors with years."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from claimscope.audit.citations import extract
from claimscope.audit.manuscript import Block, BlockBuilder, Manuscript
from claimscope.audit.readers._text import read_text
from claimscope.audit.references import Entry, is_heading, parse_entries

_FRONT = re.compile(r"\A---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_BIBLIOGRAPHY = re.compile(
    r"""^bibliography:[ \t]*
    (?:\[(?P<flow>[^\]\n]*)\]|(?P<one>[^\n\[]+)|(?P<many>(?:\n[ \t]*-[^\n]+)+))""",
    re.MULTILINE | re.VERBOSE,
)
_NOTE = re.compile(r"\[\^[^\]\s]+\]:?")
_TEXT = frozenset({"text", "code_inline", "math_inline"})
_BREAKS = frozenset({"softbreak", "hardbreak"})


def read(path: Path) -> Manuscript:
    """Read paragraphs, list items and table cells; code and headings hold no claims."""
    text = read_text(path)
    front = _FRONT.match(text)
    # Line feeds are kept, so that lines are numbered as in the file.
    body = "\n" * front[0].count("\n") + text[front.end() :] if front else text
    blocks: list[Block] = []
    entries: list[Entry] = []
    in_references = False
    for token, is_heading_text, number in _inlines(MarkdownIt("commonmark").parse(body)):
        block = _block(token)
        if block is None:
            continue
        if is_heading_text:
            in_references = is_heading(block.text)
        elif in_references:
            entries += _entries(block, number)
        else:
            blocks.append(extract(block, with_keys=True))
    return Manuscript(
        path.name,
        tuple(blocks),
        parse_entries(entries),
        tuple(_bibliographies(front[1])) if front else (),
    )


def _inlines(tokens: list[Token]) -> Iterator[tuple[Token, bool, str]]:
    """Give the inline tokens, whether each is a heading, and the number of a list item."""
    number, in_heading = "", False
    for token in tokens:
        if token.type == "list_item_open":
            number = token.info
        elif token.type == "list_item_close":
            number = ""
        elif token.type in {"heading_open", "heading_close"}:
            in_heading = token.type == "heading_open"
        elif token.type == "inline":
            yield token, in_heading, number


def _block(token: Token) -> Block | None:
    builder = BlockBuilder()
    line = token.map[0] + 1 if token.map else 1
    for child in token.children or []:
        if child.type in _TEXT:
            builder.add(_NOTE.sub("", child.content).replace("\n", " "), line)
        elif child.type in _BREAKS:
            line += 1
            builder.add(" ", line)
    return builder.build()


def _entries(block: Block, number: str) -> list[Entry]:
    """Give the entries of a paragraph of references; each line of one may be an entry."""
    return [Entry(number, block.text)]


def _bibliographies(front: str) -> Iterator[str]:
    match = _BIBLIOGRAPHY.search(front)
    if match is None:
        return
    found = match["flow"] or match["many"] or match["one"] or ""
    for name in re.split(r"[,\n]", found):
        if plain := name.strip().lstrip("-").strip().strip("\"'"):
            yield plain
