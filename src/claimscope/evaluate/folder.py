"""The folder of a run: what was run, every case, the gold answers, and files for other tools.

run.json            what was run, and with what
gold.jsonl          the answers it is scored against
cases.jsonl         every case with its trace, one per line
predictions.jsonl   predictions in the SciFact leaderboard's format
run.trec            the ranking, for trec_eval and the like
qrels.trec          the relevant documents
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from claimscope.errors import FormatError, InputError
from claimscope.evaluate.cases import read_cases
from claimscope.evaluate.gold import GoldClaim, read_gold
from claimscope.evaluate.modes import Mode
from claimscope.types import Case

SCHEMA = "claimscope.run/1"


@dataclass(frozen=True)
class RunInfo:
    """What a run depends on, and how much of it there is."""

    dataset: str
    title: str
    """The data set's title, for people."""
    split: str
    mode: Mode
    preset: str
    seed: int | None
    stages: tuple[Mapping[str, Any], ...]
    provides: tuple[str, ...]
    """The parts of a case that the stages fill in."""
    library_revision: str
    documents: int
    """Documents in the library that the claims are checked against."""
    claims: int
    four_labels: bool
    """Whether the data set is scored as the climate task is."""
    versions: Mapping[str, str]
    fingerprint: str
    complete: bool = False

    @property
    def name(self) -> str:
        """A name that distinguishes runs in a table."""
        seed = "" if self.seed is None else f", seed {self.seed}"
        mode = "" if self.mode is Mode.OPEN else f", {self.mode}"
        return f"{self.preset}{mode}{seed}"


@dataclass(frozen=True)
class RunFolder:
    """A run on disk."""

    path: Path

    @property
    def gold_path(self) -> Path:
        """The answers."""
        return self.path / "gold.jsonl"

    @property
    def cases_path(self) -> Path:
        """The cases."""
        return self.path / "cases.jsonl"

    @property
    def exists(self) -> bool:
        """Whether a run was begun here."""
        return (self.path / "run.json").is_file()

    def info(self) -> RunInfo:
        """Read what was run."""
        if not self.exists:
            raise InputError(
                f"There is no run in {self.path}; give the folder that --output wrote."
            )
        try:
            record = json.loads((self.path / "run.json").read_text("utf-8"))
            if record.pop("schema") != SCHEMA:
                raise FormatError(f"{self.path} was written by another version; run it again.")
            record["stages"] = tuple(record["stages"])
            record["provides"] = tuple(record["provides"])
            return RunInfo(**{**record, "mode": Mode(record["mode"])})
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(
                f"{self.path / 'run.json'} cannot be read ({error}); run it again."
            ) from error

    def write_info(self, info: RunInfo) -> None:
        """Write what was run, whole or not at all."""
        fresh = self.path / "run.json.new"
        text = json.dumps({"schema": SCHEMA, **asdict(info)}, ensure_ascii=False, indent=2)
        fresh.write_text(text + "\n", "utf-8")
        fresh.replace(self.path / "run.json")

    def gold(self) -> Iterator[GoldClaim]:
        """Read the answers one claim at a time."""
        return read_gold(self.gold_path)

    def cases(self) -> Iterator[Case]:
        """Iterate over the cases."""
        return read_cases(self.cases_path)

    def pairs(self) -> Iterator[tuple[GoldClaim, Case]]:
        """Give every answer with its case; they stand in the same order."""
        for gold, case in zip(self.gold(), self.cases(), strict=True):
            if gold.id != case.claim.id:
                raise FormatError(
                    f"{self.cases_path} holds claim {case.claim.id} where {gold.id} belongs; "
                    "delete the folder and run it again."
                )
            yield gold, case
