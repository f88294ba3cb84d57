"""One vote per study, and votes that weigh as much as the design of their study."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from claimscope.stages.decide.evidence_rule import Evidence, Tally
from claimscope.studies.design import find_design
from claimscope.studies.grouping import group_studies
from claimscope.studies.weights import DESIGN_WEIGHTS
from claimscope.types import Case, StudyGroup


def one_vote_each(case: Case, count: Tally) -> Tally:
    """Let the surest paper of a study vote for it, and set its other reports aside."""
    voting = [piece.document_id for piece in (*count.supporting, *count.refuting)]
    surest = {piece.document_id: piece for piece in (*count.supporting, *count.refuting)}
    documents = [item.document for item in case.candidates if item.document.id in surest]
    groups = tuple(_surest_first(group, surest) for group in group_studies(documents))
    repeated = {name for group in groups for name in group.papers[1:]}
    if not repeated:
        return count
    kept = [surest[name] for name in voting if name not in repeated]
    return replace(
        count,
        supporting=tuple(piece for piece in kept if piece in count.supporting),
        refuting=tuple(piece for piece in kept if piece in count.refuting),
        groups=groups,
    )


def _surest_first(group: StudyGroup, pieces: dict[str, Evidence]) -> StudyGroup:
    order = sorted(group.papers, key=lambda name: (-pieces[name].probability, name))
    return replace(group, papers=tuple(order))


def weighed_by_design(case: Case, count: Tally) -> Tally:
    """Give every vote the weight of its study's design."""
    documents = {item.document.id: item.document for item in case.candidates}

    def weighed(pieces: Iterable[Evidence]) -> tuple[Evidence, ...]:
        return tuple(
            replace(piece, weight=DESIGN_WEIGHTS[find_design(documents[piece.document_id])[0]])
            for piece in pieces
        )

    return replace(count, supporting=weighed(count.supporting), refuting=weighed(count.refuting))
