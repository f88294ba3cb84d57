"""`claimscope batch`: a file of claims in, a folder of results out; stopped and resumed."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimscope.cli.options import (
    ClusterOption,
    InsecureOption,
    LibraryOption,
    MaxErrorOption,
    PresetOption,
    StoppedError,
    TlsCaOption,
    TlsCertificateOption,
    TlsKeyOption,
    WorkersOption,
)

if TYPE_CHECKING:
    from claimscope.batch.addresses import Tls
    from claimscope.batch.checking import BatchSummary, CheckSpec
    from claimscope.batch.engine import Engine

_FILE_ENDINGS = frozenset({".csv", ".jsonl", ".json", ".parquet"})


def batch(
    claims: Annotated[
        Path, typer.Argument(help="A file of claims: CSV, JSON Lines, Parquet or plain lines.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="The folder of the results; the same command goes on in it. Default: the file's "
            "name with '-results'.",
        ),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's own name
        str | None,
        typer.Option("--format", "-f", help="jsonl, csv or parquet. Default: as the claims."),
    ] = None,
    library: LibraryOption = None,
    preset: PresetOption = None,
    max_error: MaxErrorOption = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    tls_ca: TlsCaOption = None,
    tls_cert: TlsCertificateOption = None,
    tls_key: TlsKeyOption = None,
    insecure_cluster: InsecureOption = False,
    part_size: Annotated[
        int, typer.Option(min=1, help="Claims in each part: what a killed worker repeats.")
    ] = 32,
) -> None:
    """Check a file of claims, in this process, on several, or on a Dask cluster.

    Results come in parts, in the order of the claims, and do not depend on the number of workers.
    """
    from claimscope.batch.addresses import Tls
    from claimscope.batch.checking import check_file
    from claimscope.cli.progress import rated, termination_interrupts
    from claimscope.errors import InputError

    folder = output or Path(f"{_stem(claims)}-results")
    if folder.suffix.lower() in _FILE_ENDINGS and not folder.is_dir():
        raise InputError(
            f"The results come in parts, so {folder} would be a folder; name one without "
            f"{folder.suffix}, such as {folder.with_suffix('')}."
        )
    spec = _spec(claims, format, library, preset, max_error)
    tls = Tls(tls_ca, tls_cert, tls_key)
    done = [0, 0]
    try:
        with (
            termination_interrupts(),
            open_engine(workers, cluster, tls, insecure_cluster) as engine,
            rated("Checking") as report,
        ):

            def on_progress(number: int, total: int) -> None:
                done[:] = number, total
                report(number, total)

            summary = check_file(claims, spec, folder, engine, part_size, on_progress)
    except KeyboardInterrupt:
        raise StoppedError(
            f"stopped after {done[0]:,} of {done[1]:,} claims; their results are in {folder}, and "
            "the same command goes on."
        ) from None
    typer.echo(_words(summary, folder), err=True)
    if summary.refused == summary.claims:
        raise typer.Exit(1)


def open_engine(
    workers: int | None, cluster: str | None, tls: Tls, insecure: bool
) -> AbstractContextManager[Engine]:
    """Start or find what the work is done on."""
    from claimscope.batch.engine import InProcess, cluster_workers, local_workers
    from claimscope.errors import InputError

    if workers is not None and cluster is not None:
        raise InputError("Give either --workers or --cluster.")
    if cluster is not None:
        return cluster_workers(cluster, tls, insecure)
    return nullcontext(InProcess()) if workers is None else local_workers(workers)


def _spec(
    claims: Path,
    format: str | None,  # noqa: A002 - the option's own name
    library: str | None,
    preset: str | None,
    max_error: float | None,
) -> CheckSpec:
    from claimscope.batch.checking import CheckSpec
    from claimscope.claims.files import format_of
    from claimscope.cli.opening import open_filled
    from claimscope.pipeline import preset as presets

    name = preset or presets.DEFAULT_PRESET
    given = format_of(claims)
    with open_filled(library) as opened:
        return CheckSpec(
            library=opened.location,
            revision=opened.revision,
            preset=Path(name).stem if name.endswith(".toml") else name,
            preset_text=presets.text_of(name),
            max_error=max_error,
            format=format or ("jsonl" if given == "txt" else given),
        )


def _stem(path: Path) -> str:
    """Give a file's name without its endings, such as .csv.gz."""
    return path.name.partition(".")[0] or path.name


def _words(summary: BatchSummary, folder: Path) -> str:
    from claimscope._wording import counted

    words = [f"Checked {counted(summary.claims - summary.refused, 'claim')}"]
    if summary.resumed:
        words.append(f"{summary.resumed:,} of them by an earlier run")
    if summary.refused:
        words.append(f"{summary.refused:,} could not be checked (see 'error')")
    return f"{'; '.join(words)}. Results: {folder}, {counted(len(summary.paths), 'part')}."
