"""Work on many claims or papers: in parts, on one process, local processes or a Dask cluster."""

__all__: list[str] = []
