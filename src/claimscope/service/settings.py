"""What a service is told when it starts: where it listens, what it serves, and its limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address

from claimscope.pipeline.preset import DEFAULT_PRESET

API = "/api/v1"
"""Where the addresses for programs begin."""

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What a client may ask for."""

    body: int = MEGABYTE
    """Bytes of a request that is neither an upload nor a job."""
    job_body: int = 20 * MEGABYTE
    job_claims: int = 10_000
    upload_body: int = 200 * MEGABYTE
    upload_files: int = 20
    claims: int = 32
    """Claims in one check; more make a job."""
    waiting_claims: int = 256
    """Claims that wait for the model; with more, the service answers 503."""
    batch_claims: int = 16
    batch_seconds: float = 0.002
    """How long the first claim of a batch waits for others."""
    connections: int = 512
    """Connections open at a time; a further one ends the one that has been idle longest."""
    header_seconds: float = 10.0
    """How long a client may take to send the head of a request."""
    body_seconds: float = 20.0
    """The longest pause in the middle of a request's body."""
    body_rate: int = 5_000
    """Bytes a second that a body must come with on average, or the pauses together are too long."""
    reading_seconds: float = 30.0
    """How long a client may read nothing of an answer that waits for it."""
    requests_per_second: float = 2_000.0
    burst: int = 4_000

    @classmethod
    def for_host(cls, host: str) -> Limits:
        """Give the limits for an address: programs of this computer may ask more often."""
        return cls() if is_loopback(host) else cls(requests_per_second=20.0, burst=100)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a service is run."""

    library: str
    """A folder, or "demo"."""
    presets: tuple[str, ...] = (DEFAULT_PRESET,)
    """What claims can be checked with; the first, unless the client names another."""
    host: str = "127.0.0.1"
    port: int = 8765
    limits: Limits = field(default_factory=Limits)
    job_days: float = 30.0
    """How long jobs are kept after their end."""
    key_days: float = 7.0
    """How long a repeated request is known by its Idempotency-Key."""

    @property
    def needs_token(self) -> bool:
        """Whether every client must show a token: always, unless only this computer can ask."""
        return not is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Say whether only programs on this computer can reach an address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
