"""Reads the claims that clients send: a list or table of claims, or a text that contains claims."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from claimscope.claims import Sentence, find_claims
from claimscope.claims.reading import Refusal, read_claim, read_lines
from claimscope.claims.tables import read_entries, read_table
from claimscope.errors import ClaimError, FormatError, InputError
from claimscope.types import Claim

LONGEST_TEXT = 20_000
LINES = frozenset({"application/x-ndjson", "application/jsonl", "text/plain"})
TABLE = "text/csv"
_LONGEST_ID = 200
_MOST_LINES = 200_000
"""Lines of a body, blank ones included; the largest job has 10,000 claims."""


def read_claims(body: bytes, media_type: str) -> Iterator[Claim | Refusal]:
    """Read the claims of a request body; a line that cannot be checked becomes a refusal."""
    for item in _read(body, media_type):
        yield item if isinstance(item, Refusal) else Claim(item.text, _plain(item.id))


def read_preset(body: bytes, media_type: str) -> str | None:
    """Return the preset that a JSON body names, if any; other formats cannot name one."""
    if media_type != "application/json" or b"preset" not in body:
        return None
    value = _load(body)
    preset = value.get("preset") if isinstance(value, dict) else None
    if not isinstance(preset, str | None):
        raise FormatError('"preset" is not a string; give the name of a preset, or leave it out.')
    return preset


def _plain(name: str) -> str:
    """Return an id as valid UTF-8; JSON can contain lone surrogates."""
    return name[:_LONGEST_ID].encode("utf-8", "replace").decode()


def _read(body: bytes, media_type: str) -> Iterator[Claim | Refusal]:
    if media_type in {TABLE, *LINES} and body.count(b"\n") + body.count(b"\r") > 2 * _MOST_LINES:
        raise FormatError(f"The body has more than {_MOST_LINES:,} lines; send fewer at a time.")
    if media_type == TABLE:
        return _read_table(body)
    if media_type == "application/json":
        return _read_json(body)
    if media_type in LINES:
        return read_lines(body.splitlines())
    raise FormatError(
        f"The Content-Type {media_type[:80]!r} is not supported; send claims as "
        f"{', '.join(sorted(LINES))}, {TABLE} or application/json."
    )


def _load(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise FormatError('The body is not valid JSON; send {"claims": ["..."]}.') from None


def _read_json(body: bytes) -> Iterator[Claim | Refusal]:
    value = _load(body)
    claims = value.get("claims") if isinstance(value, dict) else None
    if not isinstance(claims, list):
        raise FormatError('The body has no list "claims"; send {"claims": ["..."]}.')
    return read_entries(_entry(item, str(number)) for number, item in enumerate(claims, start=1))


def _entry(item: object, name: str) -> tuple[str, object]:
    if not isinstance(item, dict):
        return name, item
    return str(item.get("id", name)), item.get("claim")


def _read_table(body: bytes) -> Iterator[Claim | Refusal]:
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError("The table is not UTF-8 text; save it as UTF-8.") from None
    return read_table(io.StringIO(text, newline=""))


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text with its sentences and claims."""

    text: str
    sentences: tuple[Sentence, ...]
    claims: Mapping[int, Claim]
    """The claims to check, by the index of their sentence, which is also the claim's id."""

    def to_dict(self) -> dict[str, Any]:
        """Return the sentences as JSON values."""
        return {
            "sentences": [
                {
                    "start": sentence.start,
                    "end": sentence.end,
                    "text": sentence.text,
                    "is_claim": sentence.is_claim,
                    "is_checked": place in self.claims,
                    "reason": sentence.reason,
                }
                for place, sentence in enumerate(self.sentences)
            ]
        }


def read_text(text: str, most: int) -> ReadText:
    """Find the claims of a text and select the first `most` for checking."""
    if not text.strip():
        raise InputError(f"The text is empty; send up to {LONGEST_TEXT:,} characters.")
    if len(text) > LONGEST_TEXT:
        raise InputError(
            f"The text has {len(text):,} characters; send at most {LONGEST_TEXT:,} at a time."
        )
    sentences = find_claims(text)
    return ReadText(text, tuple(sentences), _checkable(sentences, most))


def _checkable(sentences: Sequence[Sentence], most: int) -> dict[int, Claim]:
    found: dict[int, Claim] = {}
    for place, sentence in enumerate(sentences):
        if sentence.is_claim and len(found) < most:
            try:
                found[place] = read_claim(sentence.text, str(place))
            except ClaimError:
                # For example, invalid characters; the page shows the sentence as not checked.
                continue
    return found
