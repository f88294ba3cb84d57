"""Marks papers of a library by what Retraction Watch knows of them.

The notices come into the library as a record of their own, merged with the paper: so they stay
when the paper's own record is imported again, and go when the paper is removed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from claimscope._identifiers import find_doi, parse_pmid
from claimscope._wording import by_number, counted
from claimscope.library.identity import same_paper
from claimscope.library.protocol import ManagedLibrary
from claimscope.library.record import Paper, Record, decode_meta
from claimscope.sources.notices import Notice, NoticeKind, is_retracted
from claimscope.sources.retraction_watch import RetractionData
from claimscope.types import Document, Metadata

PREFIX = "retraction-watch:"
"""How the ids of records of notices begin."""


@dataclass(frozen=True, slots=True)
class MarkedPaper:
    """A paper with notices, or one that had some and has none now."""

    id: str
    title: str
    notices: tuple[Notice, ...]
    is_changed: bool
    """Whether the library did not have these very notices."""


@dataclass(frozen=True, slots=True)
class RetractionReport:
    """Which papers of a library have notices, and from which file."""

    data: RetractionData
    papers: tuple[MarkedPaper, ...]
    others: tuple[str, ...] = ()
    """A sentence on each notice with the DOI or PubMed id of a paper, but another title."""

    @property
    def changed(self) -> tuple[str, ...]:
        """The ids of the papers that are marked otherwise than before."""
        return tuple(paper.id for paper in self.papers if paper.is_changed)

    @property
    def source(self) -> str:
        """The file, its dates and its hash, as one sentence."""
        data = self.data
        newest = f", newest notice {data.newest}" if data.newest else ""
        return (
            f"{data.file}: {counted(data.rows, 'notice')}{newest}, file of {data.modified}, "
            f"SHA-256 {data.sha256}."
        )

    @property
    def sentence(self) -> str:
        """What was found in the library, as one sentence."""
        of_kind = {
            kind: sum(any(each.kind is kind for each in paper.notices) for paper in self.papers)
            for kind in NoticeKind
        }
        counts = ", ".join(f"{kind.lower()} {number:,}" for kind, number in of_kind.items())
        marked = sum(bool(paper.notices) for paper in self.papers)
        return (
            f"{by_number(marked, 'paper has', 'papers have')} notices ({counts}); "
            f"{by_number(len(self.changed), 'paper', 'papers')} changed."
        )

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain values."""
        data = self.data
        return {
            "file": data.file,
            "modified": str(data.modified),
            "newest_notice": str(data.newest) if data.newest else None,
            "sha256": data.sha256,
            "rows": data.rows,
            "failed": [{"line": each.line, "reason": each.reason} for each in data.failures],
            "papers": [
                {
                    "id": paper.id,
                    "title": paper.title,
                    "retracted": is_retracted(paper.notices),
                    "notices": [each.words for each in paper.notices],
                    "changed": paper.is_changed,
                }
                for paper in self.papers
            ],
            "not_used": list(self.others),
        }


def mark_retractions(
    library: ManagedLibrary, data: RetractionData, on_paper: Callable[[str], None] = lambda _: None
) -> RetractionReport:
    """Mark the papers of a library; the same file a second time changes nothing."""
    found, marks, others = [], [], list[str]()
    for paper in library.papers():
        on_paper(paper.record.id)
        notices, former = tuple(_notices(paper, data)), _former(paper)
        if not notices:
            others += _of_another_title(paper.record, data)
        known = decode_meta(former.meta).notices if former else ()
        words = tuple(notice.words for notice in notices)
        is_changed = words != known
        if notices or is_changed:
            found.append(MarkedPaper(paper.record.id, paper.record.title, notices, is_changed))
        if is_changed:
            name = former.id if former else PREFIX + paper.record.id
            marks.append(_mark(name, paper.record, notices))
    if marks:
        library.add(marks)
    return RetractionReport(data, tuple(found), tuple(others))


def _notices(paper: Paper, data: RetractionData) -> Iterator[Notice]:
    """Give the notices about a paper, oldest first."""
    found = {
        notice.words: notice
        for record in (paper.record, *(each.record for each in paper.originals))
        if not record.id.startswith(PREFIX)
        for notice, fits in _of_record(record, data)
        if fits
    }
    yield from sorted(found.values(), key=lambda each: (each.date or date.min, each.words))


def _of_another_title(record: Record, data: RetractionData) -> Iterator[str]:
    """Say which notices share an identifier with a paper and were not used for their titles."""
    for title in dict.fromkeys(
        notice.title for notice, fits in _of_record(record, data) if not fits
    ):
        yield (
            f"{record.id}: the notice is about “{title}”, but the paper is “{record.title}”; it "
            "was not used. Correct the paper's DOI or PubMed id if that is wrong."
        )


def _of_record(record: Record, data: RetractionData) -> Iterator[tuple[Notice, bool]]:
    """Give the notices that share an identifier with a record, and whether the titles agree."""
    meta = decode_meta(record.meta)
    doi, pmid = find_doi(meta.doi or ""), parse_pmid(meta.pmid or "")
    for by, shared in (
        (data.by_doi.get(doi or "", ()), Metadata(doi=doi)),
        (data.by_pmid.get(pmid or "", ()), Metadata(pmid=pmid)),
    ):
        for notice in by:
            own, other = (Document("", each, meta=shared) for each in (record.title, notice.title))
            yield notice, bool(same_paper(own, other))


def _former(paper: Paper) -> Record | None:
    """Give the record of notices that the library has from an earlier file."""
    records = (each.record for each in paper.originals)
    return next((record for record in records if record.id.startswith(PREFIX)), None)


def _mark(name: str, record: Record, notices: Sequence[Notice]) -> Document:
    """Make the record that is merged with a paper: it has the paper's own identity."""
    meta = decode_meta(record.meta)
    mark = Metadata(
        doi=meta.doi,
        pmid=meta.pmid,
        retracted=is_retracted(notices),
        notices=tuple(notice.words for notice in notices),
    )
    return Document(name, record.title, meta=mark)
