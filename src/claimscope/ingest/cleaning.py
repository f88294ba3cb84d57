"""Cleans titles and abstracts: markup, entities, LaTeX, control characters, white space."""

from __future__ import annotations

import html
import logging
import re
from functools import cache

from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db
from pylatexenc.latexwalker import LatexWalkerError

from claimscope.errors import RecordError

# Only entities that end in a semicolon: html.unescape alone would turn "&parameter" into "¶meter".
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")

# Only known elements: "p <b and c> d" and "n<p" are mathematics.
_ATTRIBUTES = r"""(?:\s+[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=]+))*\s*/?>"""
_INLINE = (
    "i|b|u|em|strong|sub|sup|span|font|a|sc|inf|bold|italic|underline|small|tt|code|scp|"
    "xref|ext-link|inline-formula|math|mrow|mi|mn|mo|msub|msup|msubsup|mfrac|mtext|mspace|mstyle"
)
_BLOCK = (
    "p|br|div|li|ul|ol|h[1-6]|sec|title|abstract|label|list|list-item|table|tr|td|th|hr|section"
)
_PREFIX = r"</?(?:jats:|mml:)?"
_INLINE_TAG = re.compile(f"{_PREFIX}(?:{_INLINE}){_ATTRIBUTES}", re.IGNORECASE)
_BLOCK_TAG = re.compile(f"{_PREFIX}(?:{_BLOCK}){_ATTRIBUTES}", re.IGNORECASE)

# C0 and C1 controls, the byte order mark and non-characters; white space among them is kept.
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


_PASSES = 8
"""Exports of exports escape several times, as in "&amp;lt;"; deeper than this is no accident."""


def clean_text(text: str) -> str:
    """Give text fit to read and search: no markup, entities or controls, single spaces."""
    has_markup = "&" in text or "<" in text
    if not has_markup and "  " not in text and text.isprintable():
        return text.strip()
    text = without_controls(text)
    if has_markup:
        text = _without_markup(text)
    return " ".join(text.split())


def _without_markup(text: str) -> str:
    for _ in range(_PASSES):
        plain = without_controls(_ENTITY.sub(_character, text))
        plain = _INLINE_TAG.sub("", _BLOCK_TAG.sub(" ", plain))
        if plain == text:
            break
        text = plain
    return text


def without_controls(text: str) -> str:
    """Replace control characters by spaces and lone surrogates by U+FFFD; lengths do not change."""
    if text.isprintable():
        return text
    return _SURROGATE.sub("\ufffd", _UNPRINTABLE.sub(" ", text))


def _character(match: re.Match[str]) -> str:
    return html.unescape(match[0])


_HAS_LATEX = re.compile(r"[\\{}$~]|--|``|''")
_BARE_SPECIAL = re.compile(r"(?<!\\)[%&#]")
_BARE_DOLLAR = re.compile(r"(?<!\\)\$")
_ABOUT = re.compile(r"(?<![\w}\\])~(?=\s?[0-9$])")
# What the decoder raises on commands that lack their arguments.
_UNREADABLE = (AttributeError, LatexWalkerError, LookupError, TypeError, ValueError)
_SYMBOLS = {
    "textgreater": ">",
    "textless": "<",
    "textbar": "|",
    "textunderscore": "_",
    "textquotesingle": "'",
    "textquotedbl": '"',
    "textbraceleft": "{",
    "textbraceright": "}",
    "textasciicircum": "^",
}

# The decoder logs what it does not know; such text is kept as it stands.
logging.getLogger("pylatexenc").addHandler(logging.NullHandler())


@cache
def _decoder() -> LatexNodes2Text:
    symbols = [MacroTextSpec(name, simplify_repl=text) for name, text in _SYMBOLS.items()]
    context = get_default_latex_context_db()
    context.add_context_category("claimscope", macros=symbols, prepend=True)
    return LatexNodes2Text(latex_context=context, math_mode="text")


def latex_to_text(text: str) -> str:
    """Decode accents, symbols, groups and simple mathematics; plain text is left as it is.

    Exports often leave signs bare that LaTeX would read as commands: a percent sign (the rest of
    the line would be a comment), an ampersand, a single dollar, "~5" for "about 5".
    """
    if not _HAS_LATEX.search(text):
        return text
    text = _BARE_SPECIAL.sub(r"\\\g<0>", text)
    text = _ABOUT.sub(r"\\textasciitilde{}", text)
    if len(_BARE_DOLLAR.findall(text)) % 2:
        text = _BARE_DOLLAR.sub(r"\\$", text)
    try:
        return str(_decoder().latex_to_text(text))
    except RecursionError:
        raise RecordError("The entry's braces are nested too deeply to be a record.") from None
    except _UNREADABLE as error:
        raise RecordError(f"The entry's LaTeX cannot be read ({error}).") from error
