"""The history page: saved claims, what changed since, and people's corrections."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response, StreamingResponse

from claimscope.claims.reading import read_claim
from claimscope.errors import UnknownNameError
from claimscope.labels import Label
from claimscope.render.case_view import SIGNS, TONES, CaseView, show
from claimscope.render.content import STANCES, VERDICTS, verdict_words
from claimscope.render.exports import FORMATS
from claimscope.render.wording import headline, shown_confidence
from claimscope.service.batching import while_connected
from claimscope.service.jobs import recheck
from claimscope.service.jobs.actions import require_job
from claimscope.service.jobs.queue import Kind
from claimscope.service.jobs.saved import Correction, SavedVerdict
from claimscope.service.problems import ServiceError
from claimscope.service.state import Service, ServiceOf
from claimscope.service.verdicts import correction_lines, require_verdict, save_correction
from claimscope.service.web.pages.check import result_file
from claimscope.service.web.pages.jobs import job_address, show_job
from claimscope.service.web.rendering import download_headers, go_to, page
from claimscope.service.web.session import CheckedForm, PageReader, PageWriter, text_of

router = APIRouter(include_in_schema=False)
PAGE = "history"
_NOTE = 2_000
Number = Annotated[int, Path(ge=1, le=1 << 62)]
_ROWS = 30
CHOICES = {label.value: words for label, words in STANCES.items()}
"""The labels a person can give a paper, in words."""


@router.get("/history")
def show_history(
    request: Request,
    service: ServiceOf,
    visitor: PageReader,
    before: Annotated[int | None, Query(ge=0, le=1 << 62)] = None,
) -> Response:
    """List the saved claims and what changed."""
    rechecks = [show_job(job) for job in service.jobs.latest(None, 1, Kind.RECHECK)]
    values: dict[str, Any] = {"listing": _listing(service, before), "rechecks": rechecks}
    return page(request, visitor, "history.html.j2", PAGE, **values)


@router.post("/history")
async def save(
    request: Request, service: ServiceOf, _visitor: PageWriter, form: CheckedForm
) -> Response:
    """Save a claim, or check a saved one again."""
    batcher = service.presets.named(text_of(form, "preset") or None)
    work = batcher.check([read_claim(text_of(form, "claim"))])
    [case] = await while_connected(request, work)
    saved = await asyncio.to_thread(recheck.keep, service.verdicts, case)
    return go_to(f"/history/{saved.number}")


@router.post("/history/rechecks")
def recheck_all(service: ServiceOf, _visitor: PageWriter, _form: CheckedForm) -> Response:
    """Check every saved claim again, in the background."""
    presets, revision = service.presets.names, service.library.revision
    ordered = recheck.order(service.jobs, service.verdicts, presets, revision)
    service.worker.wake()
    return go_to(job_address(ordered[-1]) if ordered else "/history")


@router.get("/history/rechecks/{job_id}")
def show_recheck(
    request: Request, service: ServiceOf, visitor: PageReader, job_id: str
) -> Response:
    """Show the progress of a recheck."""
    job = require_job(service, job_id)
    if job.kind is not Kind.RECHECK:
        return go_to(job_address(job))
    return page(request, visitor, "recheck.html.j2", PAGE, job=show_job(job))


@router.get("/history/corrections.jsonl")
def download_corrections(service: ServiceOf, _visitor: PageReader) -> Response:
    """Return people's labels in SciFact's format."""
    headers = download_headers("corrections.jsonl")
    lines = correction_lines(service)
    return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)


@router.get("/history/{number}")
def show_saved(
    request: Request, service: ServiceOf, visitor: PageReader, number: Number
) -> Response:
    """Show a saved verdict, its history, and the forms to correct it."""
    saved = require_verdict(service, number)
    values: dict[str, Any] = {
        "entry": _entry(service, saved),
        "formats": FORMATS,
        "choices": CHOICES,
    }
    return page(request, visitor, "saved.html.j2", PAGE, **values)


@router.get("/history/{number}/download/{name}")
def download(service: ServiceOf, _visitor: PageReader, number: Number, name: str) -> Response:
    """Return a saved verdict as a file."""
    if name not in FORMATS:
        raise UnknownNameError("format", name[:40], FORMATS)
    return result_file(name, require_verdict(service, number).case)


@router.post("/history/{number}/corrections")
def correct(
    service: ServiceOf, _visitor: PageWriter, form: CheckedForm, number: Number
) -> Response:
    """Store a person's label for a paper."""
    label, note = text_of(form, "label"), text_of(form, "note")
    if label not in CHOICES or len(note) > _NOTE:
        raise ServiceError(
            422, f"Choose one of the labels, and write a note of at most {_NOTE:,} characters."
        )
    correction = Correction(text_of(form, "document"), Label(label), note)
    save_correction(service, number, correction)
    rank = text_of(form, "rank")
    return go_to(f"/history/{number}" + (f"#paper-{rank}" if rank.isdecimal() else ""))


@router.post("/history/{number}/forget")
def forget(
    service: ServiceOf, _visitor: PageWriter, _form: CheckedForm, number: Number
) -> Response:
    """Delete a claim with all its saved verdicts."""
    for saved in service.verdicts.history(require_verdict(service, number).claim):
        service.verdicts.remove(saved.number)
    return go_to("/history")


@dataclass(frozen=True, slots=True)
class VerdictWords:
    """A verdict in words, with its sign and its confidence."""

    words: str
    tone: str
    sign: str
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Reason:
    """A paper that changed a verdict, and the side that it is on now."""

    document_id: str
    title: str
    side: str
    is_there: bool
    """Whether the library still has it."""


@dataclass(frozen=True, slots=True)
class Version:
    """One saved verdict on a claim, and how it differs from the one before."""

    number: int
    when: str | None
    verdict: VerdictWords
    before: VerdictWords | None
    joined: tuple[Reason, ...]
    left: tuple[Reason, ...]
    is_other_preset: bool
    is_current: bool

    @property
    def is_changed(self) -> bool:
        """Whether the verdict itself changed."""
        return self.before is not None and self.before.words != self.verdict.words


@dataclass(frozen=True, slots=True)
class Item:
    """A saved claim in the list."""

    claim: str
    newest: Version
    corrections: int
    count: int


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of saved claims."""

    items: tuple[Item, ...]
    following: int | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A saved verdict with its evidence and history."""

    number: int
    claim: str
    preset: str
    """The preset for a new check; empty for the default if the service no longer has it."""
    view: CaseView
    versions: tuple[Version, ...]
    corrections: dict[str, Correction]
    is_current: bool
    is_newest: bool


def _listing(service: Service, before: int | None) -> Listing:
    """Return a page of saved claims, newest first."""
    found = service.verdicts.newest_of_claims(before, _ROWS)
    items = []
    for saved in found:
        history = service.verdicts.history(saved.claim)
        corrections = sum(len(each.corrections) for each in history)
        newest = _versions(service, history)[-1]
        items.append(Item(saved.claim, newest, corrections, len(history)))
    following = found[-1].number if len(found) == _ROWS else None
    return Listing(tuple(items), following)


def _entry(service: Service, saved: SavedVerdict) -> Entry:
    """Prepare a saved verdict for its page."""
    versions = _versions(service, service.verdicts.history(saved.claim))
    return Entry(
        number=saved.number,
        claim=saved.claim,
        preset=saved.preset if saved.preset in service.presets.names else "",
        view=show(saved.case),
        versions=tuple(reversed(versions)),
        corrections={item.document: item for item in saved.corrections},
        is_current=saved.holds_at(service.library.revision),
        is_newest=versions[-1].number == saved.number,
    )


def _versions(service: Service, history: list[SavedVerdict]) -> list[Version]:
    """Return the verdicts on one claim, oldest first, each compared with the one before."""
    revision = service.library.revision
    # If the library returns to an older revision, the verdict at that revision is the newest.
    ordered = sorted(history, key=lambda saved: (saved.holds_at(revision), saved.number))
    previous: list[SavedVerdict | None] = [None, *ordered]
    return [_version(service, old, new) for old, new in zip(previous, ordered, strict=False) if new]


def _version(service: Service, old: SavedVerdict | None, new: SavedVerdict) -> Version:
    found = recheck.change(old, new) if old else None
    return Version(
        number=new.number,
        when=new.saved_at,
        verdict=_verdict_words(new),
        before=_verdict_words(old) if old else None,
        joined=_reasons(service, new, found.joined) if found else (),
        left=_reasons(service, old, found.left) if found and old else (),
        is_other_preset=found.is_other_preset if found else False,
        is_current=new.holds_at(service.library.revision),
    )


def _verdict_words(saved: SavedVerdict) -> VerdictWords:
    label = saved.label or Label.NOT_ENOUGH_INFO
    tone = TONES.get(label, "abstain")
    named = headline if saved.case.parts else verdict_words
    words = named(saved.case) if saved.label else VERDICTS[label]
    return VerdictWords(words, tone, SIGNS[tone], shown_confidence(saved.case))


def _reasons(service: Service, saved: SavedVerdict, names: tuple[str, ...]) -> tuple[Reason, ...]:
    cards = {
        card.document_id: card
        for view in [show(saved.case)]
        for cards in (*(group.cards for group in view.groups), view.others)
        for card in cards
    }
    there = service.library.present(list(names))
    return tuple(
        Reason(name, cards[name].title, cards[name].tone, name in there)
        for name in names
        if name in cards
    )
