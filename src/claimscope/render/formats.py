"""The formats a checked claim can be written in, by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from claimscope.render.claim_review import to_claim_review
from claimscope.render.evidence import Result
from claimscope.render.html import to_html
from claimscope.render.markdown import to_markdown
from claimscope.render.references import to_references
from claimscope.render.table import to_csv


@dataclass(frozen=True, slots=True)
class Format:
    """A format: how a result is written, and what the file is called."""

    words: str
    media_type: str
    ending: str
    write: Callable[[Result], str]


def to_json(result: Result) -> str:
    """Write the result as it is, to be read by programs."""
    return json.dumps(result, ensure_ascii=False, indent=2) + "\n"


FORMATS = {
    "json": Format("JSON", "application/json", "json", to_json),
    "markdown": Format("Markdown", "text/markdown", "md", to_markdown),
    "csv": Format("CSV", "text/csv", "csv", to_csv),
    "ris": Format("RIS", "application/x-research-info-systems", "ris", to_references),
    "claimreview": Format(
        "ClaimReview draft", "application/ld+json", "claimreview.json", to_claim_review
    ),
    "html": Format("Web page", "text/html", "html", to_html),
}
