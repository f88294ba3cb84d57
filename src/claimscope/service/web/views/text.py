"""What the room to check a text shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from claimscope.render.case_view import CaseView, show
from claimscope.service.texts import ReadText
from claimscope.service.web.views.batch import papers
from claimscope.service.web.views.checking import asked, said
from claimscope.types import Case


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of the text, with the space before it."""

    before: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimPiece(Piece):
    """A sentence that is checked; without a view, it waits."""

    number: int
    """Which claim it is, from one."""
    asked: dict[str, str]
    view: CaseView | None
    papers: str

    @property
    def tone(self) -> str:
        """How the sentence is marked."""
        return "waiting" if self.view is None else self.view.tone

    @property
    def is_answered(self) -> bool:
        """Whether its verdict is there."""
        return self.tone not in {"waiting", "reading"}


@dataclass(frozen=True, slots=True)
class TextView:
    """A text with its claims."""

    pieces: tuple[Piece, ...]
    claims: int
    passed_over: int
    """Claims that were found and are not checked, since there are too many."""

    @property
    def checked(self) -> list[ClaimPiece]:
        """The sentences that are checked."""
        return [piece for piece in self.pieces if isinstance(piece, ClaimPiece)]

    @property
    def left_out(self) -> list[Piece]:
        """The sentences that are not."""
        return [piece for piece in self.pieces if not isinstance(piece, ClaimPiece)]

    @property
    def said(self) -> str:
        """The sentence that a screen reader speaks once the claims are found."""
        return f"Claims found: {len(self.checked)}. Checking each…"


def show_text(found: ReadText, cases: Mapping[int, Case], preset: str) -> TextView:
    """Prepare a text with the cases there are; every character of it is shown."""
    pieces = [
        _claim(found, place, cases.get(place), preset)
        if place in found.claims
        else Piece(_before(found, place), sentence.text, sentence.reason)
        for place, sentence in enumerate(found.sentences)
    ]
    claims = sum(sentence.is_claim for sentence in found.sentences)
    return TextView(tuple(pieces), claims, claims - len(found.claims))


def show_claim(found: ReadText, case: Case, preset: str) -> ClaimPiece:
    """Prepare one claim of a text, whose id is the place of its sentence."""
    return _claim(found, int(case.claim.id), case, preset)


def said_of(piece: ClaimPiece, count: int) -> str:
    """Give the sentence that a screen reader speaks when something is known of a claim."""
    answer = said(piece.view) if piece.view else "waiting"
    return f"Claim {piece.number} of {count}: {answer}"


def _claim(found: ReadText, place: int, case: Case | None, preset: str) -> ClaimPiece:
    sentence = found.sentences[place]
    view = None if case is None else show(case)
    return ClaimPiece(
        before=_before(found, place),
        text=sentence.text,
        reason=sentence.reason,
        number=list(found.claims).index(place) + 1,
        asked=asked(found.claims[place].text, preset),
        view=view,
        papers=papers(view),
    )


def _before(found: ReadText, place: int) -> str:
    previous = found.sentences[place - 1].end if place else 0
    return found.text[previous : found.sentences[place].start]
