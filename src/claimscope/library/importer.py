"""Takes files into a library and tells what became of every record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from claimscope._wording import by_number, counted
from claimscope.ingest.record import Failure, Format, Skipped
from claimscope.ingest.supervisor import read_in_child
from claimscope.library.protocol import AddReport, Library
from claimscope.types import Document


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """What became of the records of some files."""

    files: int
    report: AddReport
    skipped: tuple[Skipped, ...]
    failures: tuple[Failure, ...]

    @property
    def sentence(self) -> str:
        """Say it to a person."""
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
            "added": report.added,
            "updated": report.updated,
            "unchanged": report.unchanged,
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
