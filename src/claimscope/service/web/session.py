"""Identifies visitors of the web pages by a cookie, and reads their forms (CSRF refused).

The cookie contains only a random string. Without tokens it only ties forms to the browser that
loaded them; with tokens, the server remembers which token the visitor logged in with.
"""

from __future__ import annotations

import hmac
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass
from hashlib import blake2b, sha256
from typing import Annotated, cast

from fastapi import Depends, Request, Response
from starlette.datastructures import FormData, UploadFile

from claimscope.service.jobs.actions import scoped_key
from claimscope.service.jobs.tokens import Scope, Token
from claimscope.service.problems import ServiceError
from claimscope.service.state import Service, ServiceOf

COOKIE = "claimscope_session"
LIFETIME = 12 * 3600
_MOST_SESSIONS = 1_000
_FORM = re.compile(r"[A-Za-z0-9_-]{43}")


class Sessions:
    """Maps cookies to tokens, in memory only."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[bytes, tuple[str, float]] = OrderedDict()

    def begin(self, token: Token) -> str:
        """Start a session with a token and return its cookie."""
        cookie = new_cookie()
        with self._lock:
            self._known[_digest(cookie)] = (token.id, time.monotonic() + LIFETIME)
            while len(self._known) > _MOST_SESSIONS:
                self._known.popitem(last=False)
        return cookie

    def token_id(self, cookie: str) -> str | None:
        """Return the id of a session's token; looking up a digest leaks no timing."""
        with self._lock:
            found = self._known.get(_digest(cookie))
        return found[0] if found and time.monotonic() < found[1] else None

    def end(self, cookie: str) -> None:
        """End a session."""
        with self._lock:
            self._known.pop(_digest(cookie), None)


@dataclass(frozen=True, slots=True)
class Visitor:
    """The person who requests a page."""

    cookie: str
    is_new: bool
    client: str
    """The prefix of the visitor's idempotency keys; empty before login."""
    scope: Scope | None
    needs_login: bool

    @property
    def csrf(self) -> str:
        """The token that proves that a form comes from our pages; derived from the cookie.

        Pages of other sites can make a browser send the cookie but cannot read it.
        """
        return hmac.new(self.cookie.encode(), b"claimscope form", sha256).hexdigest()

    def may(self, scope: Scope) -> bool:
        """Return whether the visitor has a scope."""
        return self.scope is not None and self.scope.includes(scope)

    @property
    def can_write(self) -> bool:
        """Whether the visitor may change anything."""
        return self.may(Scope.WRITE)


def visitor_of(request: Request, service: ServiceOf) -> Visitor:
    """Return the visitor of a request, with a new cookie if there is none."""
    given = request.cookies.get(COOKIE, "")
    is_known = _FORM.fullmatch(given) is not None
    cookie = given if is_known else new_cookie()
    if not service.settings.needs_token:
        return Visitor(cookie, not is_known, "local", Scope.ADMIN, needs_login=False)
    token = _token(service, sessions_of(request).token_id(cookie))
    name, scope = (token.id, token.scope) if token else ("", None)
    return Visitor(cookie, not is_known, name, scope, needs_login=True)


def reader(visitor: Annotated[Visitor, Depends(visitor_of)]) -> Visitor:
    """Require the scope read."""
    return _require(visitor, Scope.READ)


def writer(visitor: Annotated[Visitor, Depends(visitor_of)]) -> Visitor:
    """Require the scope write."""
    return _require(visitor, Scope.WRITE)


def sessions_of(request: Request) -> Sessions:
    """Return the sessions of the server."""
    return cast(Sessions, request.app.state.sessions)


def set_cookie(response: Response, request: Request, cookie: str) -> None:
    """Set the cookie so that scripts cannot read it and other sites' requests do not send it."""
    is_encrypted = "https" in {request.url.scheme, request.headers.get("x-forwarded-proto")}
    response.set_cookie(
        COOKIE, cookie, LIFETIME, secure=is_encrypted, httponly=True, samesite="strict"
    )


def new_cookie() -> str:
    """Return 256 random bits as text."""
    return secrets.token_urlsafe(32)


def _require(visitor: Visitor, scope: Scope) -> Visitor:
    if visitor.scope is None:
        raise ServiceError(401, "Log in with an access token to see this page.")
    if not visitor.may(scope):
        raise ServiceError(
            403, f"This needs the scope {scope}, but your token has {visitor.scope}."
        )
    return visitor


def _token(service: Service, token_id: str | None) -> Token | None:
    """Return a token that is still valid; revoking a token ends its sessions."""
    return next((token for token in service.tokens.all() if token.id == token_id), None)


def _digest(cookie: str) -> bytes:
    return sha256(cookie.encode()).digest()


Visiting = Annotated[Visitor, Depends(visitor_of)]
PageReader = Annotated[Visitor, Depends(reader)]
PageWriter = Annotated[Visitor, Depends(writer)]


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
