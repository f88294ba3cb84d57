"""Which addresses of Dask schedulers may be used.

Whoever can speak to a Dask scheduler without TLS can run any program on its workers, and whoever
poses as one can run any program here. Plain TCP is therefore for this computer only.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from claimscope._hosts import is_loopback
from claimscope.errors import ClusterError, InputError

if TYPE_CHECKING:
    from distributed.security import Security

_CONFIGURED = "distributed.comm.tls"


@dataclass(frozen=True, slots=True)
class Tls:
    """The files with which this computer proves itself, and knows the scheduler."""

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


def check_address(address: str, insecure: bool = False) -> None:
    """Refuse an address that cannot be used, or not safely."""
    parts = urlsplit(address)
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if parts.scheme not in {"tcp", "tls"} or not host or not port:
        raise InputError(
            f"{_shown(address)!r} is no address of a Dask scheduler; write tls://HOST:PORT, or "
            "tcp://127.0.0.1:PORT on this computer."
        )
    if parts.username or parts.password or parts.path.strip("/") or parts.query:
        raise InputError(
            f"The address {_shown(address)!r} holds more than host and port; Dask knows users by "
            "their certificates (--tls-cert)."
        )
    if parts.scheme == "tcp" and not insecure and not is_loopback(host):
        raise InputError(
            f"{address} would be spoken to without encryption, and anyone on the way could run "
            "programs here; use tls://, or --insecure-cluster on a network that only you can use."
        )


def cluster_security(address: str, tls: Tls) -> Security | None:
    """Give Dask's settings for an address; without files, Dask's own configuration is used."""
    if not address.startswith("tls://"):
        return None
    import dask
    from distributed.security import Security

    given: dict[str, Any] = {
        "tls_ca_file": tls.ca,
        "tls_client_cert": tls.certificate,
        "tls_client_key": tls.key,
    }
    missing = [str(path) for path in given.values() if path is not None and not path.is_file()]
    if missing:
        raise InputError(f"There is no file {missing[0]}; check --tls-ca, --tls-cert, --tls-key.")
    if tls.ca is None and not dask.config.get(f"{_CONFIGURED}.ca-file", None):
        raise InputError(
            "An address tls:// needs certificates; give --tls-ca, --tls-cert and --tls-key, or "
            f"set {_CONFIGURED} in Dask's configuration."
        )
    named = {name: str(path) for name, path in given.items() if path is not None}
    try:
        return Security(require_encryption=True, **named)
    except (OSError, ValueError) as error:
        raise ClusterError(f"The certificates cannot be used ({error}); check them.") from None


def _shown(address: str) -> str:
    """Give an address without anything secret that somebody may have put into it."""
    scheme, separator, rest = address.partition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2].partition('?')[0]}"[:100]
