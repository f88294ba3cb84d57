"""Makes the small answers of the tools from cases, papers and audits."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope._json_record import rounded
from claimscope.audit import Audit, Checked, Level, Remark
from claimscope.labels import Label
from claimscope.library.protocol import Hit
from claimscope.mcp import answers
from claimscope.pipeline.why import Why
from claimscope.render.wording import answer as worded
from claimscope.render.wording import shown_confidence
from claimscope.types import Candidate, Case, Document

QUOTES = 2
"""Sentences of one paper in an answer."""
AUTHORS = 10
PIECE = 6_000
"""Characters of a paper's text in one answer."""
_URGENCY = list(Level)


def checked_claim(case: Case, papers: int) -> answers.CheckedClaim:
    """Give a case with so many of its papers: those that count first, then the surest."""
    verdict, origin = case.verdict, case.provenance
    shown, left_out = ([], 0) if case.parts else _papers(case, papers)
    return answers.CheckedClaim(
        claim=case.claim.text,
        verdict=verdict.label.verdict if verdict else None,
        confidence=rounded(shown_confidence(case)),
        leaning=verdict.leaning if verdict else False,
        answer=worded(case).text,
        rule=verdict.rule.statement if verdict else "",
        would_change=verdict.rule.would_change if verdict else "",
        parts=[_part(part, papers) for part in case.parts],
        evidence=shown,
        papers_left_out=left_out,
        notices=list(case.notices),
        preset=origin.preset if origin else "",
        library_revision=origin.library_revision if origin else "",
    )


def _part(case: Case, papers: int) -> answers.CheckedPart:
    shown, left_out = _papers(case, papers)
    return answers.CheckedPart(
        claim=case.claim.text,
        verdict=case.verdict.label.verdict if case.verdict else None,
        confidence=rounded(shown_confidence(case)),
        answer=worded(case).text,
        evidence=shown,
        papers_left_out=left_out,
    )


def _papers(case: Case, most: int) -> tuple[list[answers.Evidence], int]:
    """Give so many papers of a case, and how many are left out."""
    verdict = case.verdict
    counting = {*verdict.supporting, *verdict.refuting} if verdict else set()
    ranked = sorted(case.candidates, key=lambda item: _rank(item, counting))
    shown = [item for item in ranked if item.quotes or item.document.id in counting][:most]
    given = [_evidence(item, item.document.id in counting) for item in shown]
    return given, len(case.candidates) - len(shown)


def _rank(item: Candidate, counting: set[str]) -> tuple[bool, bool, float]:
    silent = item.label in {None, Label.NOT_ENOUGH_INFO}
    return item.document.id not in counting, silent, -(item.probability or 0.0)


def _evidence(item: Candidate, counts: bool) -> answers.Evidence:
    return answers.Evidence(
        id=item.document.id,
        title=item.document.title,
        year=item.document.meta.year,
        stance=(item.label or Label.NOT_ENOUGH_INFO).value,
        probability=rounded(item.probability),
        counts=counts,
        retracted=item.document.meta.retracted,
        quotes=list(item.quotes[:QUOTES]),
    )


def found_papers(
    query: str, found: Sequence[tuple[Hit, Document]], size: int
) -> answers.FoundPapers:
    """Give the papers of a search without their texts."""
    papers = [
        answers.FoundPaper(
            id=paper.id,
            title=paper.title,
            year=paper.meta.year,
            doi=paper.meta.doi,
            retracted=paper.meta.retracted,
            has_abstract=paper.has_abstract,
            score=round(hit.score, 3),
        )
        for hit, paper in found
    ]
    return answers.FoundPapers(query=query, papers=papers, library_papers=size)


def why_not(why: Why, document: Document) -> answers.WhyNot:
    """Give the way of a paper through the pipeline."""
    return answers.WhyNot(
        claim=why.claim,
        id=document.id,
        title=document.title,
        conclusion=why.conclusion,
        steps=[
            answers.StageStep(stage=step.stage, kept=step.kept, rank=step.rank, words=step.words)
            for step in why.steps
        ],
    )


def paper_text(document: Document, whole: bool, offset: int) -> answers.PaperText:
    """Give a paper with a piece of its abstract, or of its abstract and full text."""
    sections = [f"{part.heading}\n{part.text}".strip() for part in document.body] if whole else []
    text = "\n\n".join(filter(None, [document.abstract, *sections]))
    end = offset + PIECE
    meta = document.meta
    return answers.PaperText(
        id=document.id,
        title=document.title,
        authors=list(meta.authors[:AUTHORS]),
        year=meta.year,
        venue=meta.venue,
        doi=meta.doi,
        pmid=meta.pmid,
        study_type=meta.study_type,
        sample_size=meta.sample_size,
        retracted=meta.retracted,
        note=meta.note,
        depth=document.depth,
        text=text[offset:end],
        next_offset=end if end < len(text) else None,
    )


def audited_text(audit: Audit, most: int) -> answers.AuditedText:
    """Give the findings of an audit that call for a look, the most urgent first."""
    found = [item for item in audit.findings if item.level is not Level.NONE]
    found.sort(key=lambda item: (_URGENCY.index(item.level), item.place))
    return answers.AuditedText(
        sentences=audit.sentences,
        citations=len(audit.citations),
        outcomes={outcome.value: count for outcome, count in audit.counts.items()},
        findings=[_finding(item) for item in found[:most]],
        findings_left_out=max(0, len(found) - most),
        notes=list(audit.notes),
    )


def _finding(item: Checked | Remark) -> answers.Finding:
    return answers.Finding(
        line=item.place,
        sentence=item.sentence,
        level=item.level.value,
        kind=item.outcome.value if isinstance(item, Checked) else item.kind.value,
        detail=item.detail,
        paper=item.document.id if item.document else None,
        quote=item.quotes[0].text if item.quotes else None,
    )
