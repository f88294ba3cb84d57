"""Takes records out of a library whose source no longer has them."""

from __future__ import annotations

from collections.abc import Collection

from claimscope.library.composition import merge
from claimscope.library.protocol import ManagedLibrary
from claimscope.library.record import Original, Paper, Record, decode, encode
from claimscope.sources.retractions import PREFIX


def withdraw(library: ManagedLibrary, ids: Collection[str]) -> int:
    """Take records out by id and count the papers that change or go.

    A paper that other records describe, too, stays with what those say.
    """
    gone = set(ids)
    if not gone:
        return 0
    touched = [paper for paper in library.papers() if gone & {each.id for each in _records(paper)}]
    # First what stays: cut short here, a paper is there twice for a while, but never lost.
    library.receive(kept for paper in touched if (kept := _without(paper, gone)))
    library.remove([paper.record.id for paper in touched if _goes(paper, gone)])
    return len(touched)


def _records(paper: Paper) -> list[Record]:
    return [each.record for each in paper.originals] or [paper.record]


def _rest(paper: Paper, gone: set[str]) -> list[Record]:
    """Give the records that stay; notices about a paper are no record of it by themselves."""
    rest = [record for record in _records(paper) if record.id not in gone]
    return rest if any(not record.id.startswith(PREFIX) for record in rest) else []


def _goes(paper: Paper, gone: set[str]) -> bool:
    """Whether the paper is no longer there under its id."""
    return paper.record.id in gone or not _rest(paper, gone)


def _without(paper: Paper, gone: set[str]) -> Paper | None:
    """Make a paper of the records that stay, under the id of the first."""
    rest = sorted(_rest(paper, gone), key=lambda record: record.id.startswith(PREFIX))
    if not rest:
        return None
    reasons = {each.record.id: each.reason for each in paper.originals}
    kept = next((each for each in rest if each.id == paper.record.id), rest[0])
    ordered = [kept, *(each for each in rest if each.id != kept.id)]
    if len(ordered) == 1:
        return Paper(kept)
    originals = tuple(
        Original(kept.id, None if each is kept else reasons[each.id] or "doi", each)
        for each in ordered
    )
    return Paper(encode(merge([decode(each) for each in ordered])), originals)
