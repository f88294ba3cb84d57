"""`claimscope library sync`: follows the library of a reference manager."""

from __future__ import annotations

from typing import Annotated

import typer

from claimscope.cli.options import JsonOption, LibraryOption, RecheckOption


def sync(
    source: Annotated[str, typer.Argument(help="The reference manager: zotero.")],
    library: LibraryOption = None,
    group: Annotated[
        int | None, typer.Option(min=1, help="The number of a Zotero group, not your own library.")
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(envvar="CLAIMSCOPE_ZOTERO", help="Where Zotero answers, if elsewhere."),
    ] = None,
    recheck: RecheckOption = True,
    json: JsonOption = False,
) -> None:
    """Bring the library to the state of a running Zotero; only what changed is read.

    Papers that were removed there are removed here. Interrupted, the same command goes on.
    """
    from claimscope.cli.opening import open_for_writing
    from claimscope.cli.outputs import write_json
    from claimscope.cli.progress import rated, termination_interrupts
    from claimscope.cli.rechecks import recheck as check_again
    from claimscope.errors import UnknownNameError
    from claimscope.service.jobs.database import state_folder
    from claimscope.sources.zotero.api import ADDRESS, ZoteroApi
    from claimscope.sources.zotero.sync import ZoteroSync

    if source != "zotero":
        raise UnknownNameError("reference manager", source, ["zotero"])
    api = ZoteroApi(url or ADDRESS, group)
    api.check()
    with termination_interrupts(), open_for_writing(library, create=True) as opened:
        place = state_folder(opened.location) / f"zotero-{group or 'user'}.json"
        with rated("Reading Zotero") as report:
            done = ZoteroSync(api, opened, place, group).run(report)
        if not json:
            for failure in done.failures:
                typer.echo(f"{failure.place}: {failure.reason}", err=True)
            typer.echo(done.sentence)
        verdicts = check_again(opened, quiet=json) if recheck else []
    if json:
        write_json(done.to_dict() | {"verdicts": verdicts})
