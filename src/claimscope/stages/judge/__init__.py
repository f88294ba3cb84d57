"""Stages that label abstracts."""

__all__: list[str] = []
