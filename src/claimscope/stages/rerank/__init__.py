"""Stages that order and cut candidates."""

__all__: list[str] = []
