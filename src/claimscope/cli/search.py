"""`claimscope search`: look for papers without judging them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from claimscope.cli.options import (
    DesignOption,
    FromYearOption,
    JsonOption,
    LanguageOption,
    LibraryOption,
    RetractedOption,
    ToYearOption,
    read_filter,
)


def search(
    query: Annotated[str, typer.Argument(help="Words to look for.")],
    library: LibraryOption = None,
    k: Annotated[int, typer.Option("-k", min=1, max=10_000, help="How many to show.")] = 10,
    from_year: FromYearOption = None,
    to_year: ToYearOption = None,
    design: DesignOption = None,
    language: LanguageOption = None,
    retracted: RetractedOption = None,
    passages: Annotated[
        bool, typer.Option("--passages", help="Search the full texts and show their passages.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Rank the library's papers by BM25."""
    import json as json_format

    from claimscope.claims.reading import read_claim
    from claimscope.cli.opening import open_filled
    from claimscope.cli.render import console, heading
    from claimscope.errors import InputError
    from claimscope.library.filters import Filter

    text = read_claim(query).text
    where = read_filter(from_year, to_year, design, language, retracted)
    if passages:
        if where != Filter():
            raise InputError("Filters work for papers only; leave them out with --passages.")
        _search_passages(text, library, k, json)
        return
    with open_filled(library) as opened:
        [hits] = opened.search([text], k, where)
        documents = opened.get([hit.document_id for hit in hits])
    out = console()
    for rank, (hit, document) in enumerate(zip(hits, documents, strict=True), start=1):
        if json:
            row = {
                "rank": rank,
                "id": document.id,
                "title": document.title,
                "score": round(hit.score, 6),
            }
            sys.stdout.write(json_format.dumps(row, ensure_ascii=False) + "\n")
        else:
            out.print(f"{rank:>3}  {hit.score:6.2f} ", heading(document))
    if not hits and not json:
        out.print("No paper of the library shares a searchable word with the query.")


def _search_passages(text: str, library: str | None, k: int, json: bool) -> None:
    import json as json_format
    from dataclasses import asdict

    from rich.text import Text

    from claimscope.cli.opening import open_filled
    from claimscope.cli.render import console, heading
    from claimscope.cli.styles import clean
    from claimscope.errors import InputError
    from claimscope.library.protocol import PassageSearch

    with open_filled(library) as opened:
        if not isinstance(opened, PassageSearch):
            raise InputError(f"The library {opened.location} does not search full texts.")
        [hits] = opened.search_passages([text], k)
        documents = opened.get([hit.document_id for hit in hits])
    out = console()
    for rank, (hit, document) in enumerate(zip(hits, documents, strict=True), start=1):
        if json:
            sys.stdout.write(json_format.dumps({"rank": rank} | asdict(hit)) + "\n")
            continue
        # In a small library BM25 gives passages almost nothing, so the order is shown alone.
        page = "" if hit.page is None else f"page {hit.page}"
        place = ", ".join(filter(None, (hit.heading, page)))
        out.print(f"{rank:>3} ", heading(document))
        out.print(Text(f"     {clean(place)}: {clean(hit.text)}"))
    if not hits and not json:
        out.print("No full text of the library shares a searchable word with the query.")
