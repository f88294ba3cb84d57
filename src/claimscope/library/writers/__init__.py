"""Writes papers to files that other programs read, one module per format."""
