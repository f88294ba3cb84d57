"""Imports files into a library in batches, and reports what became of every record."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from claimscope._wording import by_number, counted
from claimscope.errors import LibraryLockedError
from claimscope.ingest.record import Failure, Format, Skipped
from claimscope.ingest.supervisor import read_in_child
from claimscope.library.faults import library_faults
from claimscope.library.lock import LOCK_NAME, WriterLock
from claimscope.library.protocol import AddReport, Library
from claimscope.library.store import FILE_NAME, Store
from claimscope.types import Document

_DOCUMENTS = 2_000
_CHARACTERS = 8_000_000
_ROUND_DOCUMENTS = 25_000
_ROUND_SECONDS = 10.0


class Sized(Protocol):
    """A document, or what stands for one."""

    @property
    def abstract(self) -> str:
        """Its text."""


Item = TypeVar("Item", bound=Sized)


@dataclass(frozen=True, slots=True)
class Batch(Generic[Item]):
    """Documents to write in one transaction, and whether the index is to be committed after it.

    A commit of the index costs far more than one of the store, hence several batches a round.
    """

    documents: list[Item]
    ends_round: bool


def batches(documents: Iterable[Item]) -> Iterator[Batch[Item]]:
    """Give the documents in batches; the last one always ends a round.

    A batch ends when it is long, when its text is, or when a round has taken long enough: a slow
    source, such as a folder of PDFs, then loses only seconds of work to an interruption.
    """
    batch: list[Item] = []
    characters = in_round = 0
    begun = time.monotonic()
    for document in documents:
        batch.append(document)
        characters += len(document.abstract)
        late = time.monotonic() - begun > _ROUND_SECONDS
        if late or len(batch) >= _DOCUMENTS or characters >= _CHARACTERS:
            in_round += len(batch)
            ends_round = late or in_round >= _ROUND_DOCUMENTS
            yield Batch(batch, ends_round)
            batch, characters = [], 0
            if ends_round:
                in_round, begun = 0, time.monotonic()
    yield Batch(batch, ends_round=True)


@contextmanager
def kept_if_filled(folder: Path) -> Iterator[None]:
    """Remove a library that is made inside this context if no document ever came into it.

    The library must be closed when the context ends, which may be by an error. A library that was
    there before is left alone, and so are folders that were.
    """
    with library_faults(folder):
        is_new = not (folder / FILE_NAME).exists()
        missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        yield
    finally:
        if is_new:
            with library_faults(folder):
                _discard_empty(folder)
            # A folder that something else came into stays, and so do those above it.
            with suppress(OSError):
                for each in missing:
                    each.rmdir()


def _discard_empty(folder: Path) -> None:
    if not (folder / FILE_NAME).exists():
        return
    lock = WriterLock(folder / LOCK_NAME)
    try:
        lock.acquire()
    except LibraryLockedError:
        # Another process fills it.
        return
    try:
        if _is_untouched(folder):
            (folder / FILE_NAME).unlink()
            _clear(folder)
    finally:
        lock.release()


def _is_untouched(folder: Path) -> bool:
    with closing(Store(folder)) as store:
        return not store.is_current() or store.sequence == 0


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """What became of the records of some files."""

    files: int
    report: AddReport
    skipped: tuple[Skipped, ...]
    failures: tuple[Failure, ...]

    @property
    def sentence(self) -> str:
        """The report as one sentence."""
        report = self.report
        words = (
            f"{counted(self.files, 'file')}: "
            f"{report.added:,} added, {report.updated:,} updated, "
            f"{report.unchanged:,} unchanged, {len(self.skipped):,} skipped, "
            f"{len(self.failures):,} failed."
        )
        if report.merged:
            merged = "was a duplicate and was merged", "were duplicates and were merged"
            words += f" {by_number(len(report.merged), *merged)}."
        if report.without_abstract:
            words += f" {by_number(report.without_abstract, 'has', 'have')} no abstract."
        return words

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain values."""
        report = self.report
        return {
            "files": self.files,
            **report.counts,
            "skipped": [asdict(item) for item in self.skipped],
            "failed": [asdict(item) for item in self.failures],
            "merged": [asdict(item) for item in report.merged],
            "without_abstract": report.without_abstract,
        }


def import_files(
    library: Library,
    paths: Iterable[str | Path],
    format: str | None = None,  # noqa: A002 - the name that users of the library expect
    on_record: Callable[[Path], None] | None = None,
) -> ImportSummary:
    """Read files of any known format into a library; `on_record` is told each record's file.

    Another process reads them, so that no file can stop this one.
    """
    sorting = _Sorting(on_record)
    with closing(read_in_child(paths, format, sorting.begin)) as items:
        report = library.add(sorting.documents(items))
    return ImportSummary(sorting.files, report, tuple(sorting.skipped), tuple(sorting.failures))


class _Sorting:
    """Lets documents pass and keeps the rest."""

    def __init__(self, on_record: Callable[[Path], None] | None) -> None:
        self.files = 0
        self.skipped: list[Skipped] = []
        self.failures: list[Failure] = []
        self._on_record = on_record
        self._file = Path()

    def begin(self, path: Path, _format: Format) -> None:
        self.files += 1
        self._file = path

    def documents(self, items: Iterable[Document | Skipped | Failure]) -> Iterator[Document]:
        for item in items:
            match item:
                case Document():
                    yield item
                case Skipped():
                    self.skipped.append(item)
                case Failure():
                    self.failures.append(item)
            if self._on_record is not None:
                self._on_record(self._file)
