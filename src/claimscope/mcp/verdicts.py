"""Saved verdicts as resources: a list, and each verdict with its corrections."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from claimscope.case_json import to_dict
from claimscope.errors import ClaimscopeError
from claimscope.service.jobs.database import Database, state_folder
from claimscope.service.jobs.saved import SavedVerdict, Verdicts

LIST = "claimscope://verdicts"
_NEWEST = 50


def add_verdicts(server: MCPServer, library: str, state: str | None) -> None:
    """Register the saved verdicts of a library, which the web service keeps beside it."""

    @server.resource(LIST, title="Saved verdicts", mime_type="application/json")
    def verdicts() -> str:
        """List the newest saved verdicts, one for each claim, newest first."""
        with _opened(library, state) as saved:
            return _json([_row(item) for item in saved.newest_of_claims(None, _NEWEST)])

    @server.resource(LIST + "/{number}", title="A saved verdict", mime_type="application/json")
    def verdict(number: str) -> str:
        """Give a saved verdict whole, with the corrections that people made."""
        with _opened(library, state) as saved:
            found = saved.get(int(number)) if number.isdecimal() and len(number) < 19 else None
        if found is None:
            raise ResourceNotFoundError(f"There is no saved verdict {number[:40]}; read {LIST}.")
        return _json(_row(found) | {"case": to_dict(found.case)})


@contextmanager
def _opened(library: str, state: str | None) -> Iterator[Verdicts]:
    try:
        with closing(Database(state_folder(library, state))) as database:
            yield Verdicts(database)
    except ClaimscopeError as error:
        raise ResourceError(str(error)) from error


def _row(saved: SavedVerdict) -> dict[str, Any]:
    return {
        "uri": f"{LIST}/{saved.number}",
        "claim": saved.claim,
        "verdict": saved.label.verdict if saved.label else None,
        "preset": saved.preset,
        "library_revision": saved.revision,
        "saved_at": saved.saved_at,
        "corrections": [
            {"document": item.document, "label": item.label.value, "note": item.note}
            for item in saved.corrections
        ],
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
