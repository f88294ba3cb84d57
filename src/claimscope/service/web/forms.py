"""Reads forms, and refuses forms that our pages did not send (CSRF)."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator
from hashlib import blake2b
from typing import Annotated

from fastapi import Depends, Request
from starlette.datastructures import FormData, UploadFile

from claimscope.service.jobs.actions import scoped_key
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
    """Read a form, and check that its token belongs to the visitor's cookie."""
    most = service.settings.limits.upload_files
    async with request.form(
        max_files=most, max_fields=_MOST_FIELDS, max_part_size=_PART_BYTES
    ) as form:
        given = request.headers.get(HEADER) or form.get(FIELD)
        is_ours = isinstance(given, str) and hmac.compare_digest(
            given.encode(), visitor.csrf.encode()
        )
        # A visitor with a new cookie cannot have loaded a form yet.
        if visitor.is_new or not is_ours:
            raise ServiceError(
                403,
                "The form has expired or is not from this page; reload the page and try again.",
            )
        yield form


def text_of(form: FormData, name: str) -> str:
    """Return the text of a field, or an empty text if it is missing."""
    value = form.get(name, "")
    return value if isinstance(value, str) else ""


def files_of(form: FormData, name: str) -> list[UploadFile]:
    """Return the files of a field; without a choice, browsers send a file without a name."""
    return [item for item in form.getlist(name) if isinstance(item, UploadFile) and item.filename]


def key_of(visitor: Visitor, form: FormData, content: bytes) -> str | None:
    """Return the idempotency key of a form; the same form with other content gets another."""
    given = text_of(form, "key")
    mark = blake2b(content, digest_size=8).hexdigest()
    return scoped_key(visitor.client, f"{given}:{mark}" if given else None)


CheckedForm = Annotated[FormData, Depends(checked_form)]
