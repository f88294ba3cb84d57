"""Takes uploaded files into the library, with the names their owners gave them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from claimscope.ingest.files import read
from claimscope.ingest.record import Failure, Skipped
from claimscope.library.importer import ImportSummary
from claimscope.library.protocol import Library
from claimscope.types import Document


def run_import(
    library: Library,
    names: Mapping[Path, str],
    on_record: Callable[[int], bool],
) -> dict[str, Any]:
    """Import files and say what became of them.

    `names` gives every file the name to show. `on_record` is told how many records were read and
    says whether to go on; what was read before stays in the library.
    """
    shown = {str(path): name for path, name in names.items()}
    own = {path.name: name for path, name in names.items()}
    failures: list[Failure] = []

    def documents(items: Iterable[Document | Skipped | Failure]) -> Iterator[Document]:
        for count, item in enumerate(items, start=1):
            match item:
                case Document():
                    source = own.get(item.meta.source or "", item.meta.source)
                    yield replace(item, meta=replace(item.meta, source=source))
                case Failure():
                    failures.append(replace(item, file=shown.get(item.file, "file")))
            if not on_record(count):
                return

    report = library.add(documents(read(names)))
    return ImportSummary(len(names), report, (), tuple(failures)).to_dict()
