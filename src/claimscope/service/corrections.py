"""Turns what people confirmed or corrected into claims of SciFact's format, to train on."""

from __future__ import annotations

from typing import Any

from claimscope.labels import Label
from claimscope.service.jobs.saved import SavedVerdict

_SPELLINGS = {Label.SUPPORTS: "SUPPORT", Label.REFUTES: "CONTRADICT"}


def to_scifact(saved: SavedVerdict) -> dict[str, Any]:
    """Give a corrected verdict as a SciFact claim.

    A document that says too little is cited and has no evidence, as in SciFact. A person labels
    documents and not sentences, so the rationale is the one the pipeline chose. A correction of
    the whole claim names no document and is no evidence; it is left out.
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
