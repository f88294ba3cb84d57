"""Checks saved claims again when the library changes, and finds out what changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from claimscope.claims.reading import read_claim
from claimscope.errors import ClaimscopeError
from claimscope.labels import Label
from claimscope.library.protocol import ManagedLibrary
from claimscope.render.content import evidence_of
from claimscope.service.jobs.queue import Job, Jobs, Kind, Order, State
from claimscope.service.jobs.repeated import Repeated
from claimscope.service.jobs.saved import SavedVerdict, Verdicts, label_of, origin_of
from claimscope.types import Case, Claim

MOST_CLAIMS = 10_000
PAUSE = 2.0
"""Seconds between two looks at the library's revision; one look reads a single row."""
_log = logging.getLogger("claimscope.service")


@dataclass(frozen=True, slots=True)
class Change:
    """How a newer verdict on a claim differs from an older one, and because of which papers."""

    before: Label | None
    after: Label | None
    joined: tuple[str, ...]
    """Papers whose evidence is new, or is on the other side now."""
    left: tuple[str, ...]
    """Papers that were evidence before and are not now."""
    is_other_preset: bool

    @property
    def is_changed(self) -> bool:
        """Whether the verdict itself changed."""
        return self.before != self.after


def change(old: SavedVerdict, new: SavedVerdict) -> Change:
    """Compare two verdicts on one claim."""
    before, after = evidence_of(old.case), evidence_of(new.case)
    return Change(
        before=old.label,
        after=new.label,
        joined=tuple(name for name, side in after.items() if before.get(name) != side),
        left=tuple(name for name in before if name not in after),
        is_other_preset=old.preset != new.preset,
    )


def keep(verdicts: Verdicts, case: Case) -> SavedVerdict:
    """Save a checked claim, or confirm its newest verdict if the result is the same."""
    origin = origin_of(case)
    history = verdicts.history(case.claim.text)
    alike = [saved for saved in history if saved.preset == origin.preset]
    newest = alike[-1] if alike else None
    if newest is not None and _same(newest.case, case):
        verdicts.confirm(newest.number, origin.library_revision)
        return verdicts.get(newest.number) or newest
    return verdicts.save(case)


def order(
    jobs: Jobs, verdicts: Verdicts, presets: Sequence[str], revision: str, key: str | None = None
) -> list[Job]:
    """Create one job per preset to check every saved claim again.

    A claim is checked with its own preset or, if the service no longer has it, with the first.
    The same key creates no second job.
    """
    return _accept(jobs, _by_preset(verdicts, presets), revision, key)


def order_stale(jobs: Jobs, verdicts: Verdicts, presets: Sequence[str], revision: str) -> list[Job]:
    """Create jobs to check those saved claims whose newest verdict has another revision."""
    current = verdicts.current_at(revision)
    stale = {
        preset: [claim for claim in claims if (claim.text, preset) not in current]
        for preset, claims in _by_preset(verdicts, presets).items()
    }
    return _accept(jobs, {name: claims for name, claims in stale.items() if claims}, revision)


def _by_preset(verdicts: Verdicts, presets: Sequence[str]) -> dict[str, list[Claim]]:
    by_preset: dict[str, list[Claim]] = {}
    for number, (text, used) in enumerate(verdicts.claims(MOST_CLAIMS), start=1):
        preset = used if used in presets else presets[0]
        by_preset.setdefault(preset, []).append(read_claim(text, str(number)))
    return by_preset


def _accept(
    jobs: Jobs, by_preset: dict[str, list[Claim]], revision: str, key: str | None = None
) -> list[Job]:
    return [
        jobs.accept_claims(
            Order(
                Kind.RECHECK,
                len(claims),
                {"preset": preset, "revision": revision},
                key and f"recheck:{key}:{preset}",
            ),
            claims,
        )
        for preset, claims in by_preset.items()
    ]


def _same(one: Case, other: Case) -> bool:
    return label_of(one) is label_of(other) and evidence_of(one) == evidence_of(other)


class Watcher(Repeated):
    """Orders rechecks when the library's revision changes, whichever program changed it."""

    def __init__(
        self,
        library: ManagedLibrary,
        jobs: Jobs,
        verdicts: Verdicts,
        presets: Sequence[str],
        on_order: Callable[[], None],
    ) -> None:
        """Watch a library; `on_order` is called after jobs were created."""
        super().__init__(PAUSE)
        self._library = library
        self._jobs = jobs
        self._verdicts = verdicts
        self._presets = presets
        self._on_order = on_order
        self._settled: str | None = None

    def look(self) -> list[Job]:
        """Order a recheck if the library changed since the newest verdicts; return its jobs."""
        revision = self._library.revision
        if revision == self._settled or self._library.is_being_written or self._is_rechecking():
            return []
        ordered: list[Job] = []
        if not self._was_cancelled(revision):
            ordered = order_stale(self._jobs, self._verdicts, self._presets, revision)
        self._settled = revision
        return ordered

    def _is_rechecking(self) -> bool:
        """Return whether an unfinished job may still bring the claims up to date."""
        return any(job.kind in {Kind.RECHECK, Kind.IMPORT} for job in self._jobs.all_open())

    def _was_cancelled(self, revision: str) -> bool:
        """Return whether somebody cancelled the recheck for this revision."""
        newest = self._jobs.latest(None, 1, Kind.RECHECK)
        return any(
            job.state is State.CANCELLED and job.input.get("revision") == revision for job in newest
        )

    async def once(self) -> None:
        """Look, and tell if jobs were created."""
        try:
            if await asyncio.to_thread(self.look):
                self._on_order()
        except ClaimscopeError as error:
            _log.warning("saved claims cannot be checked again yet: %s", error)
