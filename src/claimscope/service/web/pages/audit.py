"""The audit page: check the citations of a pasted manuscript against the papers they cite."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.datastructures import FormData

from claimscope.audit import Options, audit, read_bibliography, read_manuscript
from claimscope.audit.manuscript import Manuscript, Reference
from claimscope.audit.writers.view import AuditView, show
from claimscope.errors import InputError
from claimscope.service.batching import Batcher, while_connected
from claimscope.service.state import Service, ServiceOf
from claimscope.service.web.rendering import page
from claimscope.service.web.session import CheckedForm, PageReader, text_of

router = APIRouter(include_in_schema=False)
PAGE = "audit"
LONGEST = 100_000
"""Characters of a manuscript, and of its references."""
MOST_CITATIONS = 100
FORMS = {"md": "Markdown", "tex": "LaTeX"}


@router.get("/audit")
async def show_form(request: Request, service: ServiceOf, visitor: PageReader) -> Response:
    """Show the form."""
    return page(request, visitor, "audit.html.j2", PAGE, **_values(service))


@router.post("/audit")
async def audit_text(
    request: Request, service: ServiceOf, visitor: PageReader, form: CheckedForm
) -> Response:
    """Audit a pasted manuscript."""
    given = {name: text_of(form, name).replace("\r\n", "\n") for name in ("text", "references")}
    preset = text_of(form, "preset")
    batcher = service.presets.named(preset or None)
    values = _values(service) | given | {"chosen": batcher.checker.preset.name}
    values["form"] = _form(form)
    try:
        read, references = await asyncio.to_thread(_read, given, values["form"])
        values["view"] = await while_connected(request, _audit(service, batcher, read, references))
    except InputError as error:
        return page(request, visitor, "audit.html.j2", PAGE, 422, **values | {"error": str(error)})
    return page(request, visitor, "audit.html.j2", PAGE, **values)


def _form(form: FormData) -> str:
    chosen = text_of(form, "form")
    return chosen if chosen in FORMS else next(iter(FORMS))


def _values(service: Service) -> dict[str, Any]:
    return {
        "text": "",
        "references": "",
        "form": next(iter(FORMS)),
        "forms": FORMS,
        "longest": LONGEST,
        "most": MOST_CITATIONS,
        "error": "",
        "view": None,
        "presets": service.presets.names,
        "chosen": "",
    }


def _read(given: dict[str, str], form: str) -> tuple[Manuscript, list[Reference]]:
    """Read the text as the file of this form, and the references as BibTeX."""
    for name, text in given.items():
        if len(text) > LONGEST:
            raise InputError(
                f"The {name} has {len(text):,} characters and the limit is {LONGEST:,}; "
                "use 'claimscope audit' for long manuscripts."
            )
    if not given["text"].strip():
        raise InputError("The manuscript is empty; paste its text.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"manuscript.{form}"
        path.write_text(given["text"], "utf-8", errors="replace")
        read = replace(read_manuscript(path), name="the manuscript")
        bibliography = Path(folder) / "references.bib"
        bibliography.write_text(given["references"], "utf-8", errors="replace")
        references = list(read_bibliography(bibliography))
    count = sum(len(mark.keys) for block in read.blocks for mark in block.marks)
    if count > MOST_CITATIONS:
        raise InputError(
            f"The manuscript has {count:,} citations and this page checks {MOST_CITATIONS}; "
            "paste a part of it, or use 'claimscope audit'."
        )
    return read, references


async def _audit(
    service: Service, batcher: Batcher, read: Manuscript, references: list[Reference]
) -> AuditView:
    """Audit on the model thread, without searching for uncited claims, which takes longer."""
    quiet = Options(with_uncited=False)
    found = await batcher.run(
        lambda: audit(read, service.library, batcher.checker, references, options=quiet)
    )
    return show(found)
