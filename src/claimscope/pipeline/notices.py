"""The notices of a checked claim: what a reader should know before relying on the verdict."""

from __future__ import annotations

from claimscope._wording import counted
from claimscope.claims.reading import cautions
from claimscope.labels import Label
from claimscope.library.protocol import Library
from claimscope.metadata import CONCERN
from claimscope.types import Candidate, Case, Opinion

_EMPTY = "The library is empty; add papers, or check against the demonstration library."
_NOTHING_FOUND = "No document of the library shares a searchable word with the claim."


def notices(
    case: Case, library: Library, max_error: float | None, threshold: float
) -> tuple[str, ...]:
    """Return all notices: about the claim, the search, retracted papers and abstention."""
    return (
        *cautions(case.claim),
        *_search(case, library),
        *_retracted(case),
        *_concerns(case),
        *_in_conflict(case),
        *_second_opinions(case),
        *(_abstained(case, max_error, threshold) if max_error is not None else ()),
    )


def _search(case: Case, library: Library) -> tuple[str, ...]:
    """Warn if the search found nothing."""
    if case.candidates:
        return ()
    return (_NOTHING_FOUND if len(library) else _EMPTY,)


def _retracted(case: Case) -> tuple[str, ...]:
    """Name the retracted papers among the candidates."""
    retracted = [item.document for item in case.candidates if item.document.meta.retracted]
    if not retracted:
        return ()
    titles = "; ".join(f"“{paper.title.rstrip('.') or paper.id}”" for paper in retracted)
    these = "this paper" if len(retracted) == 1 else "these papers"
    return (f"The library marks {these} as retracted: {titles}.",)


def _concerns(case: Case) -> tuple[str, ...]:
    """Name the papers about which a journal has published a concern, unless they are retracted."""
    return tuple(
        f"There is a notice on “{item.document.title.rstrip('.') or item.document.id}”: {notice}."
        for item in case.candidates
        for notice in item.document.meta.notices
        if notice.startswith(CONCERN) and not item.document.meta.retracted
    )


def _in_conflict(case: Case) -> tuple[str, ...]:
    """Name the abstracts that the judge gives no side."""
    return tuple(
        f"“{item.document.title.rstrip('.') or item.document.id}” does not count: "
        f"{item.abstained[0].lower()}{item.abstained[1:]}"
        for item in case.candidates
        if item.abstained
    )


def _second_opinions(case: Case) -> tuple[str, ...]:
    """Name the abstracts that a language model reads otherwise, or could not be asked about."""
    return tuple(
        f"“{item.document.title.rstrip('.') or item.document.id}”: {_said(opinion)}"
        for item in case.candidates
        for opinion in item.opinions
        if item.abstained is None and (opinion.labels is None or _differs(item, opinion))
    )


def _said(opinion: Opinion) -> str:
    label = opinion.labels.label if opinion.labels else None
    if label is None:
        return opinion.problem
    reading = {Label.SUPPORTS: "supports the claim", Label.REFUTES: "refutes the claim"}
    words = reading.get(label, "says too little")
    return f"the language model {opinion.by} disagrees; it finds that the paper {words}."


def _differs(item: Candidate, opinion: Opinion) -> bool:
    return opinion.labels is not None and opinion.labels.label is not item.label


def _abstained(case: Case, max_error: float, threshold: float) -> tuple[str, ...]:
    """Say so if abstracts have evidence, but none is certain enough for the tolerated error."""
    if case.verdict is None:
        return ()
    found = [item for item in case.candidates if _has_evidence(item)]
    used = (*case.verdict.supporting, *case.verdict.refuting)
    if not found or used or case.verdict.label is not Label.NOT_ENOUGH_INFO:
        return ()
    return (
        f"Abstained: with at most {max_error:.0%} errors, an abstract counts only if its label has "
        f"a probability of at least {threshold:.2f}; of {counted(len(found), 'abstract')} with "
        "evidence, none does.",
    )


def _has_evidence(candidate: Candidate) -> bool:
    labels = candidate.labels
    return labels is not None and labels.label is not Label.NOT_ENOUGH_INFO
