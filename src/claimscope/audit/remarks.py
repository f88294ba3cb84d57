"""Remarks on sentences: quotations, numbers, wording, status of papers, claims without citation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from claimscope import case_json
from claimscope.audit.cited import is_claim, plain
from claimscope.audit.judging import Answers, key_of
from claimscope.audit.manuscript import Sentence
from claimscope.audit.quotations import (
    closest,
    is_verbatim,
    numbers_not_in,
    quotations,
    stronger_words,
)
from claimscope.audit.report import (
    JUDGED,
    REMARK_LEVELS,
    Checked,
    Level,
    Outcome,
    Quote,
    Remark,
    RemarkKind,
    quotes_of,
)
from claimscope.checker import Checker
from claimscope.claims.reading import LONGEST_CLAIM
from claimscope.labels import Label
from claimscope.metadata import CONCERN, CORRECTION, NOTICES
from claimscope.types import Case, Claim, Document

_SHOWN = 3
"""How many papers are named for a claim without citation."""
_SURE = 0.8
"""How likely a paper's label must be for it to be named there."""
_FLAGS = {"expression of concern": "an expression of concern", "corrected": "a correction"}


def on_citation(item: Checked, sentence: Sentence) -> Iterator[Remark]:
    """Give the remarks that a citation and its paper call for."""
    if item.document is None:
        return
    yield from _status(item)
    yield from _quotations(item, sentence.text, item.document)
    if item.outcome in JUDGED - {Outcome.SILENT} and item.quotes:
        quoted = [quote.text for quote in item.quotes]
        if missing := numbers_not_in(item.claim, quoted):
            given = f"No quoted sentence has {', '.join(missing)}; compare the numbers."
            yield _remark(item, RemarkKind.NUMBERS, given, item.quotes)
        if strong := stronger_words(item.claim, [item.document.abstract]):
            given = f"The abstract does not say “{'”, “'.join(strong)}”."
            yield _remark(item, RemarkKind.WORDING, given, item.quotes)


def _remark(item: Checked, kind: RemarkKind, detail: str, quotes: tuple[Quote, ...] = ()) -> Remark:
    return Remark(
        item.place, item.sentence, kind, REMARK_LEVELS[kind], detail, item.document, quotes
    )


def _status(item: Checked) -> Iterator[Remark]:
    """Say so if the record of a paper names a correction or an expression of concern."""
    if item.document is None or item.document.meta.retracted:
        return
    meta, title = item.document.meta, item.document.title
    if notices := [each for each in meta.notices if each.startswith((CONCERN, CORRECTION))]:
        yield _remark(item, RemarkKind.STATUS, f"“{title}”: {NOTICES.join(notices)}.")
        return
    kinds = " ".join(meta.publication_types).casefold()
    for word, words in _FLAGS.items():
        if word in kinds:
            yield _remark(item, RemarkKind.STATUS, f"“{title}” has {words}.")


def _quotations(item: Checked, sentence: str, document: Document) -> Iterator[Remark]:
    for quotation in quotations(sentence):
        if not document.has_abstract or is_verbatim(quotation, document):
            continue
        index = closest(quotation, document)
        if index is None:
            detail = f"“{quotation}” is not in the abstract of “{document.title}”."
            yield replace(_remark(item, RemarkKind.QUOTATION, detail), level=Level.NOTE)
        else:
            quote = Quote(document.id, document.sentences[index], *document.spans[index])
            detail = f"“{quotation}” is not what “{document.title}” says word for word."
            yield _remark(item, RemarkKind.QUOTATION, detail, (quote,))


def uncited(found: Sequence[Sentence], checker: Checker, answers: Answers) -> Iterator[Remark]:
    """Name papers of the library that support or refute claims without citation."""
    asked = [
        (sentence, text)
        for sentence in found
        if not sentence.marks
        and len(text := plain(sentence.text)) <= LONGEST_CLAIM
        and is_claim(text)
    ]
    provenance = checker.provenance
    keys = [
        key_of("uncited", text, provenance.version, provenance.stages, provenance.library_revision)
        for _, text in asked
    ]
    known: dict[str, Any] = {key: answers.get(key) for key in keys}
    new = {key: text for key, (_, text) in zip(keys, asked, strict=True) if known[key] is None}
    cases = checker.check_many([Claim(text) for text in new.values()]) if new else []
    for key, case in zip(new, cases, strict=True):
        known[key] = case_json.to_dict(_spoken(case))
        answers.put(key, known[key])
    for key, (sentence, _) in zip(keys, asked, strict=True):
        case = case_json.from_dict(known[key])
        for candidate in case.candidates:
            verb = "supports" if candidate.label is Label.SUPPORTS else "contradicts"
            yield Remark(
                sentence.place,
                sentence.as_written,
                RemarkKind.UNCITED,
                REMARK_LEVELS[RemarkKind.UNCITED],
                f"“{candidate.document.title}” {verb} this sentence, which cites nothing.",
                candidate.document,
                quotes_of(candidate),
            )


def _spoken(case: Case) -> Case:
    """Keep the surest papers that say something and can be quoted."""
    sided = [
        item
        for item in case.candidates
        if item.label in {Label.SUPPORTS, Label.REFUTES}
        and item.rationale
        and (item.probability or 0.0) >= _SURE
        and not item.document.meta.retracted
    ]
    sided.sort(key=lambda item: -(item.probability or 0.0))
    return replace(case, candidates=tuple(sided[:_SHOWN]), trace=())
