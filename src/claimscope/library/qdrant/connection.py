"""Requests to Qdrant: any node that answers is asked, and what may succeed later is tried again."""

from __future__ import annotations

import json
import logging
import random
import threading
import time
import warnings
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar

from qdrant_client import QdrantClient
from qdrant_client.http.exceptions import (
    ApiException,
    ResponseHandlingException,
    UnexpectedResponse,
)

from claimscope.errors import LibraryError, LibraryFullError, LibraryUnreachableError
from claimscope.library.qdrant.address import API_KEY, Access, Address

READING = 20.0
WRITING = 120.0
"""Seconds for which a request is repeated: a node that restarts is back by then."""
OPENING = 2.0

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 5.0
_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
_LONGEST_REASON = 300

Answer = TypeVar("Answer")
_log = logging.getLogger("claimscope.library")


class Connection:
    """The nodes of a cluster; safe to use from threads."""

    def __init__(self, address: Address, access: Access) -> None:
        self.address = address
        self._lock = threading.Lock()
        self._clients = [_client(host, port, address, access) for host, port in address.hosts]
        self._first = 0

    @property
    def collection(self) -> str:
        """The name of the collection."""
        return self.address.collection

    def call(self, request: Callable[[QdrantClient], Answer], patience: float = READING) -> Answer:
        """Make a request that may be repeated without harm; every failure is a `LibraryError`.

        `UnexpectedResponse` of 404 and 409 is left to the caller.
        """
        end = time.monotonic() + patience
        pause, asked = _FIRST_PAUSE, 0
        while True:
            number = self._first
            try:
                return request(self._clients[number])
            except ApiException as error:
                failure = error
            if isinstance(failure, UnexpectedResponse) and failure.status_code in (404, 409):
                raise failure
            if not _may_pass(failure):
                raise self._error(failure) from failure
            self._pass_over(number)
            asked += 1
            # Every node is asked once before anybody waits.
            if asked < len(self._clients):
                continue
            if time.monotonic() + pause > end:
                raise self._error(failure) from failure
            # Clients that failed together must not come back together.
            time.sleep(random.uniform(pause / 2, pause))
            pause = min(2 * pause, _LONGEST_PAUSE)
            _log.info("A request to %s is repeated.", self.address.location)

    def close(self) -> None:
        """Let go of the connections."""
        for client in self._clients:
            client.close()

    def _pass_over(self, number: int) -> None:
        with self._lock:
            if self._first == number:
                self._first = (number + 1) % len(self._clients)

    def _error(self, error: ApiException) -> LibraryError:
        where = self.address.location
        if not isinstance(error, UnexpectedResponse):
            return LibraryUnreachableError(
                f"The server of the library {where} does not answer; start it or correct the URL."
            )
        if error.status_code in (401, 403):
            return LibraryError(
                f"The server of the library {where} refuses access; put its API key into {API_KEY}."
            )
        reason = _reason(error)
        if error.status_code == HTTPStatus.INSUFFICIENT_STORAGE or "no space" in reason.lower():
            return LibraryFullError(
                f"The disk of the library {where} is full; free some space and repeat the "
                "command: what was acknowledged is safe."
            )
        return LibraryError(
            f"The server of the library {where} cannot do this ({reason}); see the server's log."
        )


def _client(host: str, port: int, address: Address, access: Access) -> QdrantClient:
    trust: dict[str, Any] = {"verify": access.certificates} if access.certificates else {}
    with warnings.catch_warnings():
        # A key is only ever sent over TLS or to this machine; see `read_access`.
        warnings.filterwarnings("ignore", message="Api key is used")
        return _opened(host, port, address, access, trust)


def _opened(
    host: str, port: int, address: Address, access: Access, trust: dict[str, Any]
) -> QdrantClient:
    return QdrantClient(
        url=f"{'https' if address.is_tls else 'http'}://{host}:{port}",
        port=port,
        api_key=access.api_key,
        timeout=access.timeout,
        # The server's version is compared when the library is opened.
        check_compatibility=False,
        **trust,
    )


def _may_pass(error: ApiException) -> bool:
    if isinstance(error, UnexpectedResponse):
        return error.status_code in _TRANSIENT
    return isinstance(error, ResponseHandlingException)


def _reason(error: UnexpectedResponse) -> str:
    """Give what the server says, in one line."""
    try:
        text = str(json.loads(error.content)["status"]["error"])
    except (ValueError, KeyError, TypeError):
        text = error.reason_phrase
    return f"{error.status_code}, {' '.join(text.split())[:_LONGEST_REASON]}"
