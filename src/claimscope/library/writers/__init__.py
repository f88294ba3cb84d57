"""Writes papers to files that other programs read, one module a format."""
