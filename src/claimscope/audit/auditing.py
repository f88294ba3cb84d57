"""Checks each citation of a manuscript against the papers that it cites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from claimscope._languages import looks_english
from claimscope.audit.bibliography import read_bibliography
from claimscope.audit.cited import CitedClaim, Splitter, cited_claims
from claimscope.audit.judging import Answers, OnProgress, PaperJudge, ignore_progress
from claimscope.audit.manuscript import Manuscript, Reference, Sentence, sentences
from claimscope.audit.remarks import on_citation, uncited
from claimscope.audit.report import LEVELS, Audit, Checked, Level, Outcome, Remark, quotes_of
from claimscope.audit.resolve import Papers, Problem, Resolved, Resolver
from claimscope.checker import Checker
from claimscope.claims.compound import split_compound
from claimscope.errors import InputError
from claimscope.labels import Label
from claimscope.metadata import NOTICES
from claimscope.types import Candidate, Document

SURE = 0.6
"""A label that is less likely than this is one that the paper leans to."""

_PROBLEMS = {
    Problem.NO_ENTRY: Outcome.NO_ENTRY,
    Problem.NOT_IN_LIBRARY: Outcome.NOT_IN_LIBRARY,
    Problem.AMBIGUOUS: Outcome.AMBIGUOUS,
}


@dataclass(frozen=True, slots=True)
class Options:
    """What an audit looks at besides the citations."""

    with_uncited: bool = True
    """Also search the library for claims that cite nothing."""
    split: Splitter = split_compound
    """How compound statements are cut."""
    on_progress: OnProgress = ignore_progress
    """Told from time to time how many of how many citations were read."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """A citation of a claim, not yet judged."""

    sentence: Sentence
    claim: CitedClaim
    label: str
    resolved: Resolved


def audit(
    manuscript: Manuscript,
    papers: Papers,
    checker: Checker,
    references: Iterable[Reference] = (),
    answers: Answers | None = None,
    options: Options | None = None,
) -> Audit:
    """Check every citation of a manuscript against the cited papers.

    References that are given come before those of the manuscript's own list.
    """
    chosen = options or Options()
    kept = answers or Answers(None)
    resolver = Resolver(papers, [*references, *manuscript.references])
    found = [sentence for block in manuscript.blocks for sentence in sentences(block)]
    pending = list(_pending(found, resolver, chosen.split))
    citations = _checked(pending, PaperJudge(checker, kept, chosen.on_progress))
    remarks: list[Remark] = []
    for item, sentence in citations:
        remarks += on_citation(item, sentence)
    if chosen.with_uncited:
        remarks += uncited(found, checker, kept)
    kept.save()
    order = {id(sentence): number for number, sentence in enumerate(found)}
    places = {sentence.text: order[id(sentence)] for sentence in reversed(found)}
    remarks.sort(key=lambda remark: places.get(remark.sentence, 0))
    return Audit(
        manuscript.name,
        manuscript.place_name,
        len(found),
        tuple(_relaxed([item for item, _ in citations])),
        tuple(dict.fromkeys(remarks)),
        manuscript.notes,
        checker.provenance,
    )


def bibliographies(manuscript: Path, named: Sequence[str]) -> Iterator[Reference]:
    """Read the files of references that a manuscript names, beside it; one must be there."""
    for name in named:
        path = manuscript.parent / name
        found = path if path.suffix else path.with_suffix(".bib")
        if not found.is_file():
            raise InputError(
                f"{manuscript.name} names the bibliography {name}, and there is no {found}; "
                "give it with --bib."
            )
        yield from read_bibliography(found)


def _pending(found: Sequence[Sentence], resolver: Resolver, split: Splitter) -> Iterator[_Pending]:
    for sentence in found:
        for claim in cited_claims(sentence, split):
            for mark in claim.marks:
                for resolved in resolver.resolve(mark):
                    yield _Pending(sentence, claim, mark.label, resolved)


def _checked(pending: Sequence[_Pending], judge: PaperJudge) -> list[tuple[Checked, Sentence]]:
    refused = [_refusal(item) for item in pending]
    pairs = [
        (item.claim.text, item.resolved.document)
        for item, refusal in zip(pending, refused, strict=True)
        if refusal is None and item.resolved.document is not None
    ]
    judged = iter(judge.judge(pairs))
    return [
        (_result(item, *refusal) if refusal else _judged(item, next(judged)), item.sentence)
        for item, refusal in zip(pending, refused, strict=True)
    ]


def _refusal(item: _Pending) -> tuple[Outcome, str] | None:
    """Say why a citation cannot be checked, if it cannot."""
    resolved, document = item.resolved, item.resolved.document
    if resolved.problem is not None:
        return _PROBLEMS[resolved.problem], resolved.detail
    if document is None:
        return Outcome.NOT_IN_LIBRARY, resolved.detail
    if document.meta.retracted:
        known = f" ({NOTICES.join(document.meta.notices)})" if document.meta.notices else ""
        return Outcome.RETRACTED, f"“{document.title}” was retracted{known}."
    if item.claim.reason:
        return Outcome.NOT_A_CLAIM, f"The sentence {item.claim.reason}."
    if not document.has_abstract:
        return Outcome.NO_ABSTRACT, f"The library has no abstract of “{document.title}”."
    return _other_language(item.claim.text, document)


def _other_language(claim: str, document: Document) -> tuple[Outcome, str] | None:
    if not looks_english(claim):
        return Outcome.OTHER_LANGUAGE, "The sentence does not look like English."
    if not looks_english(document.abstract):
        return Outcome.OTHER_LANGUAGE, f"The abstract of “{document.title}” is not in English."
    return None


def _judged(item: _Pending, candidate: Candidate) -> Checked:
    outcome, detail = _outcome(candidate)
    return replace(
        _result(item, outcome, detail),
        quotes=quotes_of(candidate) if outcome is not Outcome.SILENT else (),
        probabilities=candidate.labels,
    )


def _outcome(candidate: Candidate) -> tuple[Outcome, str]:
    """Name what a paper says; without a sentence to quote it says nothing."""
    label, title = candidate.label, candidate.document.title
    if label in {Label.SUPPORTS, Label.REFUTES} and candidate.rationale:
        is_sure = (candidate.probability or 0.0) >= SURE
        if label is Label.SUPPORTS:
            return (
                (Outcome.SUPPORTS, f"“{title}” supports the sentence.")
                if is_sure
                else (Outcome.LEANS_SUPPORTS, f"“{title}” supports the sentence, but weakly.")
            )
        return (
            (Outcome.CONTRADICTS, f"“{title}” contradicts the sentence.")
            if is_sure
            else (Outcome.LEANS_CONTRADICTS, f"“{title}” contradicts the sentence, but weakly.")
        )
    detail = f"The abstract of “{title}” does not speak to the sentence."
    return Outcome.SILENT, f"{detail} {candidate.abstained}" if candidate.abstained else detail


def _result(item: _Pending, outcome: Outcome, detail: str) -> Checked:
    return Checked(
        item.sentence.place,
        item.sentence.as_written,
        item.claim.text,
        item.label,
        item.resolved.key,
        outcome,
        LEVELS[outcome],
        detail,
        item.resolved.document,
    )


def _relaxed(citations: Sequence[Checked]) -> Iterator[Checked]:
    """Make a silent or weak paper a note where another one cited for the claim supports it."""
    supported = {
        (item.place, item.sentence, item.claim)
        for item in citations
        if item.outcome is Outcome.SUPPORTS
    }
    for item in citations:
        is_backed = (item.place, item.sentence, item.claim) in supported
        if is_backed and item.outcome in {Outcome.SILENT, Outcome.LEANS_SUPPORTS}:
            yield replace(item, level=Level.NOTE)
        else:
            yield item
