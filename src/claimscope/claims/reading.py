"""Reads claims from people: refuses what cannot be checked, and warns of what may go wrong."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from claimscope._languages import looks_english
from claimscope.errors import ClaimError
from claimscope.types import Claim

LONGEST_CLAIM = 2_000
"""Characters; the longest claim of the field's data sets has fewer than 600."""


def read_claim(text: str, id: str = "") -> Claim:  # noqa: A002 - the record's own field name
    """Make a claim from text; text that cannot be checked raises a `ClaimError` with the reason."""
    if not isinstance(text, str):
        raise ClaimError(
            f"A claim is text, not {type(text).__name__}; write one statement, such as "
            "'Aspirin thins blood'."
        )
    words = " ".join(text.split())
    if not words:
        raise ClaimError("The claim is empty; write one statement, such as 'Aspirin thins blood'.")
    if len(words) > LONGEST_CLAIM:
        raise ClaimError(
            f"The claim has {len(words):,} characters and the limit is {LONGEST_CLAIM:,}; "
            "split the text into single statements and check each."
        )
    for position, character in enumerate(words):
        if unicodedata.category(character) in {"Cc", "Cs"}:
            raise ClaimError(
                f"The claim holds a control character (U+{ord(character):04X}) at position "
                f"{position + 1}; remove it."
            )
    return Claim(words, id)


def cautions(claim: Claim) -> tuple[str, ...]:
    """Warn when a claim is unlikely to be answered well."""
    if not any(character.isalpha() for character in claim.text):
        return ("The claim has no letters, so there is nothing to search for.",)
    if not looks_english(claim.text):
        return (
            "The claim does not look like English; the search and the models read English only, "
            "so do not rely on the verdict. Check an English translation instead.",
        )
    return ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that holds no claim that can be checked, and why."""

    line: int
    reason: str
    id: str = ""
    """The id of the claim, where the line has one."""


def read_lines(lines: Iterable[bytes]) -> Iterator[Claim | Refusal]:
    """Read a claim a line: plain text, or a JSON object with "claim" and maybe "id".

    A plain claim's id is the number of its line; blank lines are passed over.
    """
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            if text:
                yield _read_line(text, str(number))
        except UnicodeDecodeError as error:
            yield Refusal(number, f"The line is not UTF-8 text ({error.reason}); save it as UTF-8.")
        except ClaimError as error:
            yield Refusal(number, str(error))


def _read_line(text: str, number: str) -> Claim:
    if not text.startswith("{"):
        return read_claim(text, number)
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        raise ClaimError(
            "The line starts like JSON but is not; write one object per line."
        ) from None
    claim = record.get("claim")
    if not isinstance(claim, str):
        raise ClaimError('The JSON object has no text under "claim"; add it.')
    return read_claim(claim, str(record.get("id", number)))
