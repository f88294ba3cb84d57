"""The JSON form of a verdict, a part of the form of a case."""

from __future__ import annotations

from typing import Any

from claimscope._json_record import JsonRecord, rounded
from claimscope.labels import Label
from claimscope.types import Rule, Sensitivity, StudyGroup, Verdict

_VERDICTS = {label.verdict: label for label in Label}


def verdict_dict(verdict: Verdict) -> dict[str, Any]:
    """Give a verdict as plain values."""
    return {
        "label": verdict.label.verdict,
        "confidence": rounded(verdict.confidence),
        "leaning": verdict.leaning,
        "supporting": list(verdict.supporting),
        "refuting": list(verdict.refuting),
        "rule": {
            "name": verdict.rule.name,
            "statement": verdict.rule.statement,
            "would_change": verdict.rule.would_change,
        },
        "groups": [
            {"papers": list(group.papers), "reason": group.reason} for group in verdict.groups
        ],
        "sensitivity": _sensitivity(verdict.sensitivity) if verdict.sensitivity else None,
    }


def _sensitivity(found: Sensitivity) -> dict[str, Any]:
    return {
        "removal": list(found.removal),
        "becomes": found.becomes.verdict if found.becomes else None,
        "retracted": found.retracted.verdict if found.retracted else None,
    }


def read_verdict(item: JsonRecord) -> Verdict:
    """Read a verdict from plain values; keys of later versions may be absent."""
    rule = item.part("rule") or JsonRecord({}, item.what, item.place)
    names = ("name", "statement", "would_change")
    return Verdict(
        _VERDICTS[item.choice("label", _VERDICTS)],
        item.get("confidence", float, None),
        item.texts("supporting"),
        item.texts("refuting"),
        Rule(*(rule.get(name, str, "") for name in names)),
        item.get("leaning", bool, False),
        tuple(
            StudyGroup(each.texts("papers"), each.get("reason", str, ""))
            for each in item.children("groups")
        ),
        _read_sensitivity(sensitivity) if (sensitivity := item.part("sensitivity")) else None,
    )


def _read_sensitivity(item: JsonRecord) -> Sensitivity:
    becomes, retracted = (
        _VERDICTS[item.choice(key, _VERDICTS)] if item.values.get(key) is not None else None
        for key in ("becomes", "retracted")
    )
    return Sensitivity(item.texts("removal"), becomes, retracted)
