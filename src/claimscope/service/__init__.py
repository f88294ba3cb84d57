"""Claimscope over HTTP.

- `api/` has the routes of the REST API, `web/` the web pages. `schemas.py` describes the API's
  answers, and `client.py` is a client for it.
- Both call `documents.py`, `verdicts.py` and `jobs/actions.py`, and check claims through
  `presets.py`, `batching.py` and `streaming.py`. `claim_input.py` reads the claims of a request.
- `jobs/` does the work in the background and has all tables: jobs, saved verdicts, tokens.
- `middleware.py`, `limiting.py`, `security.py`, `problems.py`, `metrics.py` apply to every request.
- `settings.py`, `state.py`, `app.py` and `server.py` configure, open, assemble and run a service.
"""

__all__ = ["client"]
