"""Runs the service until it is told to stop."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from claimscope.errors import InputError
from claimscope.service import logs
from claimscope.service.app import create_app
from claimscope.service.connections import guarded
from claimscope.service.opening import open_service
from claimscope.service.settings import Settings
from claimscope.service.state import Service

_HEADER_BYTES = 16 * 1024
_GRACE_SECONDS = 20


def serve(settings: Settings, on_start: Callable[[str], None]) -> None:
    """Serve until interrupted; `on_start` is told the address once clients can connect."""
    logs.set_up()
    with open_service(settings) as service, listen(settings.host, settings.port) as listening:
        on_start(f"http://{_shown(settings.host)}:{listening.getsockname()[1]}")
        uvicorn.Server(configure(service)).run(sockets=[listening])


def configure(service: Service) -> uvicorn.Config:
    """Set up the server: no more than HTTP, with limits on headers and connections."""
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


def listen(host: str, port: int) -> socket.socket:
    """Take an address, so that clients can connect and wait."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only where TCP is named does asyncio send small answers at once (TCP_NODELAY).
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host.strip("[]"), port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise InputError(
            f"The service cannot listen at {host}:{port} ({error.strerror or error}); "
            "choose another --host or --port."
        ) from error
    return listening


def _shown(host: str) -> str:
    return f"[{host.strip('[]')}]" if ":" in host else host
