"""Stages that find candidates."""

__all__: list[str] = []
