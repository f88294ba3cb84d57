"""Decodes the LaTeX of BibTeX files: accents, symbols, groups and simple mathematics.

Most fields hold nothing but accents, groups and short formulas. One regular expression decodes
those; pylatexenc, which takes a hundred times as long, reads only the others.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from functools import cache

from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db
from pylatexenc.latexwalker import LatexWalkerError

from claimscope.errors import RecordError

_MOST_MARKS = 10_000
"""Commands, braces and dollars of a field that pylatexenc may read in about half a second."""

_HAS_LATEX = re.compile(r"[\\{}$~]|--|``|''")
_MARKS = re.compile(r"[\\{}$~]|-{2,3}|``|''")
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
_ACCENTS = dict(
    zip(
        "`'^\"~=.cvHukr",
        "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0327\u030c\u030b\u0306\u0328\u030a",
        strict=True,
    )
)
_LIGATURES = {"--": "–", "---": "—", "``": "“", "''": "”", "~": "\u00a0"}
_NAMED = (
    "ss|ae|AE|oe|OE|aa|AA|o|O|l|L|alpha|beta|gamma|delta|epsilon|zeta|eta|theta|kappa|lambda|mu|"
    "nu|xi|pi|rho|sigma|tau|phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Sigma|Phi|Psi|Omega|"
    "pm|times|sim|approx|geq|leq|ge|le|cdot|infty|textasciitilde|textbar|textgreater|textless"
)
_SIMPLE = re.compile(
    rf"""
    \\(?P<sign>[`'^"~=.])(?:\{{(?P<a>[A-Za-z])\}}|(?P<b>[A-Za-z])|\{{\\(?P<c>[ij])\}})
  | \\(?P<letter>[cvHukr])(?:\{{(?P<d>[A-Za-z])\}}|[ ](?P<e>[A-Za-z]))
  | \\(?P<escaped>[&%$\#_])
  | \\(?P<named>{_NAMED})(?:\{{\}}|(?![\w\s{{*\[]))
  | \$(?P<formula>(?:[^\\{{}}$~`'\s-]|[ ](?=[^\s$]))+)\$
  | \$\\(?P<symbol>{_NAMED})\$
  | (?P<ligature>---?|``|''|~)
  | (?P<brace>[{{}}])
  | (?P<other>[\\$]|[!?]`)
    """,
    re.VERBOSE,
)

# The decoder logs what it does not know; such text is kept as it stands.
logging.getLogger("pylatexenc").addHandler(logging.NullHandler())


def latex_to_text(text: str) -> str:
    """Decode accents, symbols, groups and simple mathematics; plain text is not changed.

    Exports often leave signs bare that LaTeX would read as commands: a percent sign (the rest of
    the line would be a comment), an ampersand, a single dollar, "~5" for "about 5". Text with too
    many commands for the time it would take is a `RecordError`.
    """
    if not _HAS_LATEX.search(text):
        return text
    text = _BARE_SPECIAL.sub(r"\\\g<0>", text)
    text = _ABOUT.sub(r"\\textasciitilde{}", text)
    if len(_BARE_DOLLAR.findall(text)) % 2:
        text = _BARE_DOLLAR.sub(r"\\$", text)
    decoded = _decode_simple(text)
    return decode_any(text) if decoded is None else decoded


def check_latex(field: str, text: str, most: int = _MOST_MARKS) -> None:
    """Raise a `RecordError` if a text has more commands than can be decoded in short time."""
    if len(text) > most and (marks := len(_MARKS.findall(text))) > most:
        raise RecordError(
            f"The entry's {field} has {marks:,} LaTeX commands, braces and dollars and may have"
            f" {most:,}, so the entry was skipped; correct it in the file."
        )


def decode_any(text: str) -> str:
    """Decode with pylatexenc, which knows all of LaTeX's usual commands."""
    check_latex("text", text)
    try:
        return str(_decoder().latex_to_text(text))
    except RecursionError:
        raise RecordError("The entry's braces are nested too deeply to be a record.") from None
    except _UNREADABLE as error:
        raise RecordError(f"The entry's LaTeX cannot be read ({error}).") from error


def _decode_simple(text: str) -> str | None:
    """Decode text of simple constructs alone, as pylatexenc would; None if there are others."""
    parts: list[str] = []
    depth = end = 0
    for match in _SIMPLE.finditer(text):
        parts.append(text[end : match.start()])
        end = match.end()
        kind = match.lastgroup
        value = match[0]
        if kind == "brace":
            depth += 1 if value == "{" else -1
            if depth < 0:
                return None
        elif kind == "other":
            return None
        else:
            parts.append(_simple(kind or "", match))
    return None if depth else "".join((*parts, text[end:]))


def _simple(kind: str, match: re.Match[str]) -> str:
    match kind:
        case "escaped" | "formula":
            return match[kind]
        case "named" | "symbol":
            return _named(match[kind])
        case "ligature":
            return _LIGATURES[match[0]]
        case _:
            sign = match["sign"] or match["letter"]
            return unicodedata.normalize("NFC", match[kind] + _ACCENTS[sign])


@cache
def _named(name: str) -> str:
    return decode_any(f"\\{name}{{}}")


@cache
def _decoder() -> LatexNodes2Text:
    symbols = [MacroTextSpec(name, simplify_repl=text) for name, text in _SYMBOLS.items()]
    context = get_default_latex_context_db()
    context.add_context_category("claimscope", macros=symbols, prepend=True)
    return LatexNodes2Text(latex_context=context, math_mode="text")
