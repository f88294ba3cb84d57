"""The stages of a pipeline: retrieve, rerank, select, judge and decide."""

__all__: list[str] = []
