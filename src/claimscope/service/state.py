"""What a running service holds, from start to stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from claimscope.library.local import LocalLibrary
from claimscope.library.location import DEMO
from claimscope.service.batching import Batcher
from claimscope.service.cleaning import Cleaner
from claimscope.service.jobs.database import Ledger
from claimscope.service.jobs.jobs import Jobs
from claimscope.service.jobs.saved import Verdicts
from claimscope.service.jobs.tokens import Tokens
from claimscope.service.metrics import Metrics
from claimscope.service.presets import Offered
from claimscope.service.problems import ServiceError
from claimscope.service.settings import Settings
from claimscope.service.watching import Watcher
from claimscope.service.worker import Worker


@dataclass(frozen=True)
class Service:
    """The parts that routes work with."""

    settings: Settings
    library: LocalLibrary
    ledger: Ledger
    jobs: Jobs
    verdicts: Verdicts
    tokens: Tokens
    offered: Offered
    worker: Worker
    watcher: Watcher
    cleaner: Cleaner
    metrics: Metrics

    @property
    def batcher(self) -> Batcher:
        """Checks claims with the preset that is used where a client names none."""
        return self.offered.default

    def require_changeable(self) -> None:
        """Refuse to change the demonstration library."""
        if self.settings.library == DEMO:
            raise ServiceError(
                409,
                "The demonstration library cannot be changed; start the service with "
                "--library and a folder of your own.",
            )


async def service_of(request: Request) -> Service:
    """Give the service that answers a request."""
    return cast(Service, request.app.state.service)


ServiceOf = Annotated[Service, Depends(service_of)]
