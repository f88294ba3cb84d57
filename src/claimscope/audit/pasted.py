"""Reads a manuscript that was pasted or sent as text, with its references as BibTeX."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from claimscope.audit.bibliography import read_bibliography
from claimscope.audit.manuscript import Manuscript, Reference
from claimscope.audit.readers import read_manuscript
from claimscope.errors import InputError

LONGEST = 100_000
"""Characters of a manuscript, and of its references."""
MOST_CITATIONS = 100
FORMS = {"md": "Markdown", "tex": "LaTeX"}


def read_pasted(
    text: str, references: str = "", form: str = "md"
) -> tuple[Manuscript, list[Reference]]:
    """Read the text as a file of this form, and the references as BibTeX."""
    for name, given in (("text", text), ("references", references)):
        if len(given) > LONGEST:
            raise InputError(
                f"The {name} has {len(given):,} characters and the limit is {LONGEST:,}; "
                "use 'claimscope audit' for long manuscripts."
            )
    if not text.strip():
        raise InputError("The manuscript is empty; paste its text.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"manuscript.{form}"
        path.write_text(text, "utf-8", errors="replace")
        read = replace(read_manuscript(path), name="the manuscript")
        bibliography = Path(folder) / "references.bib"
        bibliography.write_text(references, "utf-8", errors="replace")
        found = list(read_bibliography(bibliography))
    count = sum(len(mark.keys) for block in read.blocks for mark in block.marks)
    if count > MOST_CITATIONS:
        raise InputError(
            f"The manuscript has {count:,} citations and at most {MOST_CITATIONS} are checked at "
            "a time; give a part of it, or use 'claimscope audit'."
        )
    return read, found
