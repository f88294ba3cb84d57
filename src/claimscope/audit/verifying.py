"""Verifies a stored result: looks its quotes up, and checks its claims again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from claimscope import case_json
from claimscope._json_record import JsonRecord
from claimscope.audit.judging import Answers, PaperJudge
from claimscope.audit.writers.json import SCHEMA as AUDIT
from claimscope.audit.writers.json import probabilities
from claimscope.checker import Checker
from claimscope.errors import FormatError, InputError
from claimscope.library.protocol import Library
from claimscope.types import Claim, Document, Provenance

LARGEST = 200_000_000
"""Bytes of a file of results."""


class OpenChecker(Protocol):
    """Opens the checker of a preset."""

    def __call__(self, preset: str, split: bool) -> Checker:
        """Give it, to check compound claims in parts or as a whole."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What was compared, and every difference in one sentence."""

    results: int
    quotes: int
    differences: tuple[str, ...]


def read_results(path: Path) -> list[dict[str, Any]]:
    """Read results: one JSON object, or one on each line."""
    if not path.is_file():
        raise InputError(f"There is no file {path}; check the name.")
    if path.stat().st_size > LARGEST:
        raise FormatError(f"{path} is larger than {LARGEST // 1_000_000} MB; split it.")
    try:
        text = path.read_text("utf-8-sig")
        found = _parse(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is not JSON ({error}); write the result again.") from None
    known = {case_json.SCHEMA, AUDIT}
    for record in found:
        if not isinstance(record, dict) or record.get("schema") not in known:
            raise FormatError(
                f"{path} holds no result of Claimscope; its schema must be one of: "
                f"{', '.join(sorted(known))}."
            )
    return found


def _parse(text: str) -> list[Any]:
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        if not text.strip():
            raise
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def verify(
    records: Sequence[Mapping[str, Any]], library: Library, open_checker: OpenChecker
) -> Verification:
    """Compare results with the library and with what the same checks give now."""
    quotes = 0
    differences: list[str] = []
    for number, record in enumerate(records, start=1):
        where = f"Result {number}: " if len(records) > 1 else ""
        found = list(_quotes(record))
        quotes += len(found)
        differences += [f"{where}{each}" for each in _changed_quotes(found, library)]
        checker = open_checker(_preset(record), "parts" in record)
        differences += [f"{where}{each}" for each in _changed_origin(record, checker.provenance)]
        again = _audit_again if record["schema"] == AUDIT else _check_again
        differences += [f"{where}{each}" for each in again(record, library, checker)]
    return Verification(len(records), quotes, tuple(differences))


@dataclass(frozen=True, slots=True)
class _Quote:
    document: str
    text: str
    start: int
    end: int
    section: int | None = None
    """The section of the full text; None for a quote of the abstract."""

    def is_verbatim(self, document: Document) -> bool:
        """Say whether the document has it at its place."""
        if self.section is None:
            text = document.abstract
        elif 0 <= self.section < len(document.body):
            text = document.body[self.section].text
        else:
            return False
        return text[self.start : self.end] == self.text


def _quotes(record: Mapping[str, Any]) -> Iterator[_Quote]:
    whole = JsonRecord(record, "result")
    if record["schema"] == AUDIT:
        for part in ("citations", "remarks"):
            for item in whole.children(part):
                for quote in item.children("quotes"):
                    yield _quote(quote, quote.get("document", str))
        return
    # The papers of a compound claim are those of its parts.
    parts = list(whole.children("parts")) if "parts" in record else [whole]
    for candidate in (each for part in parts for each in part.children("candidates")):
        document = candidate.get("id", str)
        for quote in candidate.children("rationale"):
            yield _quote(quote, document)
        for quote in candidate.children("quotations"):
            yield _quote(quote, document, quote.get("section", int))


def _quote(item: JsonRecord, document: str, section: int | None = None) -> _Quote:
    text, start, end = item.get("text", str), item.get("start", int), item.get("end", int)
    return _Quote(document, text, start, end, section)


def _changed_quotes(quotes: Sequence[_Quote], library: Library) -> Iterator[str]:
    """Name the quotes that are not verbatim at their place in the library."""
    known = {name: _document(name, library) for name in {quote.document for quote in quotes}}
    for name in dict.fromkeys(quote.document for quote in quotes if not known[quote.document]):
        yield (
            f"The library has no document {name!r}, which is quoted; name the library of the "
            "result with --library."
        )
    for quote in quotes:
        document = known[quote.document]
        if document is not None and not quote.is_verbatim(document):
            place = "abstract" if quote.section is None else "full text"
            yield (
                f"The {place} of {quote.document!r} does not have “{quote.text}” at "
                f"{quote.start}-{quote.end}."
            )


def _document(name: str, library: Library) -> Document | None:
    try:
        return library.get([name])[0]
    except InputError:
        return None


def _preset(record: Mapping[str, Any]) -> str:
    return str(JsonRecord(record, "result").child("provenance").get("preset", str))


def _changed_origin(record: Mapping[str, Any], now: Provenance) -> Iterator[str]:
    """Name what the result depends on and is another one now."""
    then = record["provenance"]
    pairs = (
        ("version", then.get("version"), now.version),
        ("library revision", then.get("library_revision"), now.library_revision),
    )
    for name, was, is_now in pairs:
        if was != is_now:
            yield f"The {name} was {was} and is {is_now}."
    before = {str(stage.get("stage")): stage for stage in then.get("stages", [])}
    after = {str(stage["stage"]): stage for stage in _plain(now.stages)}
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            yield f"The stage {name} has {_difference(before.get(name), after.get(name))}."


def _plain(value: Any) -> Any:
    """Give a value as JSON would read it back."""
    return json.loads(json.dumps(value))


def _difference(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> str:
    if before is None or after is None:
        return "been added" if before is None else "been removed"
    changed = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
    return "; ".join(
        f"{key} {after.get(key)!r} where it had {before.get(key)!r}" for key in sorted(changed)
    )


def _check_again(record: Mapping[str, Any], library: Library, checker: Checker) -> Iterator[str]:
    claim = JsonRecord(record, "result").child("claim")
    [case] = checker.check_many([Claim(claim.get("text", str), claim.get("id", str, ""))])
    now = _plain(case_json.to_dict(case))
    for key in sorted((record.keys() | now.keys()) - {"provenance", "trace"}):
        if record.get(key) != now.get(key):
            yield f"Checked again, “{key}” differs{_verdicts(key, record, now)}."


def _verdicts(key: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    if key != "verdict" or not before.get(key) or not after.get(key):
        return ""
    pairs = [(each[key].get("label"), each[key].get("confidence")) for each in (before, after)]
    (label, sure), (label_now, sure_now) = pairs
    return f": {label} with confidence {sure} was stored, and {label_now} with {sure_now} is found"


def _audit_again(record: Mapping[str, Any], library: Library, checker: Checker) -> Iterator[str]:
    """Ask the judge again about each claim and paper; the manuscript itself is not stored."""
    judged = [item for item in record.get("citations", []) if item.get("probabilities")]
    pairs = []
    for item in judged:
        document = _document(str((item.get("document") or {}).get("id")), library)
        if document is not None:
            pairs.append((item, (str(item.get("claim")), document)))
    found = PaperJudge(checker, Answers(None)).judge([pair for _, pair in pairs])
    for (item, (claim, document)), candidate in zip(pairs, found, strict=True):
        if probabilities(candidate.labels) != item["probabilities"]:
            yield f"Checked again, “{claim}” beside {document.id!r} has other probabilities."
