"""Reads the forms of the page, and refuses those that the page itself did not make (CSRF)."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator
from hashlib import blake2b
from typing import Annotated

from fastapi import Depends, Request
from starlette.datastructures import FormData, UploadFile

from claimscope.service.api.jobs import scoped
from claimscope.service.problems import ServiceError
from claimscope.service.state import ServiceOf
from claimscope.service.web.session import Visiting, Visitor

FIELD = "csrf"
HEADER = "x-csrf-token"
_MOST_FIELDS = 50
_PART_BYTES = 1_000_000


async def checked_form(
    request: Request, service: ServiceOf, visitor: Visiting
) -> AsyncIterator[FormData]:
    """Read a form whose token belongs to the visitor's cookie."""
    most = service.settings.limits.upload_files
    async with request.form(
        max_files=most, max_fields=_MOST_FIELDS, max_part_size=_PART_BYTES
    ) as form:
        given = request.headers.get(HEADER) or form.get(FIELD)
        is_ours = isinstance(given, str) and hmac.compare_digest(
            given.encode(), visitor.csrf.encode()
        )
        # A visitor whose cookie is new cannot have been given a form.
        if visitor.is_new or not is_ours:
            raise ServiceError(
                403, "The form is too old or was not made by this page; reload it and try again."
            )
        yield form


def text_of(form: FormData, name: str) -> str:
    """Give a field's text; a missing one is empty."""
    value = form.get(name, "")
    return value if isinstance(value, str) else ""


def files_of(form: FormData, name: str) -> list[UploadFile]:
    """Give the files of a field; browsers send one without a name where none was chosen."""
    return [item for item in form.getlist(name) if isinstance(item, UploadFile) and item.filename]


def key_of(visitor: Visitor, form: FormData, content: bytes) -> str | None:
    """Give the key by which a form that is sent twice is known; other content is another form."""
    given = text_of(form, "key")
    mark = blake2b(content, digest_size=8).hexdigest()
    return scoped(visitor.client, f"{given}:{mark}" if given else None)


CheckedForm = Annotated[FormData, Depends(checked_form)]
