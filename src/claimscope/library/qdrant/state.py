"""What a collection says of itself in one point: its schema, its totals and who changes it.

One client at a time changes a library. It writes its name and a random beat into the state, and a
new beat every few seconds. Qdrant replaces the state only where it still holds the beat that was
read, so of two clients one succeeds. A client whose beat stands still is taken for dead. Beats are
compared, never clocks of two machines.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from dataclasses import asdict, dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from qdrant_client import models

from claimscope._version import __version__
from claimscope._wording import update_advice
from claimscope.errors import (
    LibraryDamagedError,
    LibraryError,
    LibraryLockedError,
    LibraryTooNewError,
)
from claimscope.library.qdrant.connection import READING, WRITING, Connection
from claimscope.library.record import HASH_BYTES

STATE_ID = str(UUID(int=0))
SCHEMA = 1
"""Raised when the layout of the points changes."""

_MARK = "claimscope"
_BEAT = "beat"
_MODULUS = 1 << 8 * HASH_BYTES
_PULSE = 2.0
PATIENCE = 12.0
"""Seconds after which a client that gave no sign is taken for dead."""
_LOOK = 0.5


@dataclass(frozen=True, slots=True)
class Totals:
    """The documents of a collection, added up; one change costs one addition."""

    documents: int = 0
    tokens: int = 0
    revision: int = 0

    def plus(self, content_hash: bytes, tokens: int, times: int) -> Totals:
        """Add or take away a document."""
        return Totals(
            self.documents + times,
            self.tokens + times * tokens,
            (self.revision + times * int.from_bytes(content_hash, "big")) % _MODULUS,
        )

    @property
    def average(self) -> float:
        """The average number of tokens."""
        return self.tokens / self.documents if self.documents else 0.0

    @property
    def fingerprint(self) -> str:
        """The revision as it is shown."""
        return f"{self.revision:0{2 * HASH_BYTES}x}"


@dataclass(frozen=True, slots=True)
class State:
    """What the point of the state holds."""

    beat: str
    totals: Totals = Totals()
    average: float = 0.0
    """The average length with which the documents were weighed."""
    weighed: int = 0
    """How many documents there were when all were last weighed."""
    is_weighing: bool = False
    is_clean: bool = True
    """Whether the totals hold; a client that was killed leaves them behind."""
    owner: str = ""
    version: str = __version__
    vectors: str = "none"

    def point(self) -> models.PointStruct:
        """Lay it out."""
        payload = asdict(self)
        # JSON has no integers of this size.
        payload["totals"]["revision"] = self.totals.fingerprint
        return models.PointStruct(
            id=STATE_ID, vector={}, payload={_MARK: "library", "schema": SCHEMA, **payload}
        )


def read_state(connection: Connection, patience: float = READING) -> State:
    """Read the state; a collection of another program or a newer version is refused."""
    found = connection.call(
        lambda client: client.retrieve(connection.collection, [STATE_ID]), patience
    )
    return _parse(found[0].payload if found else None, connection.address.location)


def _parse(payload: dict[str, Any] | None, where: str) -> State:
    if payload is None or payload.get(_MARK) != "library":
        raise LibraryError(
            f"The collection {where} is not a library of Claimscope; choose another name."
        )
    schema = payload.get("schema")
    if not isinstance(schema, int) or schema < 1:
        raise _damaged(where)
    if schema > SCHEMA:
        raise LibraryTooNewError(
            f"The library {where} was written by Claimscope {payload.get('version')}, whose layout "
            f"({schema}) is newer than this version's ({SCHEMA}); {update_advice()}."
        )
    try:
        totals = dict(payload["totals"])
        totals["revision"] = int(totals["revision"], 16)
        known = {name: payload[name] for name in State.__dataclass_fields__}
        return State(**{**known, "totals": Totals(**totals)})
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(where) from error


def _damaged(where: str) -> LibraryDamagedError:
    return LibraryDamagedError(
        f"The state of the library {where} cannot be read; restore a snapshot."
    )


def new_state(vectors: str) -> State:
    """Give the state of an empty collection."""
    return State(beat=uuid4().hex, vectors=vectors)


class Lease:
    """The right to change a collection, held by one client at a time."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._me = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex}"
        self._guard = threading.RLock()
        self._state: State | None = None
        self._stop = threading.Event()
        self._depth = 0
        self._is_lost = False
        self.was_clean = True
        """Whether the client before left right totals."""

    @property
    def state(self) -> State:
        """The state, while the lease is held."""
        if self._state is None or self._is_lost:
            raise self._locked()
        return self._state

    def acquire(self) -> None:
        """Take the lease; while another client is at work, `LibraryLockedError` is raised."""
        with self._guard:
            self._depth += 1
            if self._depth > 1:
                return
            try:
                self._take()
            except BaseException:
                self._depth -= 1
                raise

    def update(self, **changes: Any) -> None:
        """Write a change of the state; if another client took over, nothing more is written."""
        with self._guard:
            self._swap(replace(self.state, beat=uuid4().hex, **changes))

    def release(self, is_clean: bool) -> None:
        """Give the lease back and say whether the totals hold."""
        with self._guard:
            self._depth -= 1
            if self._depth:
                return
            self._stop.set()
            if self._state is not None and not self._is_lost:
                self.update(owner="", is_clean=is_clean)
            self._state = None

    def _take(self) -> None:
        found = read_state(self._connection)
        if found.owner:
            found = self._wait(found)
        self.was_clean, self._is_lost = found.is_clean, False
        mine = replace(found, beat=uuid4().hex, owner=self._me, version=__version__, is_clean=False)
        self._swap(mine, found)
        self._stop = threading.Event()
        threading.Thread(target=self._pulse, args=(self._stop,), daemon=True).start()

    def _wait(self, found: State) -> State:
        """Wait until the owner is done, or has given no sign for so long that it must be dead."""
        end = time.monotonic() + PATIENCE
        while found.owner and time.monotonic() < end and not _is_dead(found.owner):
            time.sleep(_LOOK)
            now = read_state(self._connection)
            if now.owner and now.beat != found.beat:
                raise self._locked()
            found = now
        return found

    def _swap(self, new: State, old: State | None = None) -> None:
        """Replace the state if it is still the one that was read."""
        before = old or self.state
        match = models.MatchValue(value=before.beat)
        unchanged = models.Filter(must=[models.FieldCondition(key=_BEAT, match=match)])
        self._connection.call(
            lambda client: client.upsert(
                self._connection.collection,
                [new.point()],
                update_filter=unchanged,
                ordering=models.WriteOrdering.STRONG,
            ),
            WRITING,
        )
        # The server does not say whether the filter matched.
        if read_state(self._connection).beat != new.beat:
            self._is_lost = True
            raise self._locked()
        self._state = new

    def _pulse(self, stop: threading.Event) -> None:
        while not stop.wait(_PULSE):
            try:
                with self._guard:
                    if stop.is_set():
                        return
                    self.update()
            except LibraryError:
                # The writing thread meets the same failure, or finds the lease lost.
                continue

    def _locked(self) -> LibraryLockedError:
        return LibraryLockedError(
            f"Another process is writing to the library {self._connection.address.location}; "
            "try again when it has finished."
        )


class Watch:
    """Tells whether somebody changes the collection now."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._beat, self._since = "", 0.0

    def is_being_written(self) -> bool:
        """Look whether the owner of the lease, if there is one, gave a sign lately."""
        state = read_state(self._connection)
        if not state.owner or _is_dead(state.owner):
            return False
        if state.beat != self._beat:
            self._beat, self._since = state.beat, time.monotonic()
        return time.monotonic() - self._since < PATIENCE


def _is_dead(owner: str) -> bool:
    """Say whether an owner was a process of this machine that has ended."""
    host, process, _ = owner.rsplit(":", 2)
    if host != socket.gethostname() or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False
