"""Everything that turns a checked claim into something to look at."""

__all__: list[str] = []
