"""The settings of a service: its address, library, presets and limits."""

from __future__ import annotations

from dataclasses import dataclass, field

from claimscope._hosts import is_loopback
from claimscope.pipeline.preset import DEFAULT_PRESET

API = "/api/v1"
"""The path prefix of the REST API."""

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on what clients may send and how fast."""

    body: int = MEGABYTE
    """Bytes of a request body, except for uploads and jobs."""
    job_body: int = 20 * MEGABYTE
    job_claims: int = 10_000
    upload_body: int = 200 * MEGABYTE
    upload_files: int = 20
    claims: int = 32
    """Claims in one check request; more need a job."""
    waiting_claims: int = 256
    """Claims that may wait for the model; beyond that, the service answers 503."""
    waiting_seconds: float = 10.0
    """How long a claim would have to wait for the model; beyond that, the service answers 503."""
    search_threads: int = 4
    waiting_searches: int = 128
    """Searches that may run or wait for a thread; beyond that, the service answers 503."""
    batch_claims: int = 16
    batch_seconds: float = 0.002
    """How long the first claim of a batch waits for more."""
    connections: int = 512
    """Open connections; one more closes the connection that was idle longest."""
    header_bytes: int = 16 * 1024
    """Bytes of the address and the headers of a request."""
    header_seconds: float = 10.0
    """How long a client may take to send the headers of a request."""
    body_seconds: float = 20.0
    """The longest pause within a request body."""
    body_rate: int = 5_000
    """The minimum average rate of a request body, in bytes per second."""
    reading_seconds: float = 30.0
    """How long a client may pause while it reads an answer."""
    requests_per_second: float = 2_000.0
    burst: int = 4_000

    @classmethod
    def for_host(cls, host: str) -> Limits:
        """Return the limits for an address: clients on this computer may send more requests."""
        return cls() if is_loopback(host) else cls(requests_per_second=20.0, burst=100)


@dataclass(frozen=True, slots=True)
class Settings:
    """How to run a service."""

    library: str
    """The library's folder, its URL, or "demo"."""
    presets: tuple[str, ...] = (DEFAULT_PRESET,)
    """The presets that clients can choose; the first is the default."""
    host: str = "127.0.0.1"
    port: int = 8765
    limits: Limits = field(default_factory=Limits)
    job_days: float = 30.0
    """How long finished jobs are kept."""
    key_days: float = 7.0
    """How long an Idempotency-Key is remembered."""
    state: str | None = None
    """The folder of jobs, saved verdicts and tokens where the library is on a server."""

    @property
    def needs_token(self) -> bool:
        """Whether clients need a token: yes, unless only this computer can reach the service."""
        return not is_loopback(self.host)
