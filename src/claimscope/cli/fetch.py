"""`claimscope library fetch`: papers from PubMed and Crossref."""

from __future__ import annotations

from typing import Annotated

import typer

from claimscope.cli.options import JsonOption, LibraryOption, RecheckOption


def fetch(
    papers: Annotated[
        list[str], typer.Argument(help="pmid:NUMBER, doi:DOI, or queries of PubMed.")
    ],
    library: LibraryOption = None,
    limit: Annotated[
        int, typer.Option(min=1, help="How many papers of each query to fetch.")
    ] = 100,
    email: Annotated[
        str,
        typer.Option(envvar="CLAIMSCOPE_EMAIL", help="Your address, so that they can reach you."),
    ] = "",
    ncbi_key: Annotated[
        str, typer.Option(envvar="CLAIMSCOPE_NCBI_KEY", help="Your NCBI key, for a higher rate.")
    ] = "",
    pubmed_url: Annotated[
        str | None, typer.Option(envvar="CLAIMSCOPE_PUBMED", help="Another address of PubMed.")
    ] = None,
    crossref_url: Annotated[
        str | None, typer.Option(envvar="CLAIMSCOPE_CROSSREF", help="Another address of Crossref.")
    ] = None,
    recheck: RecheckOption = True,
    json: JsonOption = False,
) -> None:
    """Fetch papers from PubMed and Crossref; the words of the query leave this computer.

    Interrupted, the same command goes on where it was.
    """
    from claimscope.cli.opening import open_for_writing
    from claimscope.cli.outputs import write_json
    from claimscope.cli.progress import rated, termination_interrupts
    from claimscope.cli.rechecks import recheck as check_again
    from claimscope.cli.styles import clean
    from claimscope.service.jobs.database import state_folder
    from claimscope.sources import crossref, pubmed
    from claimscope.sources.fetching import Fetch, read_wanted

    wanted = read_wanted(papers, limit)
    at_pubmed = pubmed.PubMed(pubmed_url or pubmed.ADDRESS, email, ncbi_key)
    at_crossref = crossref.Crossref(crossref_url or crossref.ADDRESS, email)
    with termination_interrupts(), open_for_writing(library, create=True) as opened:
        place = state_folder(opened.location) / "fetch.json"
        with rated("Fetching") as report:
            done = Fetch(opened, at_pubmed, at_crossref, place).run(wanted, report)
        if not json:
            for failure in done.failures:
                typer.echo(clean(f"{failure.place}: {failure.reason}"), err=True)
            for name in done.missing:
                typer.echo(clean(f"{name} was not found."), err=True)
            typer.echo(done.sentence)
        verdicts = check_again(opened, quiet=json) if recheck else []
    if json:
        write_json(done.to_dict() | {"verdicts": verdicts})
