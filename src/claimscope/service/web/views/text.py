"""What the room to check a text shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claimscope.claims import read_claim
from claimscope.detect import Sentence
from claimscope.errors import ClaimError
from claimscope.pages.case import CaseView, show
from claimscope.pipeline.result import to_dict
from claimscope.service.web.views.batch import papers
from claimscope.types import Case, Claim

LONGEST_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of the text, with the space before it."""

    before: str
    text: str
    number: int | None
    """Which claim it is, from one; None if it was not checked."""
    reason: str
    view: CaseView | None
    papers: str


@dataclass(frozen=True, slots=True)
class TextView:
    """A text with its claims."""

    pieces: tuple[Piece, ...]
    sentences: int
    claims: int
    passed_over: int
    """Claims that were found and not checked, since there were too many."""

    @property
    def checked(self) -> list[Piece]:
        """The sentences that were checked."""
        return [piece for piece in self.pieces if piece.view is not None]


def checkable(sentences: Sequence[Sentence], most: int) -> list[tuple[int, Claim]]:
    """Give the claims to check by the place of their sentence, the first so many."""
    found: list[tuple[int, Claim]] = []
    for place, sentence in enumerate(sentences):
        if sentence.is_claim and len(found) < most:
            try:
                found.append((place, read_claim(sentence.text)))
            except ClaimError:
                # Such as one that is far too long; it is shown as not checked.
                continue
    return found


def show_text(text: str, sentences: Sequence[Sentence], cases: Mapping[int, Case]) -> TextView:
    """Prepare a text; every character of it is shown."""
    pieces, position = [], 0
    numbers = {place: number for number, place in enumerate(cases, start=1)}
    for place, sentence in enumerate(sentences):
        view = show(to_dict(cases[place])) if place in cases else None
        pieces.append(
            Piece(
                before=text[position : sentence.start],
                text=sentence.text,
                number=numbers.get(place),
                reason=sentence.reason,
                view=view,
                papers=papers(view),
            )
        )
        position = sentence.end
    claims = sum(sentence.is_claim for sentence in sentences)
    return TextView(tuple(pieces), len(sentences), claims, claims - len(cases))
