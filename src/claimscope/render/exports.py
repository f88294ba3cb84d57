"""A checked claim as a file: JSON, Markdown, CSV, RIS, a ClaimReview draft or a web page."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from claimscope import case_json
from claimscope._json_record import rounded
from claimscope.labels import Label
from claimscope.library.writers.ris import to_ris
from claimscope.metadata import NOTICES, STUDY
from claimscope.render.case_view import show
from claimscope.render.content import evidence_candidates, evidence_of, links, reason
from claimscope.render.markdown import to_markdown
from claimscope.render.page import asset, environment
from claimscope.render.studies import StudyRow, study_rows
from claimscope.render.wording import answer, headline, shown_confidence
from claimscope.types import Candidate, Case, ClaimOutcome, Metadata

DRAFT = "Machine draft; no person has reviewed it"
QUOTED = "QUOTED"
"""What a paper is to a case in which nothing was judged: its sentences are shown."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_PUBLICATION = ("year", "venue", "doi", "pmid", *(field.name for field in STUDY))
_LABELS = (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO)
_PAPERS = (
    *"claim_id claim verdict confidence rank document title".split(),
    *_PUBLICATION,
    *"retracted notices label counts supports refutes not_enough_info sentences".split(),
)
_STUDIES = (
    *"label counts same_study title quoted_sentence design year sample_size".split(),
    *"sample_size_in_words population journal retracted doi pmid document".split(),
)
_CLAIMS = "line id claim verdict confidence supporting refuting rule error".split()


def to_json(case: Case) -> str:
    """Write the case in the form that programs read."""
    return case_json.to_json(case, indent=2) + "\n"


def to_html(case: Case) -> str:
    """Write one web page that needs no network; its policy lets only its own style stand in it."""
    style = asset("colours.css", "case.css")
    template = environment().get_template("case.html.j2")
    return template.render(style=style, view=show(case))


def to_references(case: Case) -> str:
    """Write a RIS record for every paper that carries evidence, for reference managers."""
    return "".join(to_ris(item.document) for item in evidence_candidates(case))


def to_claim_review(case: Case) -> str:
    """Write schema.org ClaimReview (JSON-LD), marked as the draft of a machine.

    Fact checkers publish ClaimReview under their own names after a person's review. This one names
    the program as its author, is marked as a draft, and has no date of publication. The confidence
    stands beside the rating and is no rating by itself.
    """
    return json.dumps(_review(case), ensure_ascii=False, indent=2) + "\n"


def _review(case: Case) -> dict[str, Any]:
    origin = case.provenance
    return {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "creativeWorkStatus": "Draft",
        "disambiguatingDescription": f"{DRAFT}.",
        "claimReviewed": case.claim.text,
        "itemReviewed": {"@type": "Claim", "text": case.claim.text},
        "author": {
            "@type": "SoftwareApplication",
            "name": "Claimscope",
            "softwareVersion": origin.version if origin else "",
            "softwareRequirements": f"preset {origin.preset if origin else ''}",
        },
        "reviewRating": _rating(case),
        "reviewBody": answer(case).text,
        "citation": [_article(item) for item in evidence_candidates(case)],
    }


def _rating(case: Case) -> dict[str, Any]:
    rating: dict[str, Any] = {
        "@type": "Rating",
        "alternateName": f"{headline(case)} ({DRAFT.lower()})",
        "ratingExplanation": reason(case),
    }
    confidence = shown_confidence(case)
    if confidence is not None:
        rating["additionalProperty"] = {
            "@type": "PropertyValue",
            "name": "confidence of the program",
            "value": rounded(confidence),
            "minValue": 0,
            "maxValue": 1,
        }
    return rating


def _article(item: Candidate) -> dict[str, Any]:
    document = item.document
    article: dict[str, Any] = {
        "@type": "ScholarlyArticle",
        "name": document.title,
        "identifier": document.id,
    }
    if document.meta.year:
        article["datePublished"] = str(document.meta.year)
    if document.meta.retracted:
        article["creativeWorkStatus"] = "Retracted"
    addresses = [link.address for link in links(document.meta)]
    return article | ({"sameAs": addresses} if addresses else {})


def to_csv(case: Case) -> str:
    """Write a line for every paper that was looked at, of each part of a compound claim."""
    return csv_lines([_PAPERS, *(row for each in case.parts or (case,) for row in _papers(each))])


def to_study_table(case: Case) -> str:
    """Write the table of studies that the page shows, with identifiers for further work."""
    metadata = {item.document.id: item.document.meta for item in case.candidates}
    rows = (_study(row, metadata[row.document_id]) for row in study_rows(case))
    return csv_lines([_STUDIES, *rows])


def _study(row: StudyRow, meta: Metadata) -> list[Any]:
    return [
        row.label.value if row.label else None,
        "yes" if row.counts else "no",
        "yes" if row.repeats else "no",
        row.title,
        row.quote,
        row.design,
        row.year,
        row.study.sample_size,
        row.study.sample_words,
        row.study.population,
        row.venue,
        "yes" if row.is_retracted else "no",
        meta.doi,
        meta.pmid,
        row.document_id,
    ]


def claims_to_csv(outcomes: Iterable[ClaimOutcome]) -> Iterator[str]:
    """Write a line for every claim, as they come."""
    yield csv_lines([_CLAIMS])
    for outcome in outcomes:
        yield csv_lines([_claim(outcome)])


def outcome_to_dict(item: ClaimOutcome) -> dict[str, Any]:
    """Return the outcome of one claim as JSON values."""
    return {
        "line": item.line,
        "id": item.claim.id,
        "claim": item.claim.text,
        "result": case_json.to_dict(item.case) if item.case else None,
        "error": item.error,
    }


def outcome_to_row(item: ClaimOutcome) -> dict[str, Any]:
    """Return the outcome of one claim as the cells of a table, by column."""
    return dict(zip(_CLAIMS, _claim(item), strict=True))


def _papers(case: Case) -> Iterator[list[Any]]:
    verdict, counted = case.verdict, evidence_of(case)
    for rank, item in enumerate(case.candidates, start=1):
        document, labels = item.document, item.labels
        stance = counted.get(document.id)
        counts = (stance.value if stance else QUOTED) if document.id in counted else ""
        yield [
            case.claim.id,
            case.claim.text,
            verdict.label.verdict if verdict else None,
            rounded(verdict.confidence) if verdict else None,
            rank,
            document.id,
            document.title,
            *(getattr(document.meta, name) for name in _PUBLICATION),
            "yes" if document.meta.retracted else "no",
            NOTICES.join(document.meta.notices),
            item.label.value if item.label else None,
            counts,
            *(rounded(labels.of(each)) if labels else None for each in _LABELS),
            " […] ".join(item.quotes),
        ]


def _claim(outcome: ClaimOutcome) -> list[Any]:
    verdict = outcome.case.verdict if outcome.case else None
    return [
        outcome.line,
        outcome.claim.id,
        outcome.claim.text,
        verdict.label.verdict if verdict else None,
        rounded(verdict.confidence) if verdict else None,
        "; ".join(verdict.supporting if verdict else ()),
        "; ".join(verdict.refuting if verdict else ()),
        verdict.rule.statement if verdict else None,
        outcome.error,
    ]


def csv_lines(lines: Iterable[Iterable[Any]]) -> str:
    """Write lines of CSV in which no text can act as a formula."""
    output = io.StringIO()
    csv.writer(output, lineterminator="\r\n").writerows(map(_safe, row) for row in lines)
    return output.getvalue()


def _safe(value: Any) -> Any:
    """Mark a text that a spreadsheet would take for a formula; a title may be hostile."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


@dataclass(frozen=True, slots=True)
class Format:
    """A format: how a case is written, and what the file is called."""

    words: str
    media_type: str
    ending: str
    write: Callable[[Case], str]


FORMATS = {
    "json": Format("JSON", "application/json", "json", to_json),
    "markdown": Format("Markdown", "text/markdown", "md", to_markdown),
    "csv": Format("CSV", "text/csv", "csv", to_csv),
    "studies": Format("Table of studies (CSV)", "text/csv", "studies.csv", to_study_table),
    "ris": Format("RIS", "application/x-research-info-systems", "ris", to_references),
    "claimreview": Format(
        "ClaimReview draft", "application/ld+json", "claimreview.json", to_claim_review
    ),
    "html": Format("Web page", "text/html", "html", to_html),
}
"""The formats by name."""
