"""The results of several claims, as a list that a table can be made of."""

from __future__ import annotations

import json
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from claimscope._wording import counted
from claimscope.errors import InputError
from claimscope.types import Case

COLUMNS = ("claim", "verdict", "confidence", "supporting", "refuting", "why")


class CaseList(list[Case]):
    """Cases in the order of their claims."""

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'case')}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in COLUMNS)
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(str(value))}</td>' for value in row.values())}</tr>"
            for row in self.rows()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def to_json(self, indent: int | None = None) -> str:
        """Write all cases as one JSON list, each as docs/reference/json.md describes it."""
        return json.dumps([case.to_dict() for case in self], ensure_ascii=False, indent=indent)

    def rows(self) -> list[dict[str, Any]]:
        """Give a row of plain values for every case."""
        return [_row(case) for case in self]

    def to_frame(self, engine: str | None = None) -> Any:
        """Give a data frame of pandas or polars: the one named, or the one that is installed."""
        engines = (engine,) if engine else ("pandas", "polars")
        if engine not in (None, "pandas", "polars"):
            raise InputError(f"There is no engine {engine!r} for tables; use pandas or polars.")
        for name in engines:
            if find_spec(name):
                return import_module(name).DataFrame(self.rows())
        raise InputError(f"A table needs {' or '.join(engines)}: pip install {engines[0]}.")


def _row(case: Case) -> dict[str, Any]:
    verdict = case.verdict
    values = (
        case.claim.text,
        verdict.label.verdict if verdict else None,
        verdict.confidence if verdict else None,
        len(verdict.supporting) if verdict else 0,
        len(verdict.refuting) if verdict else 0,
        verdict.rule.statement if verdict else "",
    )
    return dict(zip(COLUMNS, values, strict=True))
