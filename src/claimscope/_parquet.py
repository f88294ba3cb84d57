"""Reads and writes Parquet; pyarrow, from the extra "cluster", is imported when it is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimscope.errors import FormatError, InputError, MissingExtraError


@dataclass(frozen=True, slots=True)
class ParquetTable:
    """An open Parquet file."""

    file: Any
    names: tuple[str, ...]

    def rows(self, columns: Sequence[str], batch: int) -> Iterator[tuple[Any, ...]]:
        """Give rows as plain values, with so many in memory at once."""
        try:
            for part in self.file.iter_batches(batch_size=batch, columns=list(columns)):
                yield from zip(*(part.column(name).to_pylist() for name in columns), strict=True)
        except (OSError, ValueError) as error:
            raise FormatError(
                f"The Parquet data are damaged ({error}); write them again."
            ) from None


@contextmanager
def open_parquet(path: Path) -> Iterator[ParquetTable]:
    """Open a Parquet file for reading."""
    parquet = _pyarrow()
    try:
        file = parquet.ParquetFile(path)
    except FileNotFoundError:
        raise InputError(f"There is no file {path}; check the name.") from None
    except (OSError, ValueError) as error:
        raise FormatError(f"{path.name} is no Parquet file ({error}); write it again.") from None
    with file:
        yield ParquetTable(file, tuple(file.schema_arrow.names))


def parquet_bytes(
    rows: Iterable[Mapping[str, Any]],
    schema: Mapping[str, str],
    vector: tuple[str, Any] | None = None,
) -> bytes:
    """Write rows as one Parquet file; the schema names the columns with Arrow's types.

    A column of vectors, a matrix with one row for each, may be added.
    """
    parquet = _pyarrow()
    import pyarrow

    fields = [pyarrow.field(name, pyarrow.type_for_alias(kind)) for name, kind in schema.items()]
    table = pyarrow.Table.from_pylist(list(rows), pyarrow.schema(fields))
    if vector is not None:
        name, matrix = vector
        flat = pyarrow.array(matrix.reshape(-1))
        column = pyarrow.FixedSizeListArray.from_arrays(flat, matrix.shape[1])
        table = table.append_column(name, column)
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd")
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _pyarrow() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError("Parquet", "cluster") from error
    return pyarrow.parquet
