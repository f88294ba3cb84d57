"""Words with a direction: their opposites reverse a sentence, their synonyms keep it."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from claimscope.train.weak.words import WORD, conjugate, in_case_of

_VERBS = """
    increase elevate raise augment boost | decrease reduce lower diminish lessen
    enhance improve strengthen | impair worsen weaken compromise
    promote stimulate facilitate trigger | inhibit suppress block hinder
    activate | inactivate repress
    upregulate | downregulate
    up-regulate | down-regulate
    induce cause | prevent
    accelerate hasten | delay retard
    exacerbate aggravate | alleviate ameliorate attenuate
    prolong extend lengthen | shorten
    expand | shrink
    stabilize | destabilize
    gain | lose
"""
"""Two classes a line: words of one class mean about the same, those of the other the opposite."""

_WORDS = """
    higher greater larger | lower smaller
    more | less
    better | worse
    longer | shorter
    faster | slower
    positively | negatively inversely
    positive | negative
    superior | inferior
    high | low
    early | late
    earlier | later
    effective | ineffective
    safe | unsafe
    sensitive | resistant
    sufficient | insufficient
    necessary required essential | unnecessary dispensable
    common frequent | rare uncommon
    beneficial | harmful detrimental
    presence | absence
    with | without
    strong | weak
    similar | different
    dependent | independent
    susceptible | resistant
    efficient | inefficient
    upregulation | downregulation
    activation | inhibition
    improvement | deterioration worsening
    older | younger
    before | after
    upstream | downstream
    possible feasible | impossible unfeasible
    significant | insignificant
    majority | minority
    gain | loss
    maximum maximal | minimum minimal
    most | few
    able | unable
    stable | unstable
    increase rise | decrease reduction decline
    elevation | reduction
    stronger | weaker
    harmless | harmful
    agonist | antagonist
    gain-of-function | loss-of-function
    reversible | irreversible
"""

_Table = dict[str, list[str]]


def _tables() -> tuple[_Table, _Table]:
    """Give for each form the forms of the opposite class, and the others of its own."""
    opposite: _Table = {}
    same: _Table = {}
    for one, other in _forms():
        for word in one:
            opposite.setdefault(word, list(other))
            same.setdefault(word, [each for each in one if each != word])
    return opposite, same


def _forms() -> list[tuple[list[str], list[str]]]:
    """List both directions of every line; of a name that is also a verb the former counts."""
    rows = [tuple(side.split() for side in line.split("|")) for line in _WORDS.strip().splitlines()]
    for line in _VERBS.strip().splitlines():
        up, down = ([conjugate(verb) for verb in side.split()] for side in line.split("|"))
        rows += [([v[form] for v in up], [v[form] for v in down]) for form in range(4)]
    return [pair for up, down in rows for pair in ((up, down), (down, up))]


OPPOSITE, SAME = _tables()

OFTEN_MEANINGLESS = frozenset(
    "with before after early late high low most few presence absence common positive negative more "
    "less without possible significant different similar".split()
)
"""Words whose opposite often makes no sense, and whose synonym another one."""


def direction_words(text: str) -> list[re.Match[str]]:
    """Find the words of a text that have an opposite."""
    return [match for match in WORD.finditer(text) if match[0].lower() in OPPOSITE]


def swapped(
    text: str, place: re.Match[str], table: Mapping[str, Sequence[str]], generator: random.Random
) -> str | None:
    """Put another word of a table in a word's place."""
    options = table[place[0].lower()]
    if not options:
        return None
    word = in_case_of(generator.choice(options), place[0])
    return text[: place.start()] + word + text[place.end() :]


def opposed(claim: str, evidence: str, generator: random.Random) -> list[tuple[str, str]]:
    """Reverse a direction that both name, one at a time, each side on its own."""
    found = []
    there = {match[0].lower(): match for match in direction_words(evidence)}
    for place in direction_words(claim):
        word = place[0].lower()
        if word == "with" or (word in OFTEN_MEANINGLESS and generator.random() < 0.6):
            continue
        partner = next((each for each in [word, *SAME[word]] if each in there), None)
        if partner is not None:
            new_claim = swapped(claim, place, OPPOSITE, generator)
            new_evidence = swapped(evidence, there[partner], OPPOSITE, generator)
            if new_claim and new_evidence:
                found.append((new_claim, new_evidence))
    return found
