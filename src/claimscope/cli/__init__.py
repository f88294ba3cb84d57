"""The command line: one file per command."""

__all__: list[str] = []
