"""Jobs in a library's file: what was accepted is kept, and every claim of it is finished once."""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from claimscope.claims.reading import Refusal
from claimscope.errors import InputError
from claimscope.service.jobs.database import Ledger
from claimscope.types import Claim


class Kind(StrEnum):
    """What a job does."""

    CHECK = "check"
    IMPORT = "import"
    RECHECK = "recheck"
    """Saved claims, checked again because the library has changed."""


class State(StrEnum):
    """How far a job is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work that was accepted."""

    number: int
    id: str
    kind: Kind
    state: State
    total: int
    """Claims of a check, files of an import."""
    finished: int
    """Claims finished; for an import, records read."""
    input: dict[str, Any]
    result: dict[str, Any] | None
    error: str | None

    @property
    def ordinal(self) -> int | None:
        """Its place among the jobs of its kind, from 1; None in libraries of older versions."""
        return self.input.get("ordinal")

    @property
    def starts(self) -> int:
        """How often it was started, and nothing came of it because the service was killed."""
        return int(self.input.get("starts", 0))

    @property
    def is_open(self) -> bool:
        """Whether there is something left to do."""
        return self.state in {State.QUEUED, State.RUNNING}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one claim of a job: a result as JSON text, or a sentence why there is none."""

    line: int
    claim_id: str
    claim: str
    result: str | None
    error: str | None


@dataclass(frozen=True, slots=True)
class Order:
    """A job to be accepted; with the same key and fingerprint it is accepted only once."""

    kind: Kind
    total: int
    input: dict[str, Any]
    key: str | None = None
    fingerprint: bytes = b""


class KeyReusedError(InputError):
    """An idempotency key that was given before with another request."""


_COLUMNS = """number, id, kind, state, total,
    CASE kind WHEN 'import' THEN progress
        ELSE (SELECT COUNT(*) FROM job_results WHERE job = jobs.number) END,
    input, result, error"""

_STARTED = "input = json_set(input, '$.starts', IFNULL(json_extract(input, '$.starts'), 0) + 1)"
_NOT_STARTED = "input = json_remove(input, '$.starts')"


class Jobs:
    """The jobs of one library."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def accept_claims(self, order: Order, lines: Iterable[Claim | Refusal]) -> Job:
        """Keep a check of many claims; when it returns the job survives a power cut."""
        with self._ledger.transaction() as connection:
            number, is_new = _accept(connection, order)
            if is_new:
                _keep_lines(connection, number, lines)
        return self._numbered(number)

    def accept_import(self, order: Order) -> Job:
        """Keep an import whose files are on the disk already."""
        with self._ledger.transaction() as connection:
            number, _ = _accept(connection, order)
        return self._numbered(number)

    def get(self, job_id: str) -> Job | None:
        """Give a job, if it is there."""
        return self._one("id = ?", job_id)

    def next_open(self) -> Job | None:
        """Give the first job, in the order of acceptance, that has something left to do."""
        return self._one("state IN ('queued', 'running') ORDER BY number LIMIT 1")

    def all_open(self) -> list[Job]:
        """Give every job that has something left to do."""
        rows = self._ledger.rows(
            f"SELECT {_COLUMNS} FROM jobs WHERE state IN ('queued', 'running')"
        )
        return [_job(row) for row in rows]

    def latest(self, before: int | None, limit: int, kind: Kind | None = None) -> list[Job]:
        """Give a page of jobs, of one kind if it is named, the newest first."""
        rows = self._ledger.rows(
            f"SELECT {_COLUMNS} FROM jobs WHERE number < ? AND kind = IFNULL(?, kind)"
            " ORDER BY number DESC LIMIT ?",
            before if before is not None else 1 << 62,
            kind,
            limit,
        )
        return [_job(row) for row in rows]

    def counts(self) -> dict[str, int]:
        """Count the jobs by state."""
        return dict(self._ledger.rows("SELECT state, COUNT(*) FROM jobs GROUP BY state"))

    def begin(self, job: Job) -> bool:
        """Mark a job as running, and say whether it is: it may have been cancelled meanwhile."""
        return self._change(f"state = 'running', {_STARTED}", job, "state IN ('queued', 'running')")

    def leave(self, job: Job) -> None:
        """Note that a job which is not finished was left in good order, not by a kill."""
        self._change(_NOT_STARTED, job, "state = 'running'")

    def end(self, job: Job, result: dict[str, Any] | None = None) -> None:
        """Mark a job as done, unless it was cancelled meanwhile."""
        text = None if result is None else json.dumps(result, ensure_ascii=True)
        self._end("state = 'done', result = ?", job, "state = 'running'", text)

    def fail(self, job: Job, reason: str) -> None:
        """Mark a job as failed, with a sentence for people."""
        self._end("state = 'failed', error = ?", job, "state = 'running'", reason)

    def cancel(self, job: Job) -> None:
        """Ask for an end; what is finished stays."""
        self._end("state = 'cancelled'", job, "state IN ('queued', 'running')")

    def report(self, job: Job, progress: int) -> None:
        """Keep how many records an import has read."""
        self._change("progress = ?", job, "state = 'running'", progress)

    def waiting(self, job: Job, limit: int) -> list[tuple[int, Claim]]:
        """Give claims of a job that are not finished, with their lines."""
        rows = self._ledger.rows(
            "SELECT line, id, claim FROM job_claims WHERE job = ? AND line NOT IN"
            " (SELECT line FROM job_results WHERE job = ?) ORDER BY line LIMIT ?",
            job.number,
            job.number,
            limit,
        )
        return [(line, Claim(text, name)) for line, name, text in rows]

    def finish(self, job: Job, results: Sequence[tuple[int, str]]) -> None:
        """Keep results by line; a line that has one keeps it."""
        with self._ledger.transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO job_results (job, line, result) VALUES (?, ?, ?)",
                [(job.number, line, text) for line, text in results],
            )
            # Whatever kills the service later, it was not a claim of these.
            connection.execute(f"UPDATE jobs SET {_NOT_STARTED} WHERE number = ?", (job.number,))

    def outcomes(self, job: Job, after: int, limit: int) -> list[Outcome]:
        """Give a page of what became of a job's claims, by line."""
        rows = self._ledger.rows(
            "SELECT line, id, claim, result, error FROM job_results JOIN job_claims"
            " USING (job, line) WHERE job = ? AND line > ? ORDER BY line LIMIT ?",
            job.number,
            after,
            limit,
        )
        return [Outcome(*row) for row in rows]

    def all_outcomes(self, job: Job, page: int = 200) -> Iterator[Outcome]:
        """Give every outcome without holding them all in memory."""
        after = 0
        while found := self.outcomes(job, after, page):
            yield from found
            after = found[-1].line

    def _numbered(self, number: int) -> Job:
        rows = self._ledger.rows(f"SELECT {_COLUMNS} FROM jobs WHERE number = ?", number)
        return _job(rows[0])

    def _one(self, condition: str, *values: Any) -> Job | None:
        rows = self._ledger.rows(f"SELECT {_COLUMNS} FROM jobs WHERE {condition}", *values)
        return _job(rows[0]) if rows else None

    def _end(self, change: str, job: Job, condition: str, *values: Any) -> None:
        self._change(f"ended_at = ?, {change}", job, condition, int(time.time()), *values)

    def _change(self, change: str, job: Job, condition: str, *values: Any) -> bool:
        with self._ledger.transaction() as connection:
            changed = connection.execute(
                f"UPDATE jobs SET {change} WHERE number = ? AND {condition}",
                (*values, job.number),
            )
            return changed.rowcount > 0


def _accept(connection: sqlite3.Connection, order: Order) -> tuple[int, bool]:
    """Give the job's number, and whether it is new."""
    if order.key is not None:
        known = connection.execute(
            "SELECT fingerprint, job FROM idempotency_keys WHERE key = ?", (order.key,)
        ).fetchone()
        if known is not None:
            if known[0] != order.fingerprint:
                raise KeyReusedError(
                    "The Idempotency-Key was given before with another request; use a new key "
                    "for a new request."
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
    """Count on from the newest job of a kind; old jobs are removed, so their number says less."""
    [ordinal] = connection.execute(
        "SELECT MAX(IFNULL(MAX(json_extract(input, '$.ordinal')), 0), COUNT(*)) FROM jobs"
        " WHERE kind = ?",
        (kind,),
    ).fetchone()
    return int(ordinal) + 1


def _keep_lines(
    connection: sqlite3.Connection, number: int, lines: Iterable[Claim | Refusal]
) -> None:
    """Keep the claims of a job; a line that cannot be checked is finished at once."""
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
