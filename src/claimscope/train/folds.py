"""Folds of claims that never part claims which share a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from claimscope.datasets.record import LabelledClaim
from claimscope.train.verifier.pairs import bucket


def groups_of(claims: Sequence[LabelledClaim]) -> Mapping[str, str]:
    """Give each claim the name of its group: all it is joined to by documents, step by step.

    Claims written from one citation often say the same; one of them must not be learnt from while
    another is measured on.
    """
    parents: dict[tuple[str, str], tuple[str, str]] = {}

    def root(node: tuple[str, str]) -> tuple[str, str]:
        while parents.setdefault(node, node) != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    for claim in claims:
        for document in (*claim.cited, *(claim.evidence or ())):
            parents[root(("claim", claim.claim.id))] = root(("document", document))
    members: dict[tuple[str, str], list[str]] = {}
    for claim in claims:
        members.setdefault(root(("claim", claim.claim.id)), []).append(claim.claim.id)
    return {claim: min(group) for group in members.values() for claim in group}


def fold_of(group: str, folds: int) -> int:
    """Give the fold of a group, the same on every machine."""
    return bucket(f"fold{group}", folds)
