"""The audit page: check the citations of a pasted manuscript against the papers they cite."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.datastructures import FormData

from claimscope.audit import Audit, Options, audit
from claimscope.audit.pasted import FORMS, LONGEST, MOST_CITATIONS, read_pasted
from claimscope.audit.writers.view import AuditView, show
from claimscope.errors import InputError
from claimscope.service.batching import Batcher, while_connected
from claimscope.service.state import Service, ServiceOf
from claimscope.service.web.rendering import page
from claimscope.service.web.session import CheckedForm, PageReader, text_of

router = APIRouter(include_in_schema=False)
PAGE = "audit"


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
        work = _audit(service, batcher, given["text"], given["references"], values["form"])
        values["view"] = await while_connected(request, work)
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


async def _audit(
    service: Service, batcher: Batcher, text: str, references: str, form: str
) -> AuditView:
    """Read and audit on the model thread: a text that is slow to read holds up no other request.

    Uncited claims are not searched for, which takes longer.
    """
    quiet = Options(with_uncited=False)

    def work() -> Audit:
        read, found = read_pasted(text, references, form)
        return audit(read, service.library, batcher.checker, found, options=quiet)

    return show(await batcher.run(work))
