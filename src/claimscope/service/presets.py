"""The presets that clients can choose: one batcher per preset, one model thread for all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from claimscope.checker import Checker
from claimscope.errors import ConfigurationError, InputError
from claimscope.library.protocol import Library
from claimscope.models.loader import Models
from claimscope.service.batching import Batcher
from claimscope.service.lanes import ModelThread
from claimscope.service.middleware import Metrics
from claimscope.service.settings import Limits


@dataclass(frozen=True)
class Presets:
    """Batchers by preset name; the first is the default."""

    batchers: dict[str, Batcher]
    thread: ModelThread

    @classmethod
    def open(
        cls, presets: tuple[str, ...], library: Library, limits: Limits, metrics: Metrics
    ) -> Presets:
        """Build the pipelines; presets with the same model share it."""
        thread = ModelThread()
        models = Models(progress=thread.on_progress)
        batchers: dict[str, Batcher] = {}
        for preset in presets:
            checker = Checker(library, preset, models=models)
            if checker.preset.name in batchers:
                raise ConfigurationError(
                    f"The preset {checker.preset.name} is given twice; give each preset once."
                )
            batchers[checker.preset.name] = Batcher(checker, limits, metrics, thread)
        return cls(batchers, thread)

    def __iter__(self) -> Iterator[Batcher]:
        return iter(self.batchers.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the presets, the default first."""
        return tuple(self.batchers)

    @property
    def default(self) -> Batcher:
        """The batcher of the first preset."""
        return next(iter(self))

    def named(self, preset: str | None) -> Batcher:
        """Return the batcher of a preset, or the default batcher for None."""
        if preset is None:
            return self.default
        if preset not in self.batchers:
            raise InputError(
                f"This service does not offer the preset {preset[:80]!r}; choose one of: "
                f"{', '.join(self.batchers)}."
            )
        return self.batchers[preset]

    @property
    def waiting(self) -> int:
        """The number of claims that wait or are being checked."""
        return sum(batcher.waiting for batcher in self)

    @property
    def are_hanging(self) -> bool:
        """Whether one batch of claims has been checked for minutes."""
        return any(batcher.is_hanging for batcher in self)

    async def start(self) -> None:
        """Start the batchers."""
        for batcher in self:
            await batcher.start()

    async def stop(self) -> None:
        """Stop within the current batch."""
        self.thread.interrupt()
        for batcher in self:
            await batcher.stop()
        await self.thread.stop()
