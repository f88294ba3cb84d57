"""An audit as a file: one writer per format, chosen by the end of the file's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from claimscope.audit.report import Audit
from claimscope.errors import UnknownNameError

__all__ = ["WRITERS", "writer_for"]

Writer = Callable[[Audit], bytes]


def _text(module: str, name: str) -> Writer:
    def write(audit: Audit) -> bytes:
        text: str = getattr(import_module(f"{__name__}.{module}"), name)(audit)
        return text.encode("utf-8", errors="replace")

    return write


def _docx(audit: Audit) -> bytes:
    from claimscope.audit.writers.docx import to_docx

    return to_docx(audit)


WRITERS: Mapping[str, Writer] = {
    ".json": _text("json", "to_json"),
    ".html": _text("html", "to_html"),
    ".csv": _text("csv", "to_csv"),
    ".sarif": _text("sarif", "to_sarif"),
    ".md": _text("markdown", "to_markdown"),
    ".docx": _docx,
}
"""What writes each ending."""


def writer_for(path: Path) -> Writer:
    """Give the writer for a file's name; one that is unknown raises `UnknownNameError`."""
    ending = path.suffix.lower()
    if ending not in WRITERS:
        raise UnknownNameError("format of reports", ending or path.name, WRITERS)
    return WRITERS[ending]
