"""Checks saved claims again at once, for commands that change a library."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass

from claimscope.checker import Checker
from claimscope.claims.reading import read_claim
from claimscope.errors import ClaimscopeError
from claimscope.library.protocol import ManagedLibrary
from claimscope.models.loader import Models
from claimscope.service.jobs.database import Database, state_folder
from claimscope.service.jobs.recheck import Change, change, keep
from claimscope.service.jobs.saved import SavedVerdict, Verdicts
from claimscope.types import Case

_TOGETHER = 16
"""Claims that are checked together; an interruption loses no more than these."""
_PAGE = 200


@dataclass(frozen=True, slots=True)
class Rechecked:
    """A saved claim that was checked again, or a sentence why it was not."""

    claim: str
    preset: str
    change: Change | None
    error: str | None = None


def recheck_saved(
    library: ManagedLibrary, concerned: Collection[str] | None = None
) -> Iterator[Rechecked]:
    """Check saved claims again and save what comes of it.

    Claims whose newest verdict holds at the library's revision are passed over. With `concerned`
    only those are checked for which one of these papers was looked at.
    """
    with closing(Database(state_folder(library.location))) as database:
        verdicts = Verdicts(database)
        by_preset: dict[str, list[SavedVerdict]] = {}
        for saved in _newest(verdicts):
            if saved.holds_at(library.revision):
                continue
            looked_at = {item.document.id for item in saved.case.candidates}
            if concerned is None or looked_at & set(concerned):
                by_preset.setdefault(saved.preset, []).append(saved)
        models = Models()
        for preset, several in by_preset.items():
            yield from _recheck(library, preset, models, verdicts, several)


def saved_cases(library: ManagedLibrary) -> Iterator[Case]:
    """Give the newest result of every saved claim."""
    with closing(Database(state_folder(library.location))) as database:
        yield from (saved.case for saved in _newest(Verdicts(database)))


def _newest(verdicts: Verdicts) -> Iterator[SavedVerdict]:
    before = None
    while found := verdicts.newest_of_claims(before, _PAGE):
        yield from found
        before = found[-1].number


def _recheck(
    library: ManagedLibrary,
    preset: str,
    models: Models,
    verdicts: Verdicts,
    several: list[SavedVerdict],
) -> Iterator[Rechecked]:
    try:
        checker = Checker(library, preset, models=models)
    except ClaimscopeError as error:
        # Such as a preset of the service that is no file of this package.
        yield from (Rechecked(saved.claim, preset, None, str(error)) for saved in several)
        return
    for start in range(0, len(several), _TOGETHER):
        some = several[start : start + _TOGETHER]
        cases = checker.check_many([read_claim(saved.claim) for saved in some])
        for saved, case in zip(some, cases, strict=True):
            yield Rechecked(saved.claim, preset, change(saved, keep(verdicts, case)))
