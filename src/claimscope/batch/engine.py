"""Where the parts of a batch are worked on: in this process, or on a Dask cluster.

Dask's transport carries pickled Python objects. It is therefore used with TLS, or on the loopback
of this computer; see `addresses`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from claimscope.batch.addresses import Tls, check_address, cluster_security
from claimscope.batch.parts import Finished, Part
from claimscope.errors import ClusterError, MissingExtraError

if TYPE_CHECKING:
    from distributed import Client, Future

_LOST = (
    "The connection to the Dask scheduler was lost; start the cluster and run the same command "
    "again, which goes on where this one stopped."
)

Spec = TypeVar("Spec")
Work = Callable[[Spec, Part[Any]], Finished]

_WORKER_SECONDS = 60
_CONNECT_SECONDS = 10
_AHEAD = 2
"""Parts for each thread of the cluster that are given out at once."""


class Engine(Protocol):
    """Works on parts, and gives each result as soon as there is one."""

    def run(self, work: Work[Spec], spec: Spec, parts: Iterable[Part[Any]]) -> Iterator[Finished]:
        """Work on all parts; results come in any order."""


class InProcess:
    """Works on one part after another in this process."""

    def run(self, work: Work[Spec], spec: Spec, parts: Iterable[Part[Any]]) -> Iterator[Finished]:
        """Work on all parts in order."""
        return (work(spec, part) for part in parts)


@dataclass(frozen=True, slots=True)
class OnCluster:
    """Works on the workers of a Dask cluster; a worker that dies costs only its running parts."""

    client: Client

    def run(self, work: Work[Spec], spec: Spec, parts: Iterable[Part[Any]]) -> Iterator[Finished]:
        """Work on all parts, with no more of them in memory than the workers need."""
        from distributed import as_completed

        waiting, running = iter(parts), as_completed(loop=self.client.loop)
        given: dict[Future[Any], Part[Any]] = {}
        try:
            self._give(work, spec, waiting, given, running)
            for future in running:
                yield _result(future, given.pop(future))
                self._give(work, spec, waiting, given, running)
        finally:
            self.client.cancel(list(given))

    def _give(
        self,
        work: Work[Spec],
        spec: Spec,
        waiting: Iterator[Part[Any]],
        given: dict[Future[Any], Part[Any]],
        running: Any,
    ) -> None:
        most = _AHEAD * max(1, self._threads())
        while len(given) < most and (part := next(waiting, None)) is not None:
            future = self.client.submit(work, spec, part, pure=False)
            given[future] = part
            running.add(future)

    def _threads(self) -> int:
        try:
            return sum(self.client.nthreads().values())
        except OSError:
            raise ClusterError(_LOST) from None


def _result(future: Future[Any], part: Part[Any]) -> Finished:
    from distributed.client import CancelledError
    from distributed.scheduler import KilledWorker

    try:
        result: Finished = future.result()
    except KilledWorker:
        raise ClusterError(
            f"Several workers ended while they worked on part {part.index}; give the workers more "
            "memory, look into their logs, and run the same command again."
        ) from None
    except CancelledError:
        raise ClusterError(_LOST) from None
    except ModuleNotFoundError as error:
        raise ClusterError(
            f"The cluster's workers lack the module {error.name}; install the same version of "
            "Claimscope there as here."
        ) from None
    return result


@contextmanager
def local_workers(number: int) -> Iterator[OnCluster]:
    """Start processes on this computer, which speak TLS with certificates that are not stored."""
    _require_dask()
    from distributed import Client, LocalCluster
    from distributed.security import Security

    threads = max(1, _cores() // number)
    with (
        LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            host="127.0.0.1",
            protocol="tls",
            security=Security.temporary(),
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            memory_limit=0,
            silence_logs=logging.CRITICAL,
            preload=["claimscope.batch.worker_setup"],
            env={"CLAIMSCOPE_THREADS": os.environ.get("CLAIMSCOPE_THREADS", str(threads))},
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield OnCluster(client)


@contextmanager
def cluster_workers(address: str, tls: Tls, insecure: bool = False) -> Iterator[OnCluster]:
    """Connect to a running Dask scheduler and wait for its first worker."""
    check_address(address, insecure)
    _require_dask()
    from distributed import Client

    security = cluster_security(address, tls)
    _silence()
    try:
        client = Client(address, security=security, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"No Dask scheduler answers at {address} ({error}); start one with 'dask scheduler', "
            "or check the address and the certificates."
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_WORKER_SECONDS)
        except TimeoutError:
            raise ClusterError(
                f"The Dask scheduler at {address} has no workers; start some with 'dask worker "
                f"{address} --nthreads 1'."
            ) from None
        yield OnCluster(client)


def _silence() -> None:
    """Keep Dask from writing tracebacks of lost connections, which become one sentence here."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _require_dask() -> None:
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in ("distributed", "cryptography")):
        raise MissingExtraError("Work on several processes", "cluster")
