"""What a store holds of the documents that are about to come, asked for many at a time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from claimscope.library.identity import Identities

_COLUMNS = ("doi", "pmid", "title_key")


class Known:
    """Ids and identities that were looked up together; they hold until the transaction ends."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.forget()

    def forget(self) -> None:
        """Know nothing."""
        self.ids: dict[str, bytes | None] = {}
        """The fingerprint of the document with an id, or None if there is no such document."""
        self.originals: set[str] = set()
        """Those of the ids that are records of merged documents."""
        self._looked_up: set[tuple[str, object]] = set()
        self._present: set[tuple[str, object]] = set()

    def load(self, ids: Sequence[str]) -> None:
        """Look up ids."""
        wanted = json.dumps(ids)
        among = "WHERE id IN (SELECT value FROM json_each(?))"
        self.ids = dict.fromkeys(ids)
        self.ids.update(
            self._connection.execute(f"SELECT id, content_hash FROM documents {among}", (wanted,))
        )
        rows = self._connection.execute(f"SELECT id FROM originals {among}", (wanted,))
        self.originals = {name for (name,) in rows}

    def load_identities(self, identities: Iterable[Identities]) -> None:
        """Look up which identities any document has."""
        self._looked_up = {pair for each in identities for pair in _pairs(each)}
        self._present = set()
        for column in _COLUMNS:
            values = [value for name, value in self._looked_up if name == column]
            rows = self._connection.execute(
                "SELECT value FROM json_each(?) WHERE EXISTS"
                f" (SELECT 1 FROM documents WHERE {column} = value)",
                (json.dumps(values),),
            )
            self._present.update((column, value) for (value,) in rows)

    def lacks(self, identities: Identities) -> bool:
        """Say whether it is sure that no document has one of these identities."""
        pairs = _pairs(identities)
        return pairs <= self._looked_up and pairs.isdisjoint(self._present)

    def note(
        self, document_id: str, content_hash: bytes | None, identities: Identities | None = None
    ) -> None:
        """Keep up with a document that was written, or removed."""
        if document_id in self.ids:
            self.ids[document_id] = content_hash
        if identities is not None:
            self._present |= _pairs(identities)


def _pairs(identities: Identities) -> set[tuple[str, object]]:
    values = (identities.doi, identities.pmid, identities.title_key)
    return {
        (column, value) for column, value in zip(_COLUMNS, values, strict=True) if value is not None
    }
