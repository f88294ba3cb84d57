"""What the room of saved claims shows."""

from __future__ import annotations

from dataclasses import dataclass

from claimscope.labels import Label
from claimscope.render.case_view import SIGNS, TONES, CaseView, show
from claimscope.render.content import STANCES, VERDICTS, verdict_words
from claimscope.service import recheck as living
from claimscope.service.jobs.saved import Correction, SavedVerdict
from claimscope.service.state import Service

_PAGE = 30
CHOICES = {label.value: words for label, words in STANCES.items()}
"""The labels a person can give a paper, in words."""


@dataclass(frozen=True, slots=True)
class Said:
    """A verdict in a word, with its sign and how sure it was."""

    words: str
    tone: str
    sign: str
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Reason:
    """A paper because of which a verdict changed, and on which side it is now."""

    document_id: str
    title: str
    side: str
    is_there: bool
    """Whether the library still has it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One saved verdict of a claim, and how it differs from the one before."""

    number: int
    when: str | None
    said: Said
    before: Said | None
    joined: tuple[Reason, ...]
    left: tuple[Reason, ...]
    is_other_preset: bool
    is_current: bool

    @property
    def turns(self) -> bool:
        """Whether the verdict itself is another."""
        return self.before is not None and self.before.words != self.said.words


@dataclass(frozen=True, slots=True)
class Item:
    """A saved claim in the list."""

    claim: str
    turn: Turn
    corrections: int
    versions: int


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of saved claims."""

    items: tuple[Item, ...]
    following: int | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A saved verdict in full."""

    number: int
    claim: str
    preset: str
    """What a new check uses: the same preset, or empty for the first if it is not offered."""
    view: CaseView
    turns: tuple[Turn, ...]
    corrections: dict[str, Correction]
    is_current: bool
    is_newest: bool


def listing(service: Service, before: int | None) -> Listing:
    """Give a page of saved claims, those that were saved last first."""
    newest = service.verdicts.newest_of_claims(before, _PAGE)
    items = []
    for saved in newest:
        history = service.verdicts.history(saved.claim)
        corrections = sum(len(each.corrections) for each in history)
        turn = _turns(service, history)[-1]
        items.append(Item(saved.claim, turn, corrections, len(history)))
    following = newest[-1].number if len(newest) == _PAGE else None
    return Listing(tuple(items), following)


def entry(service: Service, saved: SavedVerdict) -> Entry:
    """Prepare a saved verdict for a page of its own."""
    turns = _turns(service, service.verdicts.history(saved.claim))
    return Entry(
        number=saved.number,
        claim=saved.claim,
        preset=saved.preset if saved.preset in service.offered.batchers else "",
        view=show(saved.case),
        turns=tuple(reversed(turns)),
        corrections={item.document: item for item in saved.corrections},
        is_current=saved.holds_at(service.library.revision),
        is_newest=turns[-1].number == saved.number,
    )


def _turns(service: Service, history: list[SavedVerdict]) -> list[Turn]:
    """Give the verdicts on one claim in their order, each beside the one before it."""
    revision = service.library.revision
    # A library that went back to an older state makes the verdict on that state the newest.
    ordered = sorted(history, key=lambda saved: (saved.holds_at(revision), saved.number))
    previous: list[SavedVerdict | None] = [None, *ordered]
    return [_turn(service, old, new) for old, new in zip(previous, ordered, strict=False) if new]


def _turn(service: Service, old: SavedVerdict | None, new: SavedVerdict) -> Turn:
    found = living.change(old, new) if old else None
    return Turn(
        number=new.number,
        when=new.saved_at,
        said=_said(new),
        before=_said(old) if old else None,
        joined=_reasons(service, new, found.joined) if found else (),
        left=_reasons(service, old, found.left) if found and old else (),
        is_other_preset=found.is_other_preset if found else False,
        is_current=new.holds_at(service.library.revision),
    )


def _said(saved: SavedVerdict) -> Said:
    label = saved.label or Label.NOT_ENOUGH_INFO
    tone = TONES.get(label, "abstain")
    words = verdict_words(saved.case) if saved.label else VERDICTS[label]
    verdict = saved.case.verdict
    return Said(words, tone, SIGNS[tone], verdict.confidence if verdict else None)


def _reasons(service: Service, saved: SavedVerdict, names: tuple[str, ...]) -> tuple[Reason, ...]:
    cards = {
        card.document_id: card
        for view in [show(saved.case)]
        for cards in (*(group.cards for group in view.groups), view.others)
        for card in cards
    }
    there = service.ledger.store.get(names)
    return tuple(
        Reason(name, cards[name].title, cards[name].tone, name in there)
        for name in names
        if name in cards
    )
