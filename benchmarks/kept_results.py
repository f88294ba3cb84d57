"""What was measured for the published figures, kept with its date in results.json."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("results.json")


@dataclass(frozen=True)
class Measured:
    """What we measure for a row, or why we cannot."""

    value: float | None
    command: str
    remark: str = ""
    date: str = ""


@dataclass(frozen=True)
class StandIn:
    """A figure of a paper beside that of a smaller system trained here."""

    row: dict[str, Any]
    value: float
    command: str
    remark: str
    date: str = ""


def key_of(row: Mapping[str, Any]) -> str:
    """Give the words that identify a figure."""
    return " | ".join(str(row[name]) for name in ("paper", "table", "setting", "measure"))


@dataclass(frozen=True)
class Results:
    """All that is known, by figure; a stand-in also by the words that say what it is."""

    measured: dict[str, Measured]
    trained: dict[str, Measured]

    def stand_ins(self, rows: Iterable[dict[str, Any]]) -> list[StandIn]:
        """Give the stand-ins of rows, in the order of the rows."""
        by_row: dict[str, list[Measured]] = {}
        for key, found in self.trained.items():
            by_row.setdefault(key.rpartition(" | ")[0], []).append(found)
        return [
            StandIn(row, found.value, found.command, found.remark, found.date)
            for row in rows
            for found in by_row.get(key_of(row), ())
            if found.value is not None
        ]


def load() -> Results:
    """Read what was kept."""
    if not FILE.is_file():
        return Results({}, {})
    record = json.loads(FILE.read_text("utf-8"))
    return Results(
        *({key: Measured(**each) for key, each in record[part].items()} for part in record)
    )


def save(results: Results) -> None:
    """Write what is known."""
    record = {
        name: {key: asdict(each) for key, each in sorted(part.items())}
        for name, part in (("measured", results.measured), ("trained", results.trained))
    }
    FILE.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
