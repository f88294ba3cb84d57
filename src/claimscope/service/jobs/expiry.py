"""Forgets jobs that ended long ago, and the keys of requests that nobody will repeat."""

from __future__ import annotations

from claimscope.service.jobs.database import Ledger


def expired_jobs(ledger: Ledger, before: float) -> list[int]:
    """Give the numbers of jobs that ended before a time, in seconds since 1970."""
    return [
        number for (number,) in ledger.rows("SELECT number FROM jobs WHERE ended_at < ?", before)
    ]


def discard_job(ledger: Ledger, number: int) -> None:
    """Remove a job with its claims, its results and its key."""
    with ledger.transaction() as connection:
        for table in ("job_results", "job_claims", "idempotency_keys"):
            connection.execute(f"DELETE FROM {table} WHERE job = ?", (number,))
        connection.execute("DELETE FROM jobs WHERE number = ?", (number,))


def discard_keys(ledger: Ledger, before: float) -> None:
    """Remove the keys of requests that came before a time, in seconds since 1970."""
    with ledger.transaction() as connection:
        connection.execute("DELETE FROM idempotency_keys WHERE made_at < ?", (before,))
