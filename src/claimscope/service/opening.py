"""Opens what a service needs, the checker warm, and closes it again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from claimscope.errors import ConfigurationError, LibraryLockedError
from claimscope.library.local import LocalLibrary
from claimscope.library.location import DEMO, open_library
from claimscope.library.lock import WriterLock
from claimscope.service import uploads
from claimscope.service.cleaning import Cleaner, wanted_uploads
from claimscope.service.jobs.database import Ledger
from claimscope.service.jobs.jobs import Jobs
from claimscope.service.jobs.saved import Verdicts
from claimscope.service.jobs.tokens import Tokens
from claimscope.service.metrics import Metrics
from claimscope.service.presets import Offered
from claimscope.service.settings import Settings
from claimscope.service.state import Service
from claimscope.service.watching import Watcher
from claimscope.service.worker import Worker

_LOCK_NAME = "service.lock"
_WARMING = "Aspirin lowers the risk of heart attack."


@contextmanager
def open_service(settings: Settings) -> Iterator[Service]:
    """Open the library, making a missing one, and load the model once."""
    with (
        open_library(settings.library, create=settings.library != DEMO) as library,
        _alone(library),
        closing(Ledger(Path(library.location))) as ledger,
    ):
        service = _assemble(settings, library, ledger)
        if settings.needs_token and not service.tokens.all():
            raise ConfigurationError(
                f"Other computers can reach {settings.host}, so clients need an access token, "
                "and the library has none; make one with 'claimscope serve token create NAME'."
            )
        for batcher in service.offered:
            batcher.checker.check(_WARMING)
        yield service


def _assemble(settings: Settings, library: LocalLibrary, ledger: Ledger) -> Service:
    jobs, verdicts, metrics = Jobs(ledger), Verdicts(ledger), Metrics()
    uploads.discard_strays(Path(library.location), wanted_uploads(jobs))
    offered = Offered.open(settings.presets, library, settings.limits, metrics)
    worker = Worker(jobs, verdicts, library, offered)
    return Service(
        settings=settings,
        library=library,
        ledger=ledger,
        jobs=jobs,
        verdicts=verdicts,
        tokens=Tokens(ledger),
        offered=offered,
        worker=worker,
        watcher=Watcher(library, jobs, verdicts, offered, worker),
        cleaner=Cleaner(settings, ledger, jobs),
        metrics=metrics,
    )


@contextmanager
def _alone(library: LocalLibrary) -> Iterator[None]:
    """Hold the right to serve a library; two services would both work on its jobs."""
    lock = WriterLock(Path(library.location) / _LOCK_NAME)
    try:
        lock.acquire()
    except LibraryLockedError:
        raise LibraryLockedError(
            f"Another service runs on the library {library.location}; stop it, or use that one."
        ) from None
    try:
        yield
    finally:
        lock.release()
