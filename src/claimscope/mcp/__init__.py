"""Claimscope for assistants: a server of the Model Context Protocol with tools that only read.

- `answers.py` has the typed results, `shaping.py` makes them from cases, papers and audits.
- `tools.py` has the five tools, `verdicts.py` the resources with saved verdicts.
- `server.py` assembles and runs the server, over standard input and output or over HTTP.
"""

__all__: list[str] = []
