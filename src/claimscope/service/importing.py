"""Takes uploaded files into the library, with the names their owners gave them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from claimscope.ingest.record import Failure, Skipped
from claimscope.ingest.supervisor import read_in_child
from claimscope.library.importer import ImportSummary
from claimscope.library.protocol import Library
from claimscope.types import Document


def run_import(
    library: Library,
    names: Mapping[Path, str],
    on_record: Callable[[int], bool],
) -> dict[str, Any]:
    """Import files and say what became of them.

    `names` gives every file the name to show. `on_record` is told how many records were read, with
    each of them and several times a second while there is none, and says whether to go on; what
    was read before stays in the library.
    """
    shown = {str(path): name for path, name in names.items()}
    own = {path.name: name for path, name in names.items()}
    failures: list[Failure] = []
    count = 0

    def documents(items: Iterable[Document | Skipped | Failure]) -> Iterator[Document]:
        nonlocal count
        for item in items:
            count += 1
            match item:
                case Document():
                    source = own.get(item.meta.source or "", item.meta.source)
                    yield replace(item, meta=replace(item.meta, source=source))
                case Failure():
                    failures.append(replace(item, file=shown.get(item.file, "file")))
            if not on_record(count):
                return

    with closing(read_in_child(names, go_on=lambda: on_record(count))) as items:
        report = library.add(documents(items))
    return ImportSummary(len(names), report, (), tuple(failures)).to_dict()
