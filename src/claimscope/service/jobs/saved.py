"""Verdicts that people saved, one a claim, preset and state of the library, with corrections."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from claimscope.labels import Label
from claimscope.service.jobs.database import Ledger


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person says one document, or with an empty document the whole claim, should get."""

    document: str
    label: Label
    note: str = ""


@dataclass(frozen=True, slots=True)
class SavedVerdict:
    """A checked claim that is kept."""

    number: int
    claim: str
    preset: str
    revision: str
    label: str | None
    result: dict[str, Any]
    """The case, as `pipeline.result` writes it."""
    corrections: tuple[Correction, ...]
    saved_at: str | None
    """In UTC, ISO 8601; None if it was saved before the time was kept."""
    confirmed: str | None
    """The newest revision at which a later check came to the same, if there was one."""

    def holds_at(self, revision: str) -> bool:
        """Say whether it was checked, or confirmed, on this state of the library."""
        return revision in {self.revision, self.confirmed}


class Verdicts:
    """The saved verdicts of one library."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def save(self, result: dict[str, Any]) -> SavedVerdict:
        """Keep a case; the same claim, preset and library give the same entry."""
        claim, origin = result["claim"]["text"], result["provenance"]
        verdict = result["verdict"]
        place = (claim, origin["preset"], origin["library_revision"])
        with self._ledger.transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO verdicts (claim, preset, revision, label, result, saved_at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (*place, verdict["label"] if verdict else None, json.dumps(result), _now()),
            )
        return self._found("claim = ? AND preset = ? AND revision = ?", *place)[0]

    def get(self, number: int) -> SavedVerdict | None:
        """Give a saved verdict, if it is there."""
        return next(iter(self._found("number = ?", number)), None)

    def latest(self, before: int | None, limit: int) -> list[SavedVerdict]:
        """Give a page of verdicts, the newest first."""
        end = before if before is not None else 1 << 62
        return self._found("number < ? ORDER BY number DESC LIMIT ?", end, limit)

    def confirm(self, number: int, revision: str) -> None:
        """Keep that a check on a later state of the library came to the same."""
        with self._ledger.transaction() as connection:
            connection.execute(
                "UPDATE verdicts SET confirmed = ? WHERE number = ?", (revision, number)
            )

    def claims(self, limit: int) -> list[tuple[str, str]]:
        """List the claims that have a saved verdict, the last saved first, each with its preset."""
        rows = self._ledger.rows(
            "SELECT claim, preset FROM verdicts WHERE number IN"
            " (SELECT MAX(number) FROM verdicts GROUP BY claim) ORDER BY number DESC LIMIT ?",
            limit,
        )
        return [(claim, preset) for claim, preset in rows]

    def current_at(self, revision: str) -> set[tuple[str, str]]:
        """Give the claims and presets whose newest verdict was checked or confirmed there."""
        rows = self._ledger.rows(
            "SELECT claim, preset FROM verdicts WHERE ? IN (revision, confirmed) AND number IN"
            " (SELECT MAX(number) FROM verdicts GROUP BY claim, preset)",
            revision,
        )
        return {(claim, preset) for claim, preset in rows}

    def newest_of_claims(self, before: int | None, limit: int) -> list[SavedVerdict]:
        """Give a page with the newest verdict of every claim, the newest first."""
        return self._found(
            "number IN (SELECT MAX(number) FROM verdicts GROUP BY claim) AND number < ?"
            " ORDER BY number DESC LIMIT ?",
            before if before is not None else 1 << 62,
            limit,
        )

    def history(self, claim: str) -> list[SavedVerdict]:
        """Give every verdict on one claim, the oldest first."""
        return self._found("claim = ? ORDER BY number", claim)

    def corrected(self, after: int, limit: int) -> list[SavedVerdict]:
        """Give a page of the verdicts that people confirmed or corrected, the oldest first."""
        return self._found(
            "number > ? AND number IN (SELECT verdict FROM corrections) ORDER BY number LIMIT ?",
            after,
            limit,
        )

    def correct(self, number: int, correction: Correction) -> None:
        """Keep a person's label in place of the one they gave before."""
        with self._ledger.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO corrections VALUES (?, ?, ?, ?)",
                (number, correction.document, correction.label.value, correction.note),
            )

    def remove(self, number: int) -> bool:
        """Forget a verdict with its corrections and say whether it was there."""
        with self._ledger.transaction() as connection:
            connection.execute("DELETE FROM corrections WHERE verdict = ?", (number,))
            gone = connection.execute("DELETE FROM verdicts WHERE number = ?", (number,))
            return gone.rowcount > 0

    def _found(self, condition: str, *values: Any) -> list[SavedVerdict]:
        rows = self._ledger.rows(
            "SELECT number, claim, preset, revision, label, result, saved_at, confirmed"
            f" FROM verdicts WHERE {condition}",
            *values,
        )
        return [
            SavedVerdict(
                number,
                claim,
                preset,
                revision,
                label,
                json.loads(text),
                self._corrections(number),
                saved_at,
                confirmed,
            )
            for number, claim, preset, revision, label, text, saved_at, confirmed in rows
        ]

    def _corrections(self, number: int) -> tuple[Correction, ...]:
        rows = self._ledger.rows(
            "SELECT document, label, note FROM corrections WHERE verdict = ? ORDER BY document",
            number,
        )
        return tuple(Correction(document, Label(label), note) for document, label, note in rows)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
