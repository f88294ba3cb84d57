"""Connections that cannot be held for nothing: whoever asks or reads too slowly is let go.

uvicorn limits the size of headers and the pause between two requests. It has no limit on how long
a client takes to send its headers, to send a body that nobody waits for, or to read an answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from claimscope.service.settings import Limits


def guarded(limits: Limits) -> type[H11Protocol]:
    """Give the kind of connection that keeps these limits."""
    return type("GuardedConnection", (GuardedConnection,), {"limits": limits})


class GuardedConnection(H11Protocol):
    """HTTP/1.1 with a clock for the client's part: asking, and reading what it asked for."""

    limits: ClassVar[Limits] = Limits()
    _since: float = 0.0
    _asking: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered, so that it is the client's turn."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request; if there are too many connections, one of them ends."""
        super().connection_made(transport)
        self._since = self.loop.time()
        if len(self.connections) > self.limits.connections:
            self._make_room()
        self._set_clocks()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._stop_asking()
        self._stop_reading()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request; only a whole head stops the clock."""
        super().data_received(data)
        self._set_clocks()

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the last answer to be read."""
        super().on_response_complete()
        self._since = self.loop.time()
        self._set_clocks()

    def timeout_keep_alive_handler(self) -> None:
        """End a connection on which no further request came."""
        super().timeout_keep_alive_handler()
        self._set_clocks()

    def pause_writing(self) -> None:
        """Give the client time to read what was sent before more is."""
        super().pause_writing()
        self._reading = self._reading or self._later(self.limits.reading_seconds, self._let_go)

    def resume_writing(self) -> None:
        """Go on, since the client has read."""
        super().resume_writing()
        self._stop_reading()
        self._set_clocks()

    def _set_clocks(self) -> None:
        if self.transport.is_closing():
            self._stop_asking()
            if self.transport.get_write_buffer_size() and self._reading is None:
                self._reading = self._later(self.limits.reading_seconds, self._let_go)
        elif not self.is_idle:
            self._stop_asking()
        elif self._asking is None:
            self._asking = self._later(self.limits.header_seconds, self._give_up)

    def _stop_asking(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _later(self, seconds: float, act: Callable[[], None]) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, act)

    def _give_up(self) -> None:
        """End a connection whose client has not asked; answers that are on their way arrive."""
        self._asking = None
        if self.is_idle:
            self.transport.close()
            self._set_clocks()

    def _let_go(self) -> None:
        """End a connection at once."""
        self.connections.discard(self)
        self.transport.abort()

    def _make_room(self) -> None:
        """End the connection that has been idle longest; where all are busy, the new one."""
        idle = [
            each
            for each in self.connections
            if isinstance(each, GuardedConnection) and each.is_idle and each is not self
        ]
        min(idle, key=lambda each: each._since, default=self)._let_go()
