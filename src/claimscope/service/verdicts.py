"""Saved verdicts: look them up, correct them, and export the corrections as training data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from claimscope.labels import Label
from claimscope.service.jobs.saved import Correction, SavedVerdict
from claimscope.service.problems import ServiceError
from claimscope.service.state import Service

_PAGE = 100
_SPELLINGS = {Label.SUPPORTS: "SUPPORT", Label.REFUTES: "CONTRADICT"}


def require_verdict(service: Service, number: int) -> SavedVerdict:
    """Return a saved verdict, or answer 404."""
    saved = service.verdicts.get(number)
    if saved is None:
        raise _unknown(number)
    return saved


def remove_verdict(service: Service, number: int) -> None:
    """Delete a saved verdict with its corrections, or answer 404."""
    if not service.verdicts.remove(number):
        raise _unknown(number)


def save_correction(service: Service, number: int, correction: Correction) -> SavedVerdict:
    """Store a person's label for a saved verdict, after checking that it applies to it."""
    saved = require_verdict(service, number)
    known = {candidate.document.id for candidate in saved.case.candidates}
    if correction.document and correction.document not in known:
        unknown = correction.document[:200]
        raise ServiceError(
            422, f"Document {unknown!r} is not a candidate of this verdict; name one that is."
        )
    if correction.document and correction.label is Label.DISPUTED:
        raise ServiceError(
            422, "Only a whole claim can be DISPUTED; choose another label for the document."
        )
    service.verdicts.correct(number, correction)
    return require_verdict(service, number)


def correction_lines(service: Service) -> Iterator[str]:
    """Yield every corrected verdict as a line of JSON."""
    after = 0
    while found := service.verdicts.corrected(after, _PAGE):
        yield from (json.dumps(to_scifact(saved)) + "\n" for saved in found)
        after = found[-1].number


def to_scifact(saved: SavedVerdict) -> dict[str, Any]:
    """Return a corrected verdict as a claim in SciFact's format.

    As in SciFact, a document with not enough information is cited but has no evidence. People
    label documents, not sentences, so the rationale is the one that the pipeline selected.
    Corrections of the whole claim name no document and are left out.
    """
    chosen = {
        candidate.document.id: sorted(sentence.index for sentence in candidate.rationale)
        for candidate in saved.case.candidates
    }
    about = [item for item in saved.corrections if item.document]
    return {
        "id": saved.number,
        "claim": saved.claim,
        "evidence": {
            item.document: [{"sentences": chosen[item.document], "label": _SPELLINGS[item.label]}]
            for item in about
            if item.label in _SPELLINGS
        },
        "cited_doc_ids": [item.document for item in about],
    }


def _unknown(number: int) -> ServiceError:
    return ServiceError(
        404, f"There is no saved verdict {number}; GET /api/v1/verdicts lists all of them."
    )
