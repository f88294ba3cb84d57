"""Stages that turn labels into a verdict."""

__all__: list[str] = []
