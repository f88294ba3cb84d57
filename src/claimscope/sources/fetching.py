"""Fetches papers from PubMed and Crossref into a library, batch by batch."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from claimscope._files import written_whole
from claimscope._identifiers import find_doi, parse_pmid
from claimscope._wording import by_number
from claimscope.errors import InputError, RecordError
from claimscope.ingest.record import Failure
from claimscope.library.protocol import AddReport, ManagedLibrary
from claimscope.sources.crossref import Crossref
from claimscope.sources.pubmed import TOGETHER, PubMed
from claimscope.types import Document

_DOIS_TOGETHER = 20


@dataclass
class Wanted:
    """What is still to be fetched; kept in a file, so that an interrupted fetch goes on."""

    words: list[str]
    limit: int
    queries: list[str] = field(default_factory=list)
    dois: list[str] = field(default_factory=list)
    pmids: list[str] = field(default_factory=list)

    @property
    def left(self) -> int:
        """How many papers are known to be left."""
        return len(self.dois) + len(self.pmids)


def read_wanted(words: Sequence[str], limit: int) -> Wanted:
    """Sort out what a user asks for: pmid:…, doi:…, or a query in PubMed's language."""
    wanted = Wanted(list(words), limit)
    for word in words:
        name, _, value = word.strip().partition(":")
        if name.lower() == "pmid":
            wanted.pmids.append(_required(parse_pmid(value), word, "pmid:12345678"))
        elif name.lower() == "doi" or word.lower().startswith(("10.", "https://doi.org/")):
            wanted.dois.append(_required(find_doi(word), word, "doi:10.1000/182"))
        else:
            wanted.queries.append(_required(word.strip() or None, word, "a query of PubMed"))
    return wanted


def _required(value: str | None, word: str, form: str) -> str:
    if value is None:
        raise InputError(f"{word!r} names no paper; write it like {form}.")
    return value


@dataclass
class FetchReport:
    """What became of the papers that were asked for."""

    report: AddReport = field(default_factory=AddReport)
    missing: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        """The report as one sentence."""
        report = self.report
        words = (
            f"Fetched: {report.added:,} added, {report.updated:,} updated, "
            f"{report.unchanged:,} unchanged, {len(self.missing):,} not found, "
            f"{len(self.failures):,} failed."
        )
        if report.without_abstract:
            words += f" {by_number(report.without_abstract, 'has', 'have')} no abstract."
        return words

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain values."""
        failed = [asdict(item) for item in self.failures]
        return {**self.report.counts, "missing": self.missing, "failed": failed}


class Fetch:
    """One fetch; cut short, the same one goes on after the last batch."""

    def __init__(
        self, library: ManagedLibrary, pubmed: PubMed, crossref: Crossref, place: Path
    ) -> None:
        """`place` is the file that holds what is left."""
        self._library, self._pubmed, self._crossref = library, pubmed, crossref
        self._place = place
        self._done = FetchReport()

    def run(
        self, wanted: Wanted, on_paper: Callable[[int, int], None] = lambda _done, _total: None
    ) -> FetchReport:
        """Fetch; `on_paper` is told how many papers are done, of how many."""
        wanted = self._left_of(wanted)
        while wanted.queries:
            found = self._pubmed.search(wanted.queries[0], wanted.limit)
            wanted.pmids = list(dict.fromkeys((*wanted.pmids, *found)))
            del wanted.queries[0]
            self._keep(wanted)
        total = wanted.left
        while wanted.left:
            if wanted.dois:
                self._fetch_dois(wanted)
            else:
                self._fetch_pmids(wanted)
            self._keep(wanted)
            total = max(total, wanted.left)
            on_paper(total - wanted.left, total)
        self._place.unlink(missing_ok=True)
        return self._done

    def _left_of(self, wanted: Wanted) -> Wanted:
        """Give what an interrupted fetch of the same papers left."""
        try:
            left = Wanted(**json.loads(self._place.read_bytes()))
        except (OSError, ValueError, TypeError):
            return wanted
        return left if (left.words, left.limit) == (wanted.words, wanted.limit) else wanted

    def _keep(self, wanted: Wanted) -> None:
        self._place.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(self._place) as partial:
            partial.write_text(json.dumps(asdict(wanted)), "utf-8")

    def _fetch_pmids(self, wanted: Wanted) -> None:
        asked, wanted.pmids = wanted.pmids[:TOGETHER], wanted.pmids[TOGETHER:]
        items = list(self._pubmed.records(asked))
        documents = [item for item in items if isinstance(item, Document)]
        failures = [item for item in items if isinstance(item, Failure)]
        self._done.report += self._library.add(documents)
        self._done.failures += failures
        if not failures:  # A record that failed does not say which one it was.
            had = {document.meta.pmid for document in documents}
            self._done.missing += [f"pmid:{pmid}" for pmid in asked if pmid not in had]

    def _fetch_dois(self, wanted: Wanted) -> None:
        """Fetch some DOIs; PubMed is asked for the abstracts that Crossref does not have."""
        asked, wanted.dois = wanted.dois[:_DOIS_TOGETHER], wanted.dois[_DOIS_TOGETHER:]
        documents = []
        for doi in asked:
            try:
                document = self._crossref.record(doi)
            except RecordError as error:
                self._done.failures.append(Failure(f"doi:{doi}", None, str(error)))
                continue
            if document is not None:
                documents.append(document)
            if document is None or not document.has_abstract:
                found = self._pubmed.search(f"{doi}[AID]", 2)
                # Two records for one DOI: which one is meant is not known.
                wanted.pmids += found if len(found) == 1 else []
                if document is None and len(found) != 1:
                    self._done.missing.append(f"doi:{doi}")
        self._done.report += self._library.add(documents)
