"""The words for verdicts and stances, the same in every file and on every page."""

from __future__ import annotations

from claimscope.render.evidence import Result

VERDICTS = {
    "SUPPORTED": "Supported",
    "REFUTED": "Refuted",
    "DISPUTED": "Disputed",
    "NOT_ENOUGH_INFO": "Not enough information",
}
NOT_JUDGED = "Not judged"
STANCES = {
    "SUPPORTS": "Supports the claim",
    "REFUTES": "Refutes the claim",
    "NOT_ENOUGH_INFO": "Says too little",
}
_UNJUDGED_RULE = "unjudged"


def is_judged(result: Result) -> bool:
    """Say whether a verifier judged the abstracts at all."""
    return result["verdict"] is not None and result["verdict"]["rule"]["name"] != _UNJUDGED_RULE


def verdict_words(result: Result) -> str:
    """Name the verdict for people; abstaining is told from judging nothing."""
    return VERDICTS[result["verdict"]["label"]] if is_judged(result) else NOT_JUDGED


def reason(result: Result) -> str:
    """Give the rule's statement as a sentence of its own, without the label in front."""
    verdict = result["verdict"]
    if verdict is None:
        return "The pipeline gave no verdict."
    words = str(verdict["rule"]["statement"]).removeprefix(f"{verdict['label']}: ")
    return f"{words[:1].upper()}{words[1:]}"
