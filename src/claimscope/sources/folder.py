"""Keeps a library in step with a folder of files: adds, updates and removes what they hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path

from claimscope._files import written_whole
from claimscope._wording import counted
from claimscope.errors import InputError
from claimscope.ingest.files import expand
from claimscope.ingest.record import Failure, Skipped
from claimscope.ingest.supervisor import read_in_child
from claimscope.library.protocol import AddReport, ManagedLibrary
from claimscope.sources.withdrawal import withdraw
from claimscope.types import Document

_TOGETHER = 50
"""Files after which the state is written; a kill loses no more than the reading of these."""


@dataclass(frozen=True, slots=True)
class FileState:
    """What is known of a file that was read."""

    size: int
    modified: int
    """In nanoseconds."""
    ids: tuple[str, ...] = ()
    """Of the records in it."""

    def is_like(self, other: FileState | None) -> bool:
        """Whether the file is as it was when it was read."""
        return other is not None and (self.size, self.modified) == (other.size, other.modified)


@dataclass
class FolderReport:
    """What one look at a folder changed."""

    files: int = 0
    report: AddReport = field(default_factory=AddReport)
    removed: int = 0
    failures: list[Failure | Skipped] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        """The report as one sentence."""
        report = self.report
        return (
            f"{counted(self.files, 'file')} read: {report.added:,} added, "
            f"{report.updated:,} updated, {report.unchanged:,} unchanged; "
            f"{self.removed:,} removed, {len(self.failures):,} failed or skipped."
        )


class FolderSync:
    """Follows one folder; what was read of it is kept in a file, so that a kill loses little."""

    def __init__(
        self, library: ManagedLibrary, folder: Path, place: Path, allow_empty: bool = False
    ) -> None:
        """`place` is the file of the state; an empty folder empties the library only if allowed."""
        self._library, self._folder, self._place = library, folder, place
        self._allow_empty = allow_empty
        self._files = _load(place)

    def look(self, on_file: Callable[[str], None] = lambda _: None) -> FolderReport:
        """Read the files that changed, and take out the records that no file holds any more."""
        done = FolderReport()
        now = self._walk(done)
        changed = [path for path, found in now.items() if not found.is_like(self._files.get(path))]
        for start in range(0, len(changed), _TOGETHER):
            some = {path: now[path] for path in changed[start : start + _TOGETHER]}
            self._read(some, done, on_file)
        gone = [path for path in self._files if path not in now and not self._is_hidden(path, done)]
        if gone:
            self._forget(gone, done)
        return done

    def _walk(self, done: FolderReport) -> dict[str, FileState]:
        if not self._folder.is_dir():
            raise InputError(
                f"There is no folder {self._folder}; the library was left as it is. Check the "
                "name, and that its disk is there."
            )
        found: dict[str, FileState] = {}
        for each in expand(str(self._folder)):
            if isinstance(each, Failure):
                done.failures.append(each)
                continue
            try:
                status = each.stat()
            except OSError:  # Gone since it was listed; the next look sees the same.
                continue
            found[str(each)] = FileState(status.st_size, status.st_mtime_ns)
        if self._files and not found and not self._allow_empty:
            raise InputError(
                f"The folder {self._folder} is empty, though it had "
                f"{counted(len(self._files), 'file')}; the library was left as it is. If the files "
                "are really gone, say --allow-empty."
            )
        return found

    def _is_hidden(self, path: str, done: FolderReport) -> bool:
        """Whether a file may still be there, in a folder that cannot be read now."""
        return any(Path(each.file) in Path(path).parents for each in done.failures)

    def _read(
        self, files: dict[str, FileState], done: FolderReport, on_file: Callable[[str], None]
    ) -> None:
        reading = _Reading(files, on_file)
        done.report += self._library.add(reading.documents())
        done.files += len(files)
        done.failures += reading.failures
        failed = {each.file for each in reading.failures if isinstance(each, Failure)}
        former: set[str] = set()
        for path, found in files.items():
            before = self._files[path].ids if path in self._files else ()
            # What a broken file held may be in it again when it is repaired.
            kept = before if path in failed else ()
            former.update(before)
            ids = tuple(dict.fromkeys((*reading.ids[path], *kept)))
            self._files[path] = FileState(found.size, found.modified, ids)
        done.removed += withdraw(self._library, former - self._owned())
        self._save()

    def _forget(self, gone: Sequence[str], done: FolderReport) -> None:
        ids = {name for path in gone for name in self._files.pop(path).ids}
        done.removed += withdraw(self._library, ids - self._owned())
        self._save()

    def _owned(self) -> set[str]:
        return {name for found in self._files.values() for name in found.ids}

    def _save(self) -> None:
        self._place.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(self._place) as partial:
            state = {path: asdict(found) for path, found in self._files.items()}
            partial.write_text(json.dumps(state), "utf-8")


class _Reading:
    """Reads files in another process, and notes which record came from which file."""

    def __init__(self, files: Collection[str], on_file: Callable[[str], None]) -> None:
        self.ids: dict[str, list[str]] = {path: [] for path in files}
        self.failures: list[Failure | Skipped] = []
        self._on_file = on_file
        self._file = ""

    def documents(self) -> Iterator[Document]:
        for path in self.ids:
            self._on_file(Path(path).name)
        with closing(read_in_child(list(self.ids), None, self._begin)) as items:
            for item in items:
                if isinstance(item, Document):
                    self.ids[self._file].append(item.id)
                    yield item
                else:
                    self.failures.append(item)

    def _begin(self, path: Path, _format: object) -> None:
        self._file = str(path)


def _load(place: Path) -> dict[str, FileState]:
    try:
        state = json.loads(place.read_bytes())
        return {
            path: FileState(each["size"], each["modified"], tuple(each["ids"]))
            for path, each in state.items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}
