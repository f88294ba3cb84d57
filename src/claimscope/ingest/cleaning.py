"""Cleans titles and abstracts: markup, entities, control characters, white space."""

from __future__ import annotations

import html
import re

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
