"""A checked claim as Markdown, for notes and reports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from claimscope.render.evidence import Result, evidence_of
from claimscope.render.links import links
from claimscope.render.words import STANCES, reason, verdict_words

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!&])")


def to_markdown(result: Result) -> str:
    """Write the claim, its verdict and rule, and the papers with their sentences."""
    return "\n".join(_lines(result))


def escape(text: str) -> str:
    """Give a text that Markdown shows as it is, on one line; no markup of it survives."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _lines(result: Result) -> Iterator[str]:
    verdict = result["verdict"]
    yield f"# {escape(result['claim']['text'])}"
    yield ""
    sure = "" if not verdict or verdict["confidence"] is None else verdict["confidence"]
    yield f"**{verdict_words(result)}**" + (f" (confidence {sure:.2f})" if sure != "" else "")
    yield ""
    yield escape(reason(result))
    if verdict:
        yield escape(verdict["rule"]["would_change"])
    for notice in result["notices"]:
        yield f"\n> {escape(notice)}"
    counted = evidence_of(result)
    for candidate in result["candidates"]:
        if candidate["id"] in counted:
            yield from _paper(candidate, counted[candidate["id"]])
    origin = result["provenance"]
    if origin:
        yield ""
        yield (
            f"Checked by Claimscope {origin['version']}, preset {escape(origin['preset'])}, "
            f"library {origin['library_revision'][:12]}; no person has reviewed it."
        )
        yield ""


def _paper(candidate: dict[str, Any], stance: str) -> Iterator[str]:
    meta = candidate["metadata"]
    yield f"\n## {escape(candidate['title']) or 'No title'}"
    yield ""
    facts = [*meta["authors"][:3], meta["venue"], meta["year"], meta["study_type"]]
    said = STANCES.get(stance, "Quoted, not judged")
    known = ", ".join(escape(str(fact)) for fact in facts if fact)
    yield f"{said}. {known}" + (" **Retracted.**" if meta["retracted"] else "")
    yield from (f"<{link.address}>" for link in links(meta))
    for sentence in candidate["rationale"]:
        yield f"\n> {escape(sentence['text'])}"
