"""Starts the server for assistants; `uv` installs what `pyproject.toml` names."""

from claimscope.cli.mcp import mcp

if __name__ == "__main__":
    mcp()
