"""Supports and refutations from one edit, so that neither side alone tells the label.

For a claim c, its evidence e and an edit f that reverses the meaning, (c, e) and (f c, f e) are
SUPPORTS, (f c, e) and (c, f e) are REFUTES.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from claimscope.train.verifier.pairs import Pair, Target
from claimscope.train.weak.direction import opposed
from claimscope.train.weak.negation import flip_negation
from claimscope.train.weak.number import changed_number, replace_number, shared_number
from claimscope.train.weak.paraphrase import paraphrased

_RARE = 0.75
"""How often a direction or number is taken where a negation, which nearly all have, could be."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A claim and its evidence, each with the same statement reversed."""

    kind: str
    claim: str
    evidence: str


def edits(claim: str, evidence: str, generator: random.Random) -> list[Edit]:
    """List the edits that can be made on both sides."""
    found = [Edit("direction", *each) for each in opposed(claim, evidence, generator)]
    new_claim, new_evidence = flip_negation(claim), flip_negation(evidence)
    if new_claim and new_evidence:
        found.append(Edit("negation", new_claim, new_evidence))
    number = shared_number(claim, evidence)
    if number is not None:
        new = changed_number(number, generator)
        sides = (replace_number(text, number, new) for text in (claim, evidence))
        found.append(Edit("number", *sides))
    return found


def balanced(
    claim: str,
    evidence: str,
    group: str,
    generator: random.Random,
    *,
    all_four: bool = False,
    rate: float = 0.5,
) -> list[Pair]:
    """Give one support and one refutation, or all four pairs; claims are paraphrased at a rate."""
    found = edits(claim, evidence, generator)
    if not found:
        return []
    edit = _chosen(found, generator)
    supports = [(claim, evidence), (edit.claim, edit.evidence)]
    refutes = [(edit.claim, evidence), (claim, edit.evidence)]
    if not all_four:
        supports, refutes = [generator.choice(supports)], [generator.choice(refutes)]
    labelled = [(Target.SUPPORTS, each) for each in supports]
    labelled += [(Target.REFUTES, each) for each in refutes]
    return [
        Pair(paraphrased(said, generator, rate), shown, target, group)
        for target, (said, shown) in labelled
    ]


def _chosen(found: list[Edit], generator: random.Random) -> Edit:
    kinds = sorted({edit.kind for edit in found})
    rare = [kind for kind in kinds if kind != "negation"]
    kind = generator.choice(rare if rare and generator.random() < _RARE else kinds)
    return generator.choice([edit for edit in found if edit.kind == kind])
