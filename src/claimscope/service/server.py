"""Runs the service until it is stopped, with a log that contains no access tokens."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable

import uvicorn

from claimscope.service.app import create_app
from claimscope.service.jobs.tokens import PREFIX
from claimscope.service.limiting import guarded
from claimscope.service.listening import address_of, listen
from claimscope.service.settings import Settings
from claimscope.service.state import Service, open_service

_HEADER_BYTES = 16 * 1024
_GRACE_SECONDS = 3
_SWITCH_SECONDS = 0.001
"""How long a check may keep Python from a search; Python's own value is five times as long."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
# A whole token, its secret alone, and whatever follows "Bearer".
_SECRET = re.compile(rf"{PREFIX}_[0-9a-f]+_[0-9a-f]+|[0-9a-f]{{64}}|(?<=Bearer )\S+", re.IGNORECASE)


def serve(settings: Settings, on_start: Callable[[str], None]) -> None:
    """Serve until interrupted; `on_start` receives the address once clients can connect."""
    set_up_logging()
    sys.setswitchinterval(_SWITCH_SECONDS)
    with open_service(settings) as service, listen(settings.host, settings.port) as listening:
        on_start(address_of(settings.host, listening))
        uvicorn.Server(configure(service)).run(sockets=[listening])


def configure(service: Service) -> uvicorn.Config:
    """Configure the server: HTTP only, with limits on headers and connections."""
    return uvicorn.Config(
        create_app(service),
        http=guarded(service.settings.limits),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=_HEADER_BYTES,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )


class Redacting(logging.Formatter):
    """Formats a log record, including its traceback, without anything that looks like a token."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text; what a client sent cannot begin a line or steer a terminal."""
        text = _SECRET.sub("[token]", super().format(record))
        return _CONTROL.sub(_escape, text)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        """Return the line of the record, without a traceback, as one line."""
        return super().formatMessage(record).replace("\n", "\\n")


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def set_up_logging() -> None:
    """Send the log of the service and of uvicorn to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacting("%(asctime)s %(levelname)s %(message)s"))
    for name in ("claimscope.service", "uvicorn"):
        log = logging.getLogger(name)
        log.handlers = [handler]
        log.setLevel(logging.INFO)
        log.propagate = False
