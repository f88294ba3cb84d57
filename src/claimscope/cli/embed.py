"""`claimscope library embed` and `vectors`: vectors of many papers, computed on many machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from claimscope.cli.batch import open_engine
from claimscope.cli.options import (
    ClusterOption,
    InsecureOption,
    LibraryOption,
    StoppedError,
    TlsCaOption,
    TlsCertificateOption,
    TlsKeyOption,
    WorkersOption,
)

_SHOWN_FAILURES = 10


def embed(
    paths: Annotated[
        list[str], typer.Argument(help="Files, folders or globs, as 'library add' takes them.")
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="The folder of the Parquet files to write."
        ),
    ],
    model: Annotated[
        str, typer.Option(help="The encoder: a model's name or folder.")
    ] = "claimscope-vectors",
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    tls_ca: TlsCaOption = None,
    tls_cert: TlsCertificateOption = None,
    tls_key: TlsKeyOption = None,
    insecure_cluster: InsecureOption = False,
    part_size: Annotated[int, typer.Option(min=1, help="Papers in each part.")] = 1_000,
) -> None:
    """Read papers, compute a vector of each, and write both as Parquet (extra 'cluster').

    'library add FOLDER' adds the papers, and 'library vectors FOLDER' gives the vectors to the
    library's dense retriever. The same command goes on with one that was stopped.
    """
    from claimscope._wording import counted
    from claimscope.batch.addresses import Tls
    from claimscope.batch.embedding import embed_files, spec_for
    from claimscope.cli.progress import rated, termination_interrupts
    from claimscope.cli.styles import clean

    spec = spec_for(model)
    tls = Tls(tls_ca, tls_cert, tls_key)
    try:
        with (
            termination_interrupts(),
            open_engine(workers, cluster, tls, insecure_cluster) as engine,
            rated("Embedding") as report,
        ):
            summary = embed_files(paths, spec, output, engine, part_size, report)
    except KeyboardInterrupt:
        raise StoppedError(
            f"stopped; finished parts are in {output}, and the same command goes on."
        ) from None
    for item in summary.failures[:_SHOWN_FAILURES]:
        typer.echo(clean(f"{item.place}: {item.reason}"), err=True)
    typer.echo(
        f"Embedded {counted(summary.papers, 'paper')} ({summary.resumed:,} by an earlier run); "
        f"{len(summary.failures):,} failed or were skipped. Results: {output}, "
        f"{counted(len(summary.paths), 'part')}.",
        err=True,
    )
    if not summary.papers:
        raise typer.Exit(1)


def vectors(
    folder: Annotated[Path, typer.Argument(help="The folder that 'library embed' wrote.")],
    library: LibraryOption = None,
) -> None:
    """Give vectors that were computed elsewhere to the library's dense retriever."""
    from claimscope.batch.embedding import load_vectors
    from claimscope.cli.opening import open_filled

    with open_filled(library) as opened:
        loaded, computed = load_vectors(folder, opened)
    typer.echo(f"Loaded {loaded:,} vectors; {computed:,} were not in the folder and computed here.")
