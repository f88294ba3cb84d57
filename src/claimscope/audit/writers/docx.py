"""An audit as a Word file: each sentence with what was found as a comment beside it."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from claimscope.audit.report import Audit, Level
from claimscope.audit.writers.view import Finding, show

_AUTHOR = "Claimscope"
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
"""The date of everything in the file, so that the same audit gives the same bytes."""


def to_docx(audit: Audit) -> bytes:
    """Write the sentences that call for a look, in the order of the manuscript."""
    import docx

    view = show(audit)
    document = docx.Document()
    properties = document.core_properties
    properties.author, properties.title = _AUTHOR, _printable(f"Audit of {view.name}")
    properties.created = properties.modified = _EPOCH
    document.add_heading(_printable(f"Audit of {view.name}"), 1)
    document.add_paragraph(view.totals)
    for sentence in view.sentences:
        shown = [item for item in sentence.findings if item.level != Level.NONE]
        if shown:
            paragraph = document.add_paragraph(f"{view.place_name.capitalize()} {sentence.place}: ")
            run = paragraph.add_run(_printable(sentence.text))
            for item in shown:
                comment = document.add_comment(run, _words(item), author=_AUTHOR, initials="CS")
                comment._comment_elm.date = _EPOCH
    stream = io.BytesIO()
    document.save(stream)
    return _without_clock(stream)


def _without_clock(packed: io.BytesIO) -> bytes:
    """Pack the parts again with the same date; the library gives them the time of day."""
    again = io.BytesIO()
    with ZipFile(packed) as source, ZipFile(again, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            part = ZipInfo(name, _EPOCH.timetuple()[:6])
            part.compress_type = ZIP_DEFLATED
            target.writestr(part, source.read(name))
    return again.getvalue()


def _words(item: Finding) -> str:
    lines = [f"{item.headline}. {item.citation}".strip(), item.detail]
    return _printable("\n".join([*lines, *(f"“{quote}”" for quote in item.quotes)]))


def _printable(text: str) -> str:
    """Leave out what XML cannot hold."""
    return "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)
