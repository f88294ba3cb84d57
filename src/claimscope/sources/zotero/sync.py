"""Brings a library to the state of a Zotero library: what was added, changed and removed there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from claimscope._wording import by_number
from claimscope.errors import RecordError, SourceError
from claimscope.ingest.record import Failure
from claimscope.library.protocol import AddReport, ManagedLibrary
from claimscope.sources.withdrawal import withdraw
from claimscope.sources.zotero.api import TOGETHER, Item, ZoteroApi
from claimscope.sources.zotero.changes import Snapshot, changed_items, look
from claimscope.sources.zotero.items import OTHER_KINDS, to_body, to_document
from claimscope.sources.zotero.state import SyncState
from claimscope.types import Document


@dataclass
class SyncReport:
    """What became of the items of Zotero."""

    report: AddReport = field(default_factory=AddReport)
    removed: int = 0
    with_text: int = 0
    failures: list[Failure] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        """The report as one sentence."""
        report = self.report
        words = (
            f"Zotero: {report.added:,} added, {report.updated:,} updated, "
            f"{report.unchanged:,} unchanged, {self.removed:,} removed, "
            f"{len(self.failures):,} failed."
        )
        if report.merged:
            merged = "was a duplicate and was merged", "were duplicates and were merged"
            words += f" {by_number(len(report.merged), *merged)}."
        if self.with_text:
            words += f" {by_number(self.with_text, 'has', 'have')} full text."
        return words

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain values."""
        failed = [asdict(item) for item in self.failures]
        counts = {"removed": self.removed, "with_text": self.with_text}
        return {**self.report.counts, **counts, "failed": failed}


class ZoteroSync:
    """One synchronisation; cut short, the next goes on after the last batch of items."""

    def __init__(
        self, api: ZoteroApi, library: ManagedLibrary, place: Path, group: int | None = None
    ) -> None:
        """`place` is the file of the state."""
        self._api, self._library, self._place = api, library, place
        self._prefix = f"zotero:g{group}/" if group else "zotero:"
        self._state = SyncState.load(place, self._prefix)
        self._done = SyncReport()
        self._newest = self._state.newest

    def run(self, on_item: Callable[[int, int], None] = lambda _done, _total: None) -> SyncReport:
        """Read what changed; `on_item` is told how many items are done, of how many."""
        self._api.check()
        now = look(self._api, self._state)
        self._remove(now)
        changed = changed_items(self._api, self._state, now)
        for start in range(0, len(changed), TOGETHER):
            keys = changed[start : start + TOGETHER]
            items = self._api.items(keys)
            failed = self._take([item for item in items if item["key"] in now.versions], now)
            self._note([key for key in keys if key not in failed], items, now)
            on_item(min(start + TOGETHER, len(changed)), len(changed))
        # Only now: items older than the newest of a first batch may still be unread.
        self._state.newest = self._newest
        self._state.parents = dict(now.parents)
        self._state.save(self._place)
        return self._done

    def _remove(self, now: Snapshot) -> None:
        """Take out what Zotero no longer has; without a state, the library tells what it had."""
        known = set(self._state.versions) or set(self._own_keys())
        gone = [key for key in known if key not in now.versions]
        self._done.removed = withdraw(self._library, [self._prefix + key for key in gone])
        for key in gone:
            self._state.versions.pop(key, None)
            self._state.collections.pop(key, None)

    def _own_keys(self) -> Iterator[str]:
        for paper in self._library.papers():
            for record in (paper.record, *(each.record for each in paper.originals)):
                key = record.id.removeprefix(self._prefix)
                if record.id != key and "/" not in key:
                    yield key

    def _take(self, items: Sequence[Item], now: Snapshot) -> set[str]:
        """Add or update papers; give the keys of those that have to be read again."""
        papers = [item for item in items if item["data"].get("itemType") not in OTHER_KINDS]
        cited = self._api.citation_keys([item["key"] for item in papers]) if papers else {}
        documents, failed = [], set()
        for item in papers:
            key = item["key"]
            name, collections = self._prefix + key, tuple(now.collections.get(key, ()))
            try:
                document = to_document(item["data"], name, collections, cited.get(key))
                documents.append(self._with_text(document, now.attachments.get(key, ())))
            except RecordError as error:
                self._done.failures.append(Failure(f"Zotero item {key}", None, str(error)))
            except SourceError as error:
                if error.status is None:
                    raise
                failed.add(key)
                self._done.failures.append(Failure(f"Zotero item {key}", None, str(error)))
        self._done.report += self._library.add(documents)
        return failed

    def _with_text(self, document: Document, attachments: Sequence[str]) -> Document:
        """Add the longest text of an item's attachments."""
        texts = filter(None, map(self._api.full_text, attachments))
        body = max(map(to_body, texts), key=len, default=())
        self._done.with_text += bool(body)
        return replace(document, body=body)

    def _note(self, keys: Sequence[str], items: Sequence[Item], now: Snapshot) -> None:
        """Keep what is done, so that an interruption loses one batch at most."""
        state = self._state
        for key in keys:
            state.versions[key] = now.versions[key]
            state.collections[key] = now.collections.get(key, [])
            for name in now.attachments.get(key, ()):
                state.full_texts[name] = now.full_texts[name]
                state.parents[name] = key
        moments = (item["data"].get("dateModified") or "" for item in items)
        self._newest = max(self._newest, *moments, "")
        state.save(self._place)
