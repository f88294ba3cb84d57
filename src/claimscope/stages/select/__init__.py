"""Stages that choose rationale sentences."""

__all__: list[str] = []
