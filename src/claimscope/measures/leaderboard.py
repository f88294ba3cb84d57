"""Prediction files in the SciFact leaderboard's format: one JSON line per claim.

`{"id": 3, "evidence": {"14717500": {"label": "SUPPORT", "sentences": [2, 5]}}}`

The leaderboard refuses a file that breaks a rule without saying where; here the error names the
line and what to do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from claimscope._files import numbered_lines
from claimscope.errors import FormatError
from claimscope.labels import Label
from claimscope.measures.measure import PredictedEvidence, Predictions

_SPELLING = {Label.SUPPORTS: "SUPPORT", Label.REFUTES: "CONTRADICT"}
_LABELS = {spelling: label for label, spelling in _SPELLING.items()}


def read_predictions(
    path: Path,
    claim_ids: Sequence[str],
    sentence_counts: Mapping[str, int] | None = None,
) -> Predictions:
    """Read a prediction file for these claims; the number of sentences of documents is optional.

    A sentence listed twice is accepted, since the leaderboard accepts it (and counts it twice).
    """
    reader = _Reader(path, claim_ids, sentence_counts or {})
    predictions: dict[str, Mapping[str, PredictedEvidence]] = {}
    for number, line in numbered_lines(path):
        claim_id, evidence = reader.read(number, line, len(predictions))
        predictions[claim_id] = evidence
    if len(predictions) < len(claim_ids):
        missing = claim_ids[len(predictions)]
        raise FormatError(
            f"{path.name} ends after {len(predictions)} of {len(claim_ids)} claims; add a line for "
            f"claim {missing} and those after it, with an empty evidence if nothing was found."
        )
    return predictions


class _Reader:
    """Reads one line at a time, and knows where it is when something is wrong."""

    def __init__(
        self, path: Path, claim_ids: Sequence[str], sentence_counts: Mapping[str, int]
    ) -> None:
        self._path = path
        self._claim_ids = claim_ids
        self._positions = {claim_id: at for at, claim_id in enumerate(claim_ids)}
        self._sentence_counts = sentence_counts
        self._line = 0

    def read(
        self, number: int, line: str, position: int
    ) -> tuple[str, dict[str, PredictedEvidence]]:
        """Read the line that must hold the claim at this position."""
        self._line = number
        record = self._parse(line)
        claim_id = self._claim_id(record, position)
        evidence = record.get("evidence")
        if not isinstance(evidence, dict):
            self._fail('has no "evidence" object', 'write "evidence": {} if nothing was found')
        return claim_id, {name: self._document(name, each) for name, each in evidence.items()}

    def _parse(self, line: str) -> dict[str, Any]:
        try:
            record = json.loads(line, object_pairs_hook=self._unique)
        except json.JSONDecodeError as error:
            self._fail(
                f"is not JSON ({error.msg} at column {error.colno})",
                "write one complete JSON object on each line",
            )
        if not isinstance(record, dict):
            self._fail("is not a JSON object", 'write {"id": ..., "evidence": {...}} on each line')
        return record

    def _unique(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            self._fail(f"names {twice!r} twice", "give each document and field once")
        return record

    def _claim_id(self, record: Mapping[str, Any], position: int) -> str:
        claim_id = str(record.get("id", ""))
        expected = self._claim_ids[position] if position < len(self._claim_ids) else None
        if claim_id not in self._positions:
            self._fail(
                f"is for claim {claim_id!r}, which the split does not have",
                "check that the predictions are for this split",
            )
        if self._positions[claim_id] < position:
            self._fail(f"gives claim {claim_id} a second time", "keep one line a claim")
        if claim_id != expected:
            self._fail(
                f"is for claim {claim_id} where claim {expected} belongs",
                "give every claim of the split a line, in the order of the split",
            )
        return claim_id

    def _document(self, name: str, record: Any) -> PredictedEvidence:
        if not isinstance(record, dict):
            self._fail(
                f"gives document {name} no object", 'write {"label": ..., "sentences": [...]}'
            )
        spelling = record.get("label")
        if not isinstance(spelling, str) or spelling not in _LABELS:
            self._fail(
                f"labels document {name} {spelling!r}",
                "use SUPPORT or CONTRADICT, and leave out documents that do neither",
            )
        return PredictedEvidence(_LABELS[spelling], self._sentences(name, record.get("sentences")))

    def _sentences(self, name: str, listed: Any) -> tuple[int, ...]:
        if not isinstance(listed, list) or not all(type(index) is int for index in listed):
            self._fail(
                f"gives document {name} no list of sentence numbers",
                'write "sentences": [0, 4] with whole numbers, counted from 0',
            )
        count = self._sentence_counts.get(name)
        for index in listed:
            if index < 0 or (count is not None and index >= count):
                has = "" if count is None else f", which has {count} sentences"
                self._fail(
                    f"selects sentence {index} of document {name}{has}",
                    "count sentences of the abstract from 0",
                )
        return tuple(listed)

    def _fail(self, what: str, remedy: str) -> NoReturn:
        raise FormatError(f"{self._path.name}, line {self._line} {what}; {remedy}.")


def write_predictions(path: Path, predictions: Predictions, claim_ids: Sequence[str]) -> None:
    """Write a prediction file for these claims, in this order; a claim not predicted is empty."""
    with path.open("w", encoding="utf-8") as file:
        for claim_id in claim_ids:
            evidence = {
                name: {"label": _SPELLING[each.label], "sentences": list(each.sentences)}
                for name, each in predictions.get(claim_id, {}).items()
                if each.label in _SPELLING
            }
            record = {"id": _number(claim_id), "evidence": evidence}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _number(claim_id: str) -> int | str:
    """Give an id that is a plain number as one; the leaderboard's ids are numbers."""
    return int(claim_id) if claim_id.isdecimal() and str(int(claim_id)) == claim_id else claim_id
