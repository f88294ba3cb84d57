"""Loaded by Dask into each local worker process."""

from __future__ import annotations

import signal
from typing import Any


def dask_setup(worker: Any) -> None:
    """Leave Ctrl-C to the process that started the workers, which ends them in order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
