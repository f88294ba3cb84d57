"""Composes the pipelines of SciFCheX's tables 6.4 to 6.7 from combinations.toml.

    python benchmarks/combinations.py [--list]

Every abstract retrieval, selector and label model of the tables is a line of that file. The pairs
whose models are on this machine are evaluated on SciFact dev; `--list` prints their commands.
"""

from __future__ import annotations

import argparse
import re
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from claimscope.errors import ClaimscopeError
from claimscope.evaluate.variants import with_parameter
from claimscope.pipeline import preset as presets
from claimscope.pipeline.preset import Preset, needs

HERE = Path(__file__).parent
TABLES = ("6.4", "6.5", "6.6", "6.7")
MEAN = "SciFact-mean"
OF_MEAN = ("abstract-label-only", "abstract-rationalized", "sentence-selection", "sentence-label")
"""The measures whose mean tables 6.5 and 6.7 print."""
_SETTING = re.compile(
    r"(?:(?P<retrieval>.+), )?selector (?P<selector>[^,]+), label (?P<label>[^,]+), "
    r"(?:gold abstracts, )?dev"
)
_SELECT, _JUDGE = "select.relevance", "judge.rationale"


@dataclass(frozen=True)
class Combination:
    """One line of the tables: a preset with a selector and a label model put in."""

    base: str
    selector: str
    label: str

    @property
    def preset(self) -> Preset:
        """The pipeline; its name says what it is made of."""
        made = with_parameter(presets.load(self.base), _SELECT, "model", self.selector)
        made = with_parameter(made, _JUDGE, "model", self.label)
        return replace(made, name=f"{self.base}+{self.selector}+{self.label}")

    def command(self, mode: str) -> str:
        """Give the command that does the same."""
        words = ["claimscope", "evaluate", "-d", "scifact", "--split", "dev", "-p", self.base]
        words += ["--mode", mode, "--sweep", f"{_SELECT}.model={self.selector}"]
        return shlex.join([*words, "--sweep", f"{_JUDGE}.model={self.label}"])


def combination(row: Mapping[str, Any]) -> Combination | None:
    """Read which models a row of SciFCheX's tables speaks of; None for rows of other tables."""
    if row["paper"] != "scifchex" or row["table"] not in TABLES:
        return None
    table = tomllib.loads((HERE / "combinations.toml").read_text("utf-8"))
    found = _SETTING.fullmatch(row["setting"])
    if found is None:
        raise SystemExit(f"{row['setting']!r} names no selector and label; mend conditions.toml.")
    selector, label = found["selector"], found["label"]
    pair = f"{selector} with {label}"
    return Combination(
        table["retrieval"][found["retrieval"] or "gold abstracts"],
        table["selector"].get(pair, table["selector"][selector]),
        table["label"][label],
    )


def main() -> None:
    """Evaluate every combination whose models are here, and name what the others lack."""
    from run import measure

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="print the commands")
    listed = parser.parse_args().list
    rows = tomllib.loads((HERE / "conditions.toml").read_text("utf-8"))["rows"]
    seen = set()
    for row in rows:
        made = combination(row)
        if made is None or row["table"] in ("6.5", "6.7"):
            continue
        lacking = [need.model for need in needs(made.preset) if not need.present]
        if listed or lacking:
            line = made.command(row["mode"]) if listed else f"{made}: lacks {', '.join(lacking)}"
            if line not in seen:
                print(line)
            seen.add(line)
            continue
        try:
            found = measure(row, with_models=True)
        except ClaimscopeError as error:
            raise SystemExit(str(error)) from error
        print(f"{row['table']} {row['setting']}, {row['measure']}: {row['value']}, {found.value}")


if __name__ == "__main__":
    main()
