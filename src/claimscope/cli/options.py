"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from claimscope.library.filters import Filter


def read_filter(
    from_year: int | None,
    to_year: int | None,
    designs: list[str] | None,
    languages: list[str] | None,
    retracted: bool | None,
) -> Filter:
    """Give the papers that the options let be found."""
    from claimscope.library.filters import Filter

    return Filter(from_year, to_year, tuple(designs or ()), tuple(languages or ()), retracted)


class StoppedError(Exception):
    """A command was interrupted and says how to go on."""


def _share(text: str) -> float:
    """Read a share written as 10% or 0.1."""
    number = text.strip().removesuffix("%")
    try:
        value = float(number)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a share; write 10% or 0.1.") from None
    return value / 100 if number != text.strip() else value


LibraryOption = Annotated[
    str | None,
    typer.Option(
        "--library",
        "-l",
        metavar="PATH",
        help="The library's folder, its URL (qdrant://HOST:PORT/NAME), or 'demo' for the built-in "
        "one. Default: "
        "$CLAIMSCOPE_LIBRARY, else your own library, else the built-in one.",
    ),
]
StateOption = Annotated[
    str | None,
    typer.Option(
        "--state",
        metavar="FOLDER",
        help="Where jobs, saved verdicts and tokens are kept if the library is on a server.",
    ),
]
PresetOption = Annotated[
    str | None,
    typer.Option("--preset", "-p", help="The pipeline to use: a preset's name or a TOML file."),
]
MaxErrorOption = Annotated[
    float | None,
    typer.Option(
        "--max-error",
        metavar="SHARE",
        parser=_share,
        help="Tolerated share of wrong labels, such as 10%: abstracts whose label is too uncertain "
        "do not count towards the verdict.",
    ),
]
FromYearOption = Annotated[
    int | None, typer.Option("--from-year", metavar="YEAR", help="Only papers of this year on.")
]
ToYearOption = Annotated[
    int | None, typer.Option("--to-year", metavar="YEAR", help="Only papers up to this year.")
]
DesignOption = Annotated[
    list[str] | None,
    typer.Option(
        "--design",
        help="Only papers of this study type or publication type; may be given several times.",
    ),
]
LanguageOption = Annotated[
    list[str] | None,
    typer.Option("--language", help="Only papers in this language; may be given several times."),
]
RetractedOption = Annotated[
    bool | None,
    typer.Option(
        "--retracted/--no-retracted", help="Only papers marked as retracted, or none of them."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON for machines.")]
RecheckOption = Annotated[
    bool,
    typer.Option(
        "--recheck/--no-recheck", help="Check saved claims again, and list verdicts that change."
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(min=1, help="Work in this many processes on this computer (extra 'cluster')."),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Work on a Dask cluster: tls://HOST:PORT, or tcp://127.0.0.1:PORT (extra 'cluster').",
    ),
]
TlsCaOption = Annotated[
    Path | None,
    typer.Option("--tls-ca", metavar="FILE", help="Certificate of the authority to trust."),
]
TlsCertificateOption = Annotated[
    Path | None,
    typer.Option("--tls-cert", metavar="FILE", help="Certificate that proves who you are."),
]
TlsKeyOption = Annotated[
    Path | None, typer.Option("--tls-key", metavar="FILE", help="Private key of --tls-cert.")
]
InsecureOption = Annotated[
    bool,
    typer.Option(
        "--insecure-cluster",
        help="Allow tcp:// to another computer, where anyone on the network can take part.",
    ),
]
