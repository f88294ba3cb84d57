"""The content that all formats share: words, papers and links."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from claimscope.labels import Label
from claimscope.types import Candidate, Case, Metadata

VERDICTS = {
    Label.SUPPORTS: "Supported",
    Label.REFUTES: "Refuted",
    Label.DISPUTED: "Disputed",
    Label.NOT_ENOUGH_INFO: "Not enough information",
}
NOT_JUDGED = "Not judged"
STANCES = {
    Label.SUPPORTS: "Supports the claim",
    Label.REFUTES: "Refutes the claim",
    Label.NOT_ENOUGH_INFO: "Says too little",
}
_UNJUDGED_RULE = "unjudged"


@dataclass(frozen=True, slots=True)
class Link:
    """An address and the words it is shown under."""

    words: str
    address: str


def is_judged(case: Case) -> bool:
    """Say whether a verifier judged the abstracts at all."""
    return case.verdict is not None and case.verdict.rule.name != _UNJUDGED_RULE


def verdict_words(case: Case) -> str:
    """Name the verdict for people; abstaining is told from judging nothing."""
    return VERDICTS[case.verdict.label] if case.verdict and is_judged(case) else NOT_JUDGED


def reason(case: Case) -> str:
    """Give the rule's statement as a sentence of its own, without the label in front."""
    if case.verdict is None:
        return "The pipeline gave no verdict."
    words = case.verdict.rule.statement.removeprefix(f"{case.verdict.label.verdict}: ")
    return f"{words[:1].upper()}{words[1:]}"


def counted_papers(case: Case) -> dict[str, Label]:
    """Give the ids of the papers that count, each with SUPPORTS or REFUTES."""
    if case.verdict is None:
        return {}
    supporting = dict.fromkeys(case.verdict.supporting, Label.SUPPORTS)
    return supporting | dict.fromkeys(case.verdict.refuting, Label.REFUTES)


def evidence_of(case: Case) -> dict[str, Label | None]:
    """Give the ids of the papers that count, each with SUPPORTS or REFUTES.

    Where none counts they are the ones that are quoted, with None, as in a pipeline that judges
    nothing.
    """
    counted: dict[str, Label | None] = {**counted_papers(case)}
    return counted or {item.document.id: None for item in case.candidates if item.rationale}


def evidence_candidates(case: Case) -> list[Candidate]:
    """Give the candidates that `evidence_of` names, in their order."""
    names = evidence_of(case)
    return [item for item in case.candidates if item.document.id in names]


def links(meta: Metadata) -> list[Link]:
    """Give the links of a paper: its DOI, its PubMed record, or else its own address.

    Nothing but http and https ever becomes a link.
    """
    found = []
    if meta.doi:
        found.append(Link(f"doi:{meta.doi}", f"https://doi.org/{quote(meta.doi, safe='/')}"))
    if meta.pmid:
        number = quote(meta.pmid, safe="")
        found.append(Link(f"PubMed {meta.pmid}", f"https://pubmed.ncbi.nlm.nih.gov/{number}/"))
    address = _web_address(meta.url or "")
    if address and not found:
        found.append(Link(urlsplit(address).hostname or "link", address))
    return found


def _web_address(text: str) -> str | None:
    """Give an address that a browser may follow, with what could end an attribute encoded."""
    try:
        parts = urlsplit(text.strip())
        has_host = bool(parts.hostname)
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not has_host:
        return None
    return quote(text.strip(), safe=":/?#[]@!$&'()*+,;=%~._-")
