"""What is published about a paper after it: retractions, concerns, corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from claimscope.metadata import CONCERN, CORRECTION


class NoticeKind(StrEnum):
    """What a notice says of a paper."""

    RETRACTION = "Retraction"
    CONCERN = CONCERN
    CORRECTION = CORRECTION
    REINSTATEMENT = "Reinstatement"


@dataclass(frozen=True, slots=True)
class Notice:
    """What was published about a paper, when and why."""

    kind: NoticeKind
    date: date | None
    reasons: tuple[str, ...]
    doi: str | None
    """The DOI of the notice itself."""
    title: str
    """The title of the paper."""

    @property
    def words(self) -> str:
        """Give the notice as one line, such as "Retraction, 2010-02-06: Error in Data"."""
        head = f"{self.kind}, {self.date or 'without date'}"
        reasons = f": {'; '.join(self.reasons)}" if self.reasons else ""
        return head + reasons + (f" (doi:{self.doi})" if self.doi else "")


def is_retracted(notices: Sequence[Notice]) -> bool:
    """Whether the last word on a paper is its retraction, not its reinstatement."""
    last = [
        notice.kind
        for notice in notices
        if notice.kind in {NoticeKind.RETRACTION, NoticeKind.REINSTATEMENT}
    ]
    return bool(last) and last[-1] is NoticeKind.RETRACTION
