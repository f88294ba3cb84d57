"""A checked claim as schema.org ClaimReview (JSON-LD), marked as the draft of a machine.

Fact checkers publish ClaimReview under their own names after a person's review. This one names
the program as its author, is marked as a draft, and has no date of publication.
"""

from __future__ import annotations

import json
from typing import Any

from claimscope.render.evidence import Result, evidence_candidates
from claimscope.render.links import links
from claimscope.render.words import reason, verdict_words

DRAFT = "Machine draft; no person has reviewed it"


def to_claim_review(result: Result) -> str:
    """Write the draft; the confidence stands beside the rating and is no rating by itself."""
    return json.dumps(_review(result), ensure_ascii=False, indent=2) + "\n"


def _review(result: Result) -> dict[str, Any]:
    origin = result["provenance"] or {"version": "", "preset": ""}
    return {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "creativeWorkStatus": "Draft",
        "disambiguatingDescription": f"{DRAFT}.",
        "claimReviewed": result["claim"]["text"],
        "itemReviewed": {"@type": "Claim", "text": result["claim"]["text"]},
        "author": {
            "@type": "SoftwareApplication",
            "name": "Claimscope",
            "softwareVersion": origin["version"],
            "softwareRequirements": f"preset {origin['preset']}",
        },
        "reviewRating": _rating(result),
        "reviewBody": reason(result),
        "citation": [_article(item) for item in evidence_candidates(result)],
    }


def _rating(result: Result) -> dict[str, Any]:
    confidence = result["verdict"]["confidence"] if result["verdict"] else None
    rating: dict[str, Any] = {
        "@type": "Rating",
        "alternateName": f"{verdict_words(result)} ({DRAFT.lower()})",
        "ratingExplanation": reason(result),
    }
    if confidence is not None:
        rating["additionalProperty"] = {
            "@type": "PropertyValue",
            "name": "confidence of the program",
            "value": confidence,
            "minValue": 0,
            "maxValue": 1,
        }
    return rating


def _article(item: dict[str, Any]) -> dict[str, Any]:
    meta = item["metadata"]
    article: dict[str, Any] = {
        "@type": "ScholarlyArticle",
        "name": item["title"],
        "identifier": item["id"],
    }
    if meta["year"]:
        article["datePublished"] = str(meta["year"])
    if meta["retracted"]:
        article["creativeWorkStatus"] = "Retracted"
    addresses = [link.address for link in links(meta)]
    return article | ({"sameAs": addresses} if addresses else {})
