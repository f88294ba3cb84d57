"""The presets a service offers: each collects its own claims, and one thread works for all."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from claimscope.checker import Checker
from claimscope.errors import ConfigurationError, InputError
from claimscope.library.protocol import Library
from claimscope.models.loader import Models
from claimscope.service.batching import Batcher
from claimscope.service.metrics import Metrics
from claimscope.service.settings import Limits


@dataclass(frozen=True)
class Offered:
    """Batchers by the name of their preset; the first is used where a client names none."""

    batchers: dict[str, Batcher]

    @classmethod
    def open(
        cls, presets: tuple[str, ...], library: Library, limits: Limits, metrics: Metrics
    ) -> Offered:
        """Build the pipelines; those that name the same model share it."""
        models = Models()
        # Models take every core for one batch, and not all of them may run in two threads.
        thread = ThreadPoolExecutor(1, thread_name_prefix="claimscope-model")
        batchers: dict[str, Batcher] = {}
        for preset in presets:
            checker = Checker(library, preset, models=models)
            if checker.preset.name in batchers:
                raise ConfigurationError(
                    f"The preset {checker.preset.name} is given twice; give each name once."
                )
            batchers[checker.preset.name] = Batcher(checker, limits, metrics, thread)
        return cls(batchers)

    def __iter__(self) -> Iterator[Batcher]:
        return iter(self.batchers.values())

    @property
    def default(self) -> Batcher:
        """The batcher of the first preset."""
        return next(iter(self))

    def named(self, preset: str | None) -> Batcher:
        """Give the batcher of a preset that a client may have named."""
        if preset is None:
            return self.default
        if preset not in self.batchers:
            raise InputError(
                f"The preset {preset[:80]!r} is not offered here; choose one of: "
                f"{', '.join(self.batchers)}."
            )
        return self.batchers[preset]

    @property
    def waiting(self) -> int:
        """How many claims wait or are being checked."""
        return sum(batcher.waiting for batcher in self)

    async def start(self) -> None:
        """Begin to work."""
        for batcher in self:
            await batcher.start()

    async def stop(self) -> None:
        """Finish the batch at hand and stop."""
        for batcher in self:
            await batcher.stop()
        await asyncio.to_thread(self.default.thread.shutdown)
