"""Living claims: saved claims are checked again when papers are added, and changes are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.claims.reading import read_claim
from claimscope.labels import Label
from claimscope.render.content import evidence_of
from claimscope.service.jobs.jobs import Job, Jobs, Kind, Order
from claimscope.service.jobs.saved import SavedVerdict, Verdicts, label_of, origin_of
from claimscope.types import Case, Claim

MOST_CLAIMS = 10_000


@dataclass(frozen=True, slots=True)
class Change:
    """How a claim's newer verdict differs from an older one, and which papers made it so."""

    before: Label | None
    after: Label | None
    joined: tuple[str, ...]
    """Papers that carry evidence now and did not, or carried other evidence, before."""
    left: tuple[str, ...]
    """Papers that carried evidence before and do not now."""
    is_other_preset: bool

    @property
    def turns(self) -> bool:
        """Whether the verdict itself is another."""
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
    """Save a check, or confirm the newest verdict on the claim if it came to the same."""
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
    """Have every saved claim checked again, a job for each preset that claims were checked with.

    The first of the presets takes the claims whose own is no longer offered. The same key makes
    no second job.
    """
    return _accept(jobs, _by_preset(verdicts, presets), revision, key)


def order_stale(jobs: Jobs, verdicts: Verdicts, presets: Sequence[str], revision: str) -> list[Job]:
    """Have those saved claims checked again whose newest verdict is of another revision."""
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
