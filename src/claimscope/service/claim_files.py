"""Reads the claims of a job: JSON lines, plain lines, or a CSV table with a column of claims."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

from claimscope.claims.reading import Refusal, read_claim, read_lines
from claimscope.errors import ClaimError, FormatError
from claimscope.types import Claim

LINES = frozenset({"application/x-ndjson", "application/jsonl", "text/plain"})
TABLE = "text/csv"
_COLUMNS = ("claim", "text", "statement", "sentence")
_LONGEST_ID = 200


def read_claims(body: bytes, media_type: str) -> Iterator[Claim | Refusal]:
    """Read every claim of a body; what cannot be checked is a refusal and stops nothing."""
    for item in _read(body, media_type):
        yield item if isinstance(item, Refusal) else Claim(item.text, _plain(item.id))


def read_preset(body: bytes, media_type: str) -> str | None:
    """Give the preset that a JSON body names, if it names one; the other forms have no place."""
    if media_type != "application/json" or b"preset" not in body:
        return None
    value = _load(body)
    preset = value.get("preset") if isinstance(value, dict) else None
    if not isinstance(preset, str | None):
        raise FormatError('What stands under "preset" is no text; give a name, or nothing.')
    return preset


def _plain(name: str) -> str:
    """Give an id that any file can hold: JSON can spell characters that are none."""
    return name[:_LONGEST_ID].encode("utf-8", "replace").decode()


def _read(body: bytes, media_type: str) -> Iterator[Claim | Refusal]:
    if media_type == TABLE:
        return _read_table(body)
    if media_type == "application/json":
        return _read_json(body)
    if media_type in LINES:
        return read_lines(body.splitlines())
    raise FormatError(
        f"Claims come as {', '.join(sorted(LINES))}, {TABLE} or application/json, not as "
        f"{media_type[:80]!r}; set Content-Type."
    )


def _load(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise FormatError('The body is not JSON; send {"claims": ["..."]}.') from None


def _read_json(body: bytes) -> Iterator[Claim | Refusal]:
    value = _load(body)
    claims = value.get("claims") if isinstance(value, dict) else None
    if not isinstance(claims, list):
        raise FormatError('The JSON has no list under "claims"; send {"claims": ["..."]}.')
    return _each((str(number), item) for number, item in enumerate(claims, start=1))


def _each(items: Iterator[tuple[str, object]]) -> Iterator[Claim | Refusal]:
    for line, (name, item) in enumerate(items, start=1):
        text = item.get("claim") if isinstance(item, dict) else item
        given = item.get("id", name) if isinstance(item, dict) else name
        try:
            if not isinstance(text, str):
                raise ClaimError('The entry holds no text under "claim"; add it.')
            yield read_claim(text, str(given))
        except ClaimError as error:
            yield Refusal(line, str(error))


def _read_table(body: bytes) -> Iterator[Claim | Refusal]:
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError("The table is not UTF-8 text; save it as UTF-8.") from None
    try:
        rows = list(csv.DictReader(io.StringIO(text, newline=""), restkey="", strict=True))
    except csv.Error as error:
        raise FormatError(f"The table is not valid CSV ({error}).") from None
    names = {name.strip().lower(): name for name in (rows[0] if rows else {}) if name}
    column = next((names[name] for name in _COLUMNS if name in names), None)
    if column is None:
        raise FormatError('The table has no column "claim", or no rows; add it.')
    identifier = names.get("id")
    return _each(
        ((identifier and row[identifier]) or str(number), row[column] or "")
        for number, row in enumerate(rows, start=1)
    )
