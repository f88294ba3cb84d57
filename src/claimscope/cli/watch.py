"""`claimscope library watch`: follows a folder of files."""

from __future__ import annotations

from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimscope.cli.options import LibraryOption, RecheckOption

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimscope.library.protocol import ManagedLibrary
    from claimscope.sources.folder import FolderSync

_PATIENCE = 5_000
"""Milliseconds after which a library that was busy is tried again."""


def watch(
    folder: Annotated[Path, typer.Argument(help="The folder, with all below it.")],
    library: LibraryOption = None,
    once: Annotated[bool, typer.Option("--once", help="Look once, and end.")] = False,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Remove all its papers if the folder is empty.")
    ] = False,
    recheck: RecheckOption = True,
) -> None:
    """Follow a folder of PDFs, RIS, BibTeX and other files until Ctrl-C.

    Files that come, change or go add, update or remove papers of the library. Then saved
    claims are checked again. What happened while nobody watched is made up for.
    """
    from claimscope.cli.opening import open_for_writing
    from claimscope.cli.progress import termination_interrupts
    from claimscope.errors import InputError, LibraryLockedError, MissingExtraError
    from claimscope.library.location import resolve_location
    from claimscope.service.jobs.database import state_folder
    from claimscope.sources.folder import FolderSync

    watched = folder.expanduser().resolve()
    location = resolve_location(library)
    if not watched.is_dir():
        raise InputError(f"There is no folder {folder}; check the name.")
    if watched in (place := Path(location).expanduser().resolve()).parents or watched == place:
        raise InputError(f"The library {location} lies in the folder {folder}; move one of them.")
    if not once and find_spec("watchfiles") is None:
        raise MissingExtraError("Watching a folder", "watch")
    with (
        termination_interrupts(),
        open_for_writing(library, create=True, hold=False) as opened,
    ):
        name = blake2b(str(watched).encode(errors="surrogateescape"), digest_size=8).hexdigest()
        state = state_folder(opened.location) / f"folder-{name}.json"
        sync = FolderSync(opened, watched, state, allow_empty)
        is_due = True
        for has_changed in iter([True]) if once else _looks(watched):
            if not (is_due or has_changed):
                continue
            try:
                _look(sync, opened, recheck)
                is_due = False
            except LibraryLockedError as error:
                if once:
                    raise
                is_due = True
                typer.echo(f"claimscope: {error} Trying again.", err=True)


def _looks(folder: Path) -> Iterator[bool]:
    """Give True when files may have changed, and False from time to time when none did."""
    from watchfiles import watch as changes

    yield True
    for number, found in enumerate(changes(folder, rust_timeout=_PATIENCE, yield_on_timeout=True)):
        # The first look may have been long, and nobody watched during it.
        yield number == 0 or bool(found)


def _look(sync: FolderSync, library: ManagedLibrary, recheck: bool) -> None:
    from claimscope.cli.progress import counting
    from claimscope.cli.rechecks import recheck as check_again
    from claimscope.cli.styles import clean

    with counting("Reading") as count:
        done = sync.look(count)
    for item in done.failures:
        typer.echo(clean(f"{item.place}: {item.reason}"), err=True)
    if done.files or done.removed:
        typer.echo(done.sentence)
    if recheck:
        check_again(library)
