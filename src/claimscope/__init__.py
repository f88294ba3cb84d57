"""Claimscope checks scientific claims against a library of papers."""

__version__ = "0.1.0"
