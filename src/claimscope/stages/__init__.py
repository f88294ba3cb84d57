"""The stages of a pipeline: retrieve, rerank, select, judge and decide."""
