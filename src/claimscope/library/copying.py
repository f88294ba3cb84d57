"""Copies papers from library to library as they are, with the records they were merged from."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.library.deduplicate import Writer
from claimscope.library.identity import identities
from claimscope.library.protocol import AddReport
from claimscope.library.record import Paper, decode


class Transfer:
    """Takes papers in that are nothing new to compare with: each is put, or there already."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.report = AddReport()

    def take(self, papers: Sequence[Paper]) -> None:
        """Put papers; what is known of them is looked up together."""
        self._writer.expect([paper.record.id for paper in papers])
        for paper in papers:
            self.report += self._take(paper)

    def _take(self, paper: Paper) -> AddReport:
        record = paper.record
        stored = self._writer.content_hash(record.id)
        if stored == record.content_hash and self._has_originals(paper):
            return AddReport(unchanged=1)
        is_there = self._writer.drop(record.id)
        self._writer.drop_originals(record.id)
        document = decode(record)
        self._writer.put(record, identities(document))
        for original in paper.originals:
            self._writer.put_original(original)
        bare = int(not document.has_abstract)
        return AddReport(added=not is_there, updated=is_there, without_abstract=bare)

    def _has_originals(self, paper: Paper) -> bool:
        name = paper.record.id
        there = self._writer.originals(name) if self._writer.original(name) else []
        wanted = [(each.record.id, each.record.content_hash) for each in paper.originals]
        return wanted == [(each.id, each.content_hash) for each in there]
