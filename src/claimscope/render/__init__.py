"""Shows checked claims: pages, charts and export files."""

__all__: list[str] = []
