"""The parts of a running service, how they are opened, and how routes get them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, cast

from fastapi import Depends, Request

from claimscope.errors import ConfigurationError, LibraryLockedError
from claimscope.library.location import DEMO, open_library
from claimscope.library.lock import WriterLock
from claimscope.library.protocol import ManagedLibrary
from claimscope.service.batching import Batcher
from claimscope.service.jobs import imports
from claimscope.service.jobs.database import Database, state_folder
from claimscope.service.jobs.expiry import Cleaner, wanted_uploads
from claimscope.service.jobs.queue import Jobs
from claimscope.service.jobs.recheck import Watcher
from claimscope.service.jobs.saved import Verdicts
from claimscope.service.jobs.tokens import Tokens
from claimscope.service.jobs.worker import Worker
from claimscope.service.lanes import Searches
from claimscope.service.middleware import Metrics
from claimscope.service.presets import Presets
from claimscope.service.problems import ServiceError
from claimscope.service.settings import Settings

_LOCK_NAME = "service.lock"


@dataclass(frozen=True)
class Service:
    """The parts of a running service that routes use."""

    settings: Settings
    library: ManagedLibrary
    database: Database
    jobs: Jobs
    verdicts: Verdicts
    tokens: Tokens
    presets: Presets
    searches: Searches
    worker: Worker
    watcher: Watcher
    cleaner: Cleaner
    metrics: Metrics

    @property
    def batcher(self) -> Batcher:
        """The batcher of the default preset."""
        return self.presets.default

    def require_changeable(self) -> None:
        """Answer 409 if the library is the demonstration library."""
        if self.settings.library == DEMO:
            raise ServiceError(
                409,
                "The demonstration library cannot be changed; start the service with "
                "--library and a folder of your own.",
            )


async def service_of(request: Request) -> Service:
    """Return the service that answers a request."""
    return cast(Service, request.app.state.service)


ServiceOf = Annotated[Service, Depends(service_of)]


@contextmanager
def open_service(settings: Settings) -> Iterator[Service]:
    """Open the library, creating it if it is missing, and load the models."""
    with (
        open_library(settings.library, create=settings.library != DEMO) as library,
        _locked(folder := state_folder(settings.library, settings.state), library.location),
        closing(Database(folder)) as database,
    ):
        service = _assemble(settings, library, database)
        if settings.needs_token and not service.tokens.all():
            raise ConfigurationError(
                f"Other computers can reach {settings.host}, so clients need an access token, but "
                "the library has none; create one with 'claimscope serve token create NAME'."
            )
        for batcher in service.presets:
            batcher.warm_up()
        yield service


def _assemble(settings: Settings, library: ManagedLibrary, database: Database) -> Service:
    jobs, verdicts, metrics = Jobs(database), Verdicts(database), Metrics()
    imports.discard_strays(database.folder, wanted_uploads(jobs))
    presets = Presets.open(settings.presets, library, settings.limits, metrics)
    worker = Worker(jobs, verdicts, library, presets, database.folder)
    return Service(
        settings=settings,
        library=library,
        database=database,
        jobs=jobs,
        verdicts=verdicts,
        tokens=Tokens(database),
        presets=presets,
        searches=Searches(settings.limits, metrics),
        worker=worker,
        watcher=Watcher(library, jobs, verdicts, presets.names, worker.wake),
        cleaner=Cleaner(settings, database, jobs),
        metrics=metrics,
    )


@contextmanager
def _locked(folder: Path, library: str) -> Iterator[None]:
    """Lock the folder of the jobs for one service; two services would both run them."""
    lock = WriterLock(folder / _LOCK_NAME)
    try:
        lock.acquire()
    except LibraryLockedError:
        raise LibraryLockedError(
            f"Another service already uses the library {library} with the jobs in {folder}; "
            "stop it, use it, or give this one a folder of its own with --state."
        ) from None
    try:
        yield
    finally:
        lock.release()
