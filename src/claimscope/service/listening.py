"""The socket that a server listens on, and its address."""

from __future__ import annotations

import socket

from claimscope.errors import InputError


def listen(host: str, port: int) -> socket.socket:
    """Open the listening socket, so that clients can connect and wait."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small answers at once (TCP_NODELAY) only if the socket names TCP.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host.strip("[]"), port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise InputError(
            f"The service cannot listen on {host}:{port} ({error.strerror or error}); "
            "choose another --host or --port."
        ) from error
    return listening


def address_of(host: str, listening: socket.socket) -> str:
    """Give the address at which clients reach a server."""
    name = host.strip("[]")
    return f"http://{f'[{name}]' if ':' in name else name}:{listening.getsockname()[1]}"
