"""Findings of abstracts as short records, and the contrasting claims that follow from each.

A language model read the abstracts and wrote the records; rules word the claims. Each finding gives
as many supported as refuted claims, so that the wording of a claim alone does not tell its label.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from claimscope.labels import Label

_OPEN_CLAIMS = 2
"""Claims about the outcome that the abstract does not speak of, per effect."""


class Holds(Enum):
    """What a claim says of an amount: it rises, falls or stays, or that one of these is not so."""

    UP = "up"
    DOWN = "down"
    SAME = "same"
    NOT_UP = "not up"
    NOT_DOWN = "not down"
    CHANGED = "changed"


_TRUE = {
    "+": {Holds.UP, Holds.NOT_DOWN, Holds.CHANGED},
    "-": {Holds.DOWN, Holds.NOT_UP, Holds.CHANGED},
    "0": {Holds.SAME, Holds.NOT_UP, Holds.NOT_DOWN},
}
"""Claims that hold for each direction of a finding; the other three are refuted.

A finding of no significant effect refutes a claim of an effect, as annotators of SciFact and
Check-COVID label it.
"""
_COMPARISONS = {">": "+", "<": "-", "=": "0"}
_MIRROR = {
    Holds.UP: Holds.DOWN,
    Holds.DOWN: Holds.UP,
    Holds.NOT_UP: Holds.NOT_DOWN,
    Holds.NOT_DOWN: Holds.NOT_UP,
    Holds.SAME: Holds.SAME,
    Holds.CHANGED: Holds.CHANGED,
}
"""What a comparison says when its two sides are exchanged."""


@dataclass(frozen=True, slots=True)
class FindingClaim:
    """A claim, its label, and the sentences of the abstract that decide it."""

    label: Label
    sentences: frozenset[int]
    text: str


def claims_of(record: str, generator: random.Random) -> list[FindingClaim]:
    """Word the claims that follow from a record.

    `E|sentences|direction|A|lay A|O|lay O|population|open outcome`: an effect or association.
    `C|sentences|relation|A|B|O|lay A|lay B|lay O`: a comparison of two sides.
    `F|sentences|supported|refuted|open`: three claims in full.
    """
    kind, numbers, *fields = record.split("|")
    sentences = frozenset(map(int, numbers.split(",")))
    claims = list(_WORDED[kind](fields, generator))
    return [
        FindingClaim(label, frozenset() if label is Label.NOT_ENOUGH_INFO else sentences, text)
        for label, text in claims
    ]


Worded = Iterator[tuple[Label, str]]


def _effect(fields: Sequence[str], generator: random.Random) -> Worded:
    direction, cause, lay_cause, outcome, lay_outcome, population, open_outcome = fields
    bank = _EFFECTS if direction.endswith("c") else _ASSOCIATIONS
    pairs = [(cause, outcome), (lay_cause, lay_outcome), (cause, lay_outcome), (lay_cause, outcome)]
    for claimed in Holds:
        left, right = generator.choice(pairs)
        text = _worded(bank[claimed], generator, left, right)
        yield _label(claimed in _TRUE[direction[0]]), _sentence(text, population, generator)
    for claimed in generator.sample(list(Holds), _OPEN_CLAIMS):
        left = generator.choice((cause, lay_cause))
        text = _worded(bank[claimed], generator, left, open_outcome)
        yield Label.NOT_ENOUGH_INFO, _sentence(text, population, generator)


def _comparison(fields: Sequence[str], generator: random.Random) -> Worded:
    relation, left, right, amount, lay_left, lay_right, lay_amount = fields
    words = [(left, right, amount), (lay_left, lay_right, lay_amount)]
    for claimed in Holds:
        one, other, measured = generator.choice(words)
        holds = claimed in _TRUE[_COMPARISONS[relation]]
        said = claimed
        if generator.random() < 0.5:
            one, other, said = other, one, _MIRROR[claimed]
        template = generator.choice(_COMPARED[said])
        yield _label(holds), _sentence(_filled(template, one, measured, other), "", generator)


def _sentences(fields: Sequence[str], _: random.Random) -> Worded:
    yield from zip((Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO), fields, strict=True)


_WORDED: Mapping[str, Callable[[Sequence[str], random.Random], Worded]] = {
    "E": _effect,
    "C": _comparison,
    "F": _sentences,
}

_EFFECTS: Mapping[Holds, Sequence[str]] = {
    Holds.UP: (
        "{A} increase(s) {O}",
        "{A} raise(s) {O}",
        "{A} lead(s) to an increase in {O}",
        "{A} cause(s) a rise in {O}",
        "{O} go(es) up with {A}",
        "{A} increased {O}",
        "{A} can increase {O}",
    ),
    Holds.DOWN: (
        "{A} reduce(s) {O}",
        "{A} lower(s) {O}",
        "{A} decrease(s) {O}",
        "{A} lead(s) to a drop in {O}",
        "{O} go(es) down with {A}",
        "{A} reduced {O}",
        "{A} can bring down {O}",
    ),
    Holds.SAME: (
        "{A} have no effect on {O}",
        "{A} do(es) not affect {O}",
        "{A} make(s) no difference to {O}",
        "{A} leave(s) {O} unchanged",
        "{O} stay(s) the same with {A}",
        "{A} had no significant impact on {O}",
    ),
    Holds.NOT_UP: (
        "{A} do(es) not increase {O}",
        "{A} did not raise {O}",
        "{A} fail(s) to increase {O}",
        "there is no rise in {O} with {A}",
    ),
    Holds.NOT_DOWN: (
        "{A} do(es) not reduce {O}",
        "{A} did not lower {O}",
        "{A} fail(s) to reduce {O}",
        "there is no drop in {O} with {A}",
    ),
    Holds.CHANGED: (
        "{A} affect(s) {O}",
        "{A} have an effect on {O}",
        "{A} change(s) {O}",
        "{A} make(s) a difference to {O}",
        "{O} depend(s) on {A}",
    ),
}
_ASSOCIATIONS: Mapping[Holds, Sequence[str]] = {
    Holds.UP: (
        "{A} is/are associated with an increase in {O}",
        "{A} is/are linked to increased {O}",
        "{O} rise(s) with {A}",
        "higher {O} go(es) along with {A}",
    ),
    Holds.DOWN: (
        "{A} is/are associated with a decrease in {O}",
        "{A} is/are linked to reduced {O}",
        "{O} fall(s) with {A}",
        "lower {O} go(es) along with {A}",
    ),
    Holds.SAME: (
        "{A} is/are not associated with {O}",
        "{A} is/are unrelated to {O}",
        "there is no link between {A} and {O}",
        "{O} do(es) not depend on {A}",
    ),
    Holds.NOT_UP: (
        "{A} is/are not linked to increased {O}",
        "{O} do(es) not rise with {A}",
        "there is no increase in {O} with {A}",
    ),
    Holds.NOT_DOWN: (
        "{A} is/are not linked to reduced {O}",
        "{O} do(es) not fall with {A}",
        "there is no decrease in {O} with {A}",
    ),
    Holds.CHANGED: (
        "{A} is/are associated with {O}",
        "there is a link between {A} and {O}",
        "{O} depend(s) on {A}",
    ),
}
_COMPARED: Mapping[Holds, Sequence[str]] = {
    Holds.UP: (
        "{O} is/are higher with {A} than with {B}",
        "{A} have higher {O} than {B}",
        "compared with {B}, {A} show(s) higher {O}",
        "{O}: more for {A} than for {B}",
    ),
    Holds.DOWN: (
        "{O} is/are lower with {A} than with {B}",
        "{A} have lower {O} than {B}",
        "compared with {B}, {A} show(s) lower {O}",
        "{O}: less for {A} than for {B}",
    ),
    Holds.SAME: (
        "{A} and {B} do not differ in {O}",
        "{O} is/are about the same for {A} and {B}",
        "there is no significant difference in {O} between {A} and {B}",
    ),
    Holds.NOT_UP: (
        "{O} is/are not higher with {A} than with {B}",
        "{A} do(es) not have higher {O} than {B}",
    ),
    Holds.NOT_DOWN: (
        "{O} is/are not lower with {A} than with {B}",
        "{A} do(es) not have lower {O} than {B}",
    ),
    Holds.CHANGED: (
        "{A} and {B} differ in {O}",
        "{O} differ(s) between {A} and {B}",
        "there is a difference in {O} between {A} and {B}",
    ),
}
_PREPOSITIONS = frozenset(
    "of in with for to from by on at among during after before between per under over without via "
    "than who that which given taking receiving using treated exposed having".split()
)
_SINGULAR_ENDINGS = ("ss", "us", "is", "ics", "sis")


def _label(holds: bool) -> Label:
    return Label.SUPPORTS if holds else Label.REFUTES


def _worded(templates: Sequence[str], generator: random.Random, left: str, right: str) -> str:
    return _filled(generator.choice(templates), left, right)


def _filled(template: str, left: str, amount: str, right: str = "") -> str:
    """Fill a template; a verb agrees with the phrase before it."""
    first = left if "{A}" in template.split("{O}")[0] else amount
    plural = is_plural(first)
    text = _agree(template, plural)
    return text.replace("{A}", left).replace("{O}", amount).replace("{B}", right)


def _agree(template: str, plural: bool) -> str:
    text = template.replace("is/are", "are" if plural else "is")
    text = text.replace("} have ", "} have " if plural else "} has ")
    return text.replace("(es)", "" if plural else "es").replace("(s)", "" if plural else "s")


def is_plural(phrase: str) -> bool:
    """Guess whether a noun phrase takes the plural, from its head noun."""
    words = phrase.lower().split()
    if "and" in words:
        return True
    ends = [place for place, word in enumerate(words) if word in _PREPOSITIONS and place]
    head = words[ends[0] - 1] if ends else words[-1]
    return head.endswith("s") and not head.endswith(_SINGULAR_ENDINGS)


def _sentence(text: str, population: str, generator: random.Random) -> str:
    """Add the population to most claims, a capital and often a full stop."""
    if population and generator.random() < 0.7:
        text = f"{text} {population}"
    text = text[0].upper() + text[1:]
    return f"{text}." if generator.random() < 0.6 else text


def claims_of_lines(lines: Sequence[str]) -> Iterator[tuple[str, str, FindingClaim]]:
    """Read lines of document, checksum and record; give each claim with the first two."""
    for line in lines:
        document, checksum, record = line.split("\t")
        for claim in claims_of(record, random.Random(record)):
            yield document, checksum, claim
