"""The numbered steps that bring a store's tables to the form this version uses."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from claimscope._wording import update_advice
from claimscope.errors import LibraryDamagedError, LibraryTooNewError

APPLICATION_ID = 0x436C5363
"""Marks a SQLite file as a Claimscope library: "ClSc" in ASCII."""

# Step n takes user_version from n - 1 to n. A step that was released is never edited.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        # `sequence` numbers every change of the library. A new version of a document is a new
        # row, so a sequence names one text for ever: an index entry is either right or unknown.
        """CREATE TABLE documents (
            sequence INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            title TEXT NOT NULL,
            abstract TEXT NOT NULL,
            spans TEXT NOT NULL,
            meta TEXT NOT NULL,
            source TEXT,
            content_hash BLOB NOT NULL,
            doi TEXT,
            pmid TEXT,
            title_key INTEGER
        )""",
        "CREATE INDEX documents_doi ON documents (doi) WHERE doi IS NOT NULL",
        "CREATE INDEX documents_pmid ON documents (pmid) WHERE pmid IS NOT NULL",
        "CREATE INDEX documents_title ON documents (title_key) WHERE title_key IS NOT NULL",
        # Versions that are gone, and the change that ended them, for an index that lags behind.
        """CREATE TABLE retired (
            sequence INTEGER PRIMARY KEY,
            ended_by INTEGER NOT NULL,
            id TEXT NOT NULL
        )""",
        "CREATE INDEX retired_ended_by ON retired (ended_by)",
        # Records as they came, of documents that were merged from several; `kept_id` names the
        # document they make up, which is itself one of them.
        """CREATE TABLE originals (
            id TEXT PRIMARY KEY,
            kept_id TEXT NOT NULL,
            reason TEXT,
            title TEXT NOT NULL,
            abstract TEXT NOT NULL,
            spans TEXT NOT NULL,
            meta TEXT NOT NULL,
            source TEXT,
            content_hash BLOB NOT NULL
        )""",
        "CREATE INDEX originals_kept ON originals (kept_id)",
        "CREATE TABLE state (sequence INTEGER NOT NULL, revision TEXT NOT NULL)",
        "INSERT INTO state VALUES (0, '00000000000000000000000000000000')",
        f"PRAGMA application_id = {APPLICATION_ID}",
    ),
    (
        # Work a service has accepted. `number` gives the order in which it was; `input` holds
        # what an import needs to begin again, `result` what it made.
        """CREATE TABLE jobs (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            state TEXT NOT NULL,
            total INTEGER NOT NULL,
            input TEXT NOT NULL,
            progress INTEGER NOT NULL DEFAULT 0,
            result TEXT,
            error TEXT
        )""",
        "CREATE INDEX jobs_open ON jobs (number) WHERE state IN ('queued', 'running')",
        """CREATE TABLE job_claims (
            job INTEGER NOT NULL,
            line INTEGER NOT NULL,
            id TEXT NOT NULL,
            claim TEXT NOT NULL,
            PRIMARY KEY (job, line)
        ) WITHOUT ROWID""",
        # The unique pair is what finishes a claim of a job once and never twice.
        """CREATE TABLE job_results (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            job INTEGER NOT NULL,
            line INTEGER NOT NULL,
            result TEXT,
            error TEXT,
            UNIQUE (job, line)
        )""",
        # A key given twice names the job that it made the first time.
        """CREATE TABLE idempotency_keys (
            key TEXT PRIMARY KEY,
            fingerprint BLOB NOT NULL,
            job INTEGER NOT NULL
        ) WITHOUT ROWID""",
        """CREATE TABLE verdicts (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            claim TEXT NOT NULL,
            preset TEXT NOT NULL,
            revision TEXT NOT NULL,
            label TEXT,
            result TEXT NOT NULL,
            UNIQUE (claim, preset, revision)
        )""",
        """CREATE TABLE corrections (
            verdict INTEGER NOT NULL REFERENCES verdicts (number),
            document TEXT NOT NULL,
            label TEXT NOT NULL,
            note TEXT NOT NULL,
            PRIMARY KEY (verdict, document)
        ) WITHOUT ROWID""",
        """CREATE TABLE tokens (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            scope TEXT NOT NULL,
            salt BLOB NOT NULL,
            hash BLOB NOT NULL
        ) WITHOUT ROWID""",
    ),
    (
        # When a verdict was saved, in UTC, and the newest state of the library at which a later
        # check rested on the same evidence and said the same.
        "ALTER TABLE verdicts ADD COLUMN saved_at TEXT",
        "ALTER TABLE verdicts ADD COLUMN confirmed TEXT",
        "CREATE INDEX verdicts_claim ON verdicts (claim, number)",
    ),
    (
        # When a job ended and a key was given, in seconds since 1970, so that old ones can go;
        # what was there before counts from today.
        "ALTER TABLE jobs ADD COLUMN ended_at INTEGER",
        """UPDATE jobs SET ended_at = CAST(strftime('%s', 'now') AS INTEGER)
            WHERE state NOT IN ('queued', 'running')""",
        "ALTER TABLE idempotency_keys ADD COLUMN made_at INTEGER NOT NULL DEFAULT 0",
        "UPDATE idempotency_keys SET made_at = CAST(strftime('%s', 'now') AS INTEGER)",
        # Old jobs are found, and the key of one removed, without reading every other.
        "CREATE INDEX jobs_ended ON jobs (ended_at)",
        "CREATE INDEX idempotency_keys_job ON idempotency_keys (job)",
    ),
    (
        # What was there before the last change, for `undo`; a row without content stands for what
        # was not there.
        "CREATE TABLE last_change (kind TEXT NOT NULL, at TEXT NOT NULL)",
        """CREATE TABLE former_documents (
            id TEXT PRIMARY KEY,
            title TEXT,
            abstract TEXT,
            spans TEXT,
            meta TEXT,
            source TEXT,
            content_hash BLOB
        )""",
        """CREATE TABLE former_originals (
            id TEXT PRIMARY KEY,
            kept_id TEXT,
            reason TEXT,
            title TEXT,
            abstract TEXT,
            spans TEXT,
            meta TEXT,
            source TEXT,
            content_hash BLOB
        )""",
    ),
    (
        # By this id the library knows the search index that was made for it.
        "CREATE TABLE library (id TEXT NOT NULL)",
        "INSERT INTO library VALUES (lower(hex(randomblob(16))))",
    ),
    (
        # Full texts, by the fingerprint of the record they belong to. A fingerprint names one text
        # for ever, so records that an undo may bring back need no copy; `compact` clears the rest.
        """CREATE TABLE full_texts (
            content_hash BLOB PRIMARY KEY,
            body TEXT NOT NULL
        ) WITHOUT ROWID""",
        # The passages of the documents that are there; `passages.py` says what its rows are.
        """CREATE VIRTUAL TABLE passages USING fts5 (
            text, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
        )""",
    ),
)


def is_current(connection: sqlite3.Connection, folder: Path) -> bool:
    """Say whether the tables have this version's form; newer and foreign files are refused."""
    version = _pragma(connection, "user_version")
    if version > len(MIGRATIONS):
        raise LibraryTooNewError(
            f"The library {folder} was written by a newer Claimscope (library version {version}; "
            f"this one knows {len(MIGRATIONS)}); {update_advice()}."
        )
    if not _is_ours(connection, version):
        raise LibraryDamagedError(
            f"The store in {folder} is a SQLite file of another program; choose another folder."
        )
    return version == len(MIGRATIONS)


def migrate(connection: sqlite3.Connection) -> None:
    """Run the steps that are missing, each as one transaction."""
    for number in range(_pragma(connection, "user_version"), len(MIGRATIONS)):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in MIGRATIONS[number]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


def _is_ours(connection: sqlite3.Connection, version: int) -> bool:
    """Tell a library, or the empty file it begins as, from other programs' files."""
    if version:
        return _pragma(connection, "application_id") == APPLICATION_ID
    return connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is None


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
