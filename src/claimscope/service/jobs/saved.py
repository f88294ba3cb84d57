"""Saved verdicts, one per claim, preset and library revision, with people's corrections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from claimscope.case_json import from_json, to_json
from claimscope.errors import InputError
from claimscope.labels import Label
from claimscope.service.jobs.database import Database
from claimscope.types import Case, Provenance


@dataclass(frozen=True, slots=True)
class Correction:
    """A person's label for one document or, if `document` is empty, for the whole claim."""

    document: str
    label: Label
    note: str = ""


@dataclass(frozen=True, slots=True)
class SavedVerdict:
    """A checked claim that was saved."""

    number: int
    claim: str
    preset: str
    revision: str
    case: Case
    corrections: tuple[Correction, ...]
    saved_at: str | None
    """In UTC, ISO 8601; None for verdicts saved by versions that did not store the time."""
    confirmed: str | None
    """The newest revision at which a later check gave the same result, if there is one."""

    @property
    def label(self) -> Label | None:
        """The label of the verdict, if the pipeline gave one."""
        return label_of(self.case)

    def holds_at(self, revision: str) -> bool:
        """Return whether it was checked or confirmed at this revision of the library."""
        return revision in {self.revision, self.confirmed}


class Verdicts:
    """The saved verdicts of one library."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, case: Case) -> SavedVerdict:
        """Save a case; the same claim, preset and library revision give the same entry."""
        origin, label = origin_of(case), label_of(case)
        place = (case.claim.text, origin.preset, origin.library_revision)
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO verdicts (claim, preset, revision, label, result, saved_at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (*place, label.verdict if label else None, to_json(case), _now()),
            )
        return self._found("claim = ? AND preset = ? AND revision = ?", *place)[0]

    def get(self, number: int) -> SavedVerdict | None:
        """Return a saved verdict, or None if there is none with this number."""
        return next(iter(self._found("number = ?", number)), None)

    def latest(self, before: int | None, limit: int) -> list[SavedVerdict]:
        """Return a page of verdicts, newest first."""
        end = before if before is not None else 1 << 62
        return self._found("number < ? ORDER BY number DESC LIMIT ?", end, limit)

    def confirm(self, number: int, revision: str) -> None:
        """Record that a check at a later revision gave the same result."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE verdicts SET confirmed = ? WHERE number = ?", (revision, number)
            )

    def claims(self, limit: int) -> list[tuple[str, str]]:
        """Return the saved claims with the preset of their newest verdict, newest first."""
        rows = self._database.rows(
            "SELECT claim, preset FROM verdicts WHERE number IN"
            " (SELECT MAX(number) FROM verdicts GROUP BY claim) ORDER BY number DESC LIMIT ?",
            limit,
        )
        return [(claim, preset) for claim, preset in rows]

    def current_at(self, revision: str) -> set[tuple[str, str]]:
        """Return the claims and presets whose newest verdict holds at a revision."""
        rows = self._database.rows(
            "SELECT claim, preset FROM verdicts WHERE ? IN (revision, confirmed) AND number IN"
            " (SELECT MAX(number) FROM verdicts GROUP BY claim, preset)",
            revision,
        )
        return {(claim, preset) for claim, preset in rows}

    def newest_of_claims(self, before: int | None, limit: int) -> list[SavedVerdict]:
        """Return a page with the newest verdict of each claim, newest first."""
        return self._found(
            "number IN (SELECT MAX(number) FROM verdicts GROUP BY claim) AND number < ?"
            " ORDER BY number DESC LIMIT ?",
            before if before is not None else 1 << 62,
            limit,
        )

    def history(self, claim: str) -> list[SavedVerdict]:
        """Return every verdict on one claim, oldest first."""
        return self._found("claim = ? ORDER BY number", claim)

    def corrected(self, after: int, limit: int) -> list[SavedVerdict]:
        """Return a page of the verdicts that people confirmed or corrected, oldest first."""
        return self._found(
            "number > ? AND number IN (SELECT verdict FROM corrections) ORDER BY number LIMIT ?",
            after,
            limit,
        )

    def correct(self, number: int, correction: Correction) -> None:
        """Store a person's label; it replaces an earlier one for the same document."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO corrections VALUES (?, ?, ?, ?)",
                (number, correction.document, correction.label.value, correction.note),
            )

    def remove(self, number: int) -> bool:
        """Delete a verdict with its corrections; return whether it existed."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM corrections WHERE verdict = ?", (number,))
            gone = connection.execute("DELETE FROM verdicts WHERE number = ?", (number,))
            return gone.rowcount > 0

    def _found(self, condition: str, *values: Any) -> list[SavedVerdict]:
        rows = self._database.rows(
            "SELECT number, claim, preset, revision, result, saved_at, confirmed"
            f" FROM verdicts WHERE {condition}",
            *values,
        )
        return [
            SavedVerdict(
                number,
                claim,
                preset,
                revision,
                from_json(text),
                self._corrections(number),
                saved_at,
                confirmed,
            )
            for number, claim, preset, revision, text, saved_at, confirmed in rows
        ]

    def _corrections(self, number: int) -> tuple[Correction, ...]:
        rows = self._database.rows(
            "SELECT document, label, note FROM corrections WHERE verdict = ? ORDER BY document",
            number,
        )
        return tuple(Correction(document, Label(label), note) for document, label, note in rows)


def label_of(case: Case) -> Label | None:
    """Return the label of a case's verdict, if there is one."""
    return case.verdict.label if case.verdict else None


def origin_of(case: Case) -> Provenance:
    """Return the provenance of a case; a case without it cannot be saved."""
    if case.provenance is None:
        raise InputError("A case without provenance cannot be saved; check the claim again.")
    return case.provenance


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
