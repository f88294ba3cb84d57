"""Turns the LaTeX of BibTeX values into plain text."""

from __future__ import annotations

import logging
import re
from functools import cache

from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db
from pylatexenc.latexwalker import LatexWalkerError

from claimscope.errors import RecordError

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
