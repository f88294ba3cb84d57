"""Sets up the log of the service, in which no access token can appear."""

from __future__ import annotations

import logging
import re
import sys

from claimscope.service.jobs.tokens import PREFIX

# A token as it is, half of one, and whatever follows the word that announces one.
_SECRET = re.compile(rf"{PREFIX}_[0-9a-f]+_[0-9a-f]+|[0-9a-f]{{64}}|(?<=Bearer )\S+", re.IGNORECASE)


class Redacting(logging.Formatter):
    """Writes a record, tracebacks included, with whatever looks like a token taken out."""

    def format(self, record: logging.LogRecord) -> str:
        """Give the record as a line."""
        return _SECRET.sub("[token]", super().format(record))


def set_up() -> None:
    """Send the service's and the server's log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacting("%(asctime)s %(levelname)s %(message)s"))
    for name in ("claimscope.service", "uvicorn"):
        log = logging.getLogger(name)
        log.handlers = [handler]
        log.setLevel(logging.INFO)
        log.propagate = False
