"""An audit as SARIF 2.1.0, which editors and continuous integration read."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from claimscope._version import __version__
from claimscope.audit.judging import key_of
from claimscope.audit.report import (
    LEVELS,
    REMARK_LEVELS,
    Audit,
    Checked,
    Level,
    Outcome,
    Remark,
    RemarkKind,
)

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_RULES: dict[Outcome | RemarkKind, str] = {
    Outcome.SUPPORTS: "The cited paper supports the sentence.",
    Outcome.CONTRADICTS: "The cited paper contradicts the sentence.",
    Outcome.SILENT: "The cited abstract does not speak to the sentence.",
    Outcome.LEANS_SUPPORTS: "The cited paper supports the sentence weakly.",
    Outcome.LEANS_CONTRADICTS: "The cited paper contradicts the sentence weakly.",
    Outcome.RETRACTED: "The cited paper was retracted.",
    Outcome.NO_ENTRY: "The citation has no entry in the references.",
    Outcome.AMBIGUOUS: "The citation leads to several papers, or to another title.",
    Outcome.NOT_IN_LIBRARY: "The library does not hold the cited paper.",
    Outcome.NO_ABSTRACT: "The library has no abstract of the cited paper.",
    Outcome.OTHER_LANGUAGE: "The sentence or the abstract is not in English.",
    Outcome.NOT_A_CLAIM: "The sentence states nothing that a paper could support.",
    RemarkKind.UNCITED: "The sentence cites nothing, and the library speaks to it.",
    RemarkKind.QUOTATION: "The quoted words are not in the abstract.",
    RemarkKind.NUMBERS: "The sentence has numbers that the quoted sentences lack.",
    RemarkKind.WORDING: "The sentence is worded more strongly than the abstract.",
    RemarkKind.STATUS: "The paper was corrected, or there is concern about it.",
}


def to_sarif(audit: Audit) -> str:
    """Write a log with one run; what is in order is left out."""
    found = [item for item in audit.findings if item.level is not Level.NONE]
    found.sort(key=lambda item: item.place)
    names = list(_RULES)
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Claimscope",
                        "version": __version__,
                        "rules": [_rule(name) for name in names],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "artifacts": [{"location": _artifact(audit)}],
                "invocations": [
                    {
                        "executionSuccessful": True,
                        "toolExecutionNotifications": [
                            {"level": "warning", "message": {"text": note}} for note in audit.notes
                        ],
                    }
                ],
                "results": [_result(audit, item, names) for item in found],
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _rule(name: Outcome | RemarkKind) -> dict[str, Any]:
    level = LEVELS[name] if isinstance(name, Outcome) else REMARK_LEVELS[name]
    return {
        "id": _rule_id(name),
        "shortDescription": {"text": _RULES[name]},
        "defaultConfiguration": {"level": level.value},
    }


def _rule_id(name: Outcome | RemarkKind) -> str:
    return name.value.replace(" ", "-")


def _artifact(audit: Audit) -> dict[str, Any]:
    return {"uri": quote(audit.name)}


def _result(audit: Audit, item: Checked | Remark, names: list[Any]) -> dict[str, Any]:
    name = item.outcome if isinstance(item, Checked) else item.kind
    text = " ".join([item.detail, *(f"“{each.text}”" for each in item.quotes)])
    identity = key_of(name.value, item.sentence, item.document.id if item.document else item.detail)
    return {
        "ruleId": _rule_id(name),
        "ruleIndex": names.index(name),
        "level": item.level.value,
        "message": {"text": text},
        "locations": [_location(audit, item)],
        "partialFingerprints": {"finding/v1": identity},
    }


def _location(audit: Audit, item: Checked | Remark) -> dict[str, Any]:
    """Give the line in a text; in other files, the paragraph or page."""
    physical: dict[str, Any] = {"artifactLocation": _artifact(audit)}
    if audit.place_name == "line":
        physical["region"] = {"startLine": item.place, "snippet": {"text": item.sentence}}
        return {"physicalLocation": physical}
    logical = {"name": f"{audit.place_name} {item.place}", "kind": audit.place_name}
    return {"physicalLocation": physical, "logicalLocations": [logical]}
