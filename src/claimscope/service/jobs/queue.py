"""The durable queue of jobs in a library's file.

An accepted job survives a crash, and each of its claims gets exactly one result.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from claimscope.case_json import from_json
from claimscope.claims.reading import Refusal
from claimscope.errors import InputError
from claimscope.service.jobs.database import Database
from claimscope.types import Claim, ClaimOutcome


class Kind(StrEnum):
    """The kind of work that a job does."""

    CHECK = "check"
    IMPORT = "import"
    RECHECK = "recheck"
    """Check saved claims again, because the library has changed."""


class State(StrEnum):
    """The state of a job."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Job:
    """An accepted job."""

    number: int
    id: str
    kind: Kind
    state: State
    total: int
    """The number of claims in a check, or of files in an import."""
    finished: int
    """The number of claims checked; for an import, the number of records read."""
    input: dict[str, Any]
    result: dict[str, Any] | None
    error: str | None

    @property
    def ordinal(self) -> int | None:
        """Its position among the jobs of its kind, from 1; None for jobs of older versions."""
        return self.input.get("ordinal")

    @property
    def starts(self) -> int:
        """How often it was started, and nothing came of it because the service was killed."""
        return int(self.input.get("starts", 0))

    @property
    def is_open(self) -> bool:
        """Whether the job is queued or running."""
        return self.state in {State.QUEUED, State.RUNNING}


@dataclass(frozen=True, slots=True)
class Order:
    """A job to accept; the same key and fingerprint create it only once."""

    kind: Kind
    total: int
    input: dict[str, Any]
    key: str | None = None
    fingerprint: bytes = b""


class KeyReusedError(InputError):
    """The idempotency key was used before with a different request."""


_COLUMNS = """number, id, kind, state, total,
    CASE kind WHEN 'import' THEN progress
        ELSE (SELECT COUNT(*) FROM job_results WHERE job = jobs.number) END,
    input, result, error"""

_STARTED = "input = json_set(input, '$.starts', IFNULL(json_extract(input, '$.starts'), 0) + 1)"
_NOT_STARTED = "input = json_remove(input, '$.starts')"


class Jobs:
    """The jobs of one library."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def accept_claims(self, order: Order, lines: Iterable[Claim | Refusal]) -> Job:
        """Store a job that checks claims; once this returns, the job survives a power cut."""
        with self._database.transaction() as connection:
            number, is_new = _accept(connection, order)
            if is_new:
                _keep_lines(connection, number, lines)
        return self._numbered(number)

    def accept_import(self, order: Order) -> Job:
        """Store an import whose files are already on disk."""
        with self._database.transaction() as connection:
            number, _ = _accept(connection, order)
        return self._numbered(number)

    def get(self, job_id: str) -> Job | None:
        """Return a job, or None if there is none with this id."""
        return self._one("id = ?", job_id)

    def next_open(self) -> Job | None:
        """Return the oldest job that is not finished."""
        return self._one("state IN ('queued', 'running') ORDER BY number LIMIT 1")

    def all_open(self) -> list[Job]:
        """Return every job that is not finished."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM jobs WHERE state IN ('queued', 'running')"
        )
        return [_job(row) for row in rows]

    def latest(self, before: int | None, limit: int, kind: Kind | None = None) -> list[Job]:
        """Return a page of jobs, newest first; with a kind, only jobs of that kind."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM jobs WHERE number < ? AND kind = IFNULL(?, kind)"
            " ORDER BY number DESC LIMIT ?",
            before if before is not None else 1 << 62,
            kind,
            limit,
        )
        return [_job(row) for row in rows]

    def counts(self) -> dict[str, int]:
        """Count the jobs by state."""
        return dict(self._database.rows("SELECT state, COUNT(*) FROM jobs GROUP BY state"))

    def begin(self, job: Job) -> bool:
        """Mark a job as running; return False if it was cancelled in the meantime."""
        return self._change(f"state = 'running', {_STARTED}", job, "state IN ('queued', 'running')")

    def leave(self, job: Job) -> None:
        """Note that a job which is not finished was left in good order, not by a kill."""
        self._change(_NOT_STARTED, job, "state = 'running'")

    def end(self, job: Job, result: dict[str, Any] | None = None) -> None:
        """Mark a job as done, unless it was cancelled in the meantime."""
        text = None if result is None else json.dumps(result, ensure_ascii=True)
        self._end("state = 'done', result = ?", job, "state = 'running'", text)

    def fail(self, job: Job, reason: str) -> None:
        """Mark a job as failed, with a message for people."""
        self._end("state = 'failed', error = ?", job, "state = 'running'", reason)

    def cancel(self, job: Job) -> None:
        """Mark a job as cancelled; its finished results stay."""
        self._end("state = 'cancelled'", job, "state IN ('queued', 'running')")

    def report(self, job: Job, progress: int) -> None:
        """Store how many records an import has read."""
        self._change("progress = ?", job, "state = 'running'", progress)

    def waiting(self, job: Job, limit: int) -> list[tuple[int, Claim]]:
        """Return claims of a job that have no result yet, with their line numbers."""
        rows = self._database.rows(
            "SELECT line, id, claim FROM job_claims WHERE job = ? AND line NOT IN"
            " (SELECT line FROM job_results WHERE job = ?) ORDER BY line LIMIT ?",
            job.number,
            job.number,
            limit,
        )
        return [(line, Claim(text, name)) for line, name, text in rows]

    def finish(self, job: Job, results: Sequence[tuple[int, str]]) -> None:
        """Store results by line; a line that already has a result keeps it."""
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO job_results (job, line, result) VALUES (?, ?, ?)",
                [(job.number, line, text) for line, text in results],
            )
            # Whatever kills the service later, it was not a claim of these.
            connection.execute(f"UPDATE jobs SET {_NOT_STARTED} WHERE number = ?", (job.number,))

    def outcomes(self, job: Job, after: int, limit: int) -> list[ClaimOutcome]:
        """Return a page of the outcomes of a job's claims, by line."""
        rows = self._database.rows(
            "SELECT line, id, claim, result, error FROM job_results JOIN job_claims"
            " USING (job, line) WHERE job = ? AND line > ? ORDER BY line LIMIT ?",
            job.number,
            after,
            limit,
        )
        return [
            ClaimOutcome(line, Claim(text, name), from_json(result) if result else None, error)
            for line, name, text, result, error in rows
        ]

    def all_outcomes(self, job: Job, page: int = 200) -> Iterator[ClaimOutcome]:
        """Yield every outcome without holding all of them in memory."""
        after = 0
        while found := self.outcomes(job, after, page):
            yield from found
            after = found[-1].line

    def _numbered(self, number: int) -> Job:
        rows = self._database.rows(f"SELECT {_COLUMNS} FROM jobs WHERE number = ?", number)
        return _job(rows[0])

    def _one(self, condition: str, *values: Any) -> Job | None:
        rows = self._database.rows(f"SELECT {_COLUMNS} FROM jobs WHERE {condition}", *values)
        return _job(rows[0]) if rows else None

    def _end(self, change: str, job: Job, condition: str, *values: Any) -> None:
        self._change(f"ended_at = ?, {change}", job, condition, int(time.time()), *values)

    def _change(self, change: str, job: Job, condition: str, *values: Any) -> bool:
        with self._database.transaction() as connection:
            changed = connection.execute(
                f"UPDATE jobs SET {change} WHERE number = ? AND {condition}",
                (*values, job.number),
            )
            return changed.rowcount > 0


def _accept(connection: sqlite3.Connection, order: Order) -> tuple[int, bool]:
    """Return the job's number, and whether the job is new."""
    if order.key is not None:
        known = connection.execute(
            "SELECT fingerprint, job FROM idempotency_keys WHERE key = ?", (order.key,)
        ).fetchone()
        if known is not None:
            if known[0] != order.fingerprint:
                raise KeyReusedError(
                    "This Idempotency-Key was used before with a different request; use a new "
                    "key for a new request."
                )
            return int(known[1]), False
    given = json.dumps({**order.input, "ordinal": _next_ordinal(connection, order.kind)})
    cursor = connection.execute(
        "INSERT INTO jobs (id, kind, state, total, input) VALUES (?, ?, ?, ?, ?)",
        (secrets.token_hex(8), order.kind, State.QUEUED, order.total, given),
    )
    number = cursor.lastrowid or 0
    if order.key is not None:
        connection.execute(
            "INSERT INTO idempotency_keys (key, fingerprint, job, made_at) VALUES (?, ?, ?, ?)",
            (order.key, order.fingerprint, number, int(time.time())),
        )
    return number, True


def _next_ordinal(connection: sqlite3.Connection, kind: Kind) -> int:
    """Continue from the newest job of a kind; old jobs are deleted, so a count is not enough."""
    [ordinal] = connection.execute(
        "SELECT MAX(IFNULL(MAX(json_extract(input, '$.ordinal')), 0), COUNT(*)) FROM jobs"
        " WHERE kind = ?",
        (kind,),
    ).fetchone()
    return int(ordinal) + 1


def _keep_lines(
    connection: sqlite3.Connection, number: int, lines: Iterable[Claim | Refusal]
) -> None:
    """Store the claims of a job; a line that cannot be checked gets its error at once."""
    for line, item in enumerate(lines, start=1):
        name, text = ("", "") if isinstance(item, Refusal) else (item.id, item.text)
        connection.execute("INSERT INTO job_claims VALUES (?, ?, ?, ?)", (number, line, name, text))
        if isinstance(item, Refusal):
            connection.execute(
                "INSERT INTO job_results (job, line, error) VALUES (?, ?, ?)",
                (number, line, f"Line {item.line}: {item.reason}"),
            )


def _job(row: tuple[Any, ...]) -> Job:
    number, name, kind, state, total, finished, given, result, error = row
    return Job(
        number,
        name,
        Kind(kind),
        State(state),
        total,
        finished,
        json.loads(given),
        json.loads(result) if result else None,
        error,
    )
