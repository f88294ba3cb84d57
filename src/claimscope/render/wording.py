"""Says a verdict as a person would, and calls weak evidence weak."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.labels import Label
from claimscope.render.content import is_judged, reason, verdict_words
from claimscope.render.studies import StudyRow, study_rows
from claimscope.studies import Design
from claimscope.types import Case

LEAST_CONFIDENCE = 0.6
"""A verdict that is less sure than this rests on weak evidence."""
LEAST_PARTICIPANTS = 100
"""A study that is alone and has fewer participants is weak evidence."""
_PARTLY = {
    Label.SUPPORTS: "Partly supported",
    Label.REFUTES: "Partly refuted",
    Label.DISPUTED: "Partly disputed",
}
_WEAK_WORDS = {Label.SUPPORTS: "Weakly supported", Label.REFUTES: "Weakly refuted"}
_WEAK_DESIGNS = frozenset({Design.CASE_REPORT, Design.OPINION})
_TRIALS = frozenset({Design.RANDOMISED_TRIAL, Design.TRIAL})
_NUMBERS = "no one two three four five six seven eight nine ten".split()
_NO_EFFECT = re.compile(
    r"\b(?:no|without(?: any)?) (?:\w+ ){0,3}(?:effect|difference|benefit|association|reduction|"
    r"increase|improvement|correlation|relationship)s?\b"
    r"|\bfailed to \w+"
    r"|\b(?:did|does|do|was|were|is|are) not (?:\w+ ){0,2}(?:differ|affect|associated|reduced?|"
    r"lower(?:ed)?|improved?|increased?|prevent(?:ed)?|raised?|significant)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict in words."""

    text: str
    weakness: str
    """Why the evidence is weak, as a sentence; empty if it is not."""

    @property
    def is_weak(self) -> bool:
        """Whether the verdict rests on weak evidence."""
        return bool(self.weakness)


def headline(case: Case) -> str:
    """Name the verdict in one or two words, and weak evidence with it."""
    if case.parts and case.verdict:
        return _joint_headline(case, case.verdict.label)
    if case.verdict is None or not answer(case).is_weak:
        return verdict_words(case)
    name = _WEAK_WORDS[case.verdict.label]
    return f"Leans towards {name.partition(' ')[2]}" if case.verdict.leaning else name


def _joint_headline(case: Case, label: Label) -> str:
    """Name the verdict on several parts; "partly", where they differ and one says something."""
    labels = {part.verdict.label for part in case.parts if part.verdict}
    if len(labels) == 1:
        return verdict_words(case)
    strongest = (label, Label.SUPPORTS, Label.REFUTES, Label.DISPUTED)
    return next(_PARTLY[each] for each in strongest if each in labels and each in _PARTLY)


def shown_confidence(case: Case) -> float | None:
    """Give the confidence to show; a dispute has two sides, and parts have one each."""
    if case.parts or case.verdict is None or case.verdict.label is Label.DISPUTED:
        return None
    return case.verdict.confidence


def answer(case: Case) -> Answer:
    """Say a verdict in words; a case without one has an empty text."""
    if case.verdict is None:
        return Answer("", "")
    if case.parts:
        return Answer(reason(case), "")
    rows = study_rows(case)
    label = case.verdict.label
    sides = counted_sides(rows)
    if not is_judged(case):
        return Answer(_unjudged(rows), "")
    if label is Label.NOT_ENOUGH_INFO:
        return Answer(_undecided(rows), "")
    if label is Label.DISPUTED:
        return Answer(_disputed(*sides), "")
    winners, losers = sides if label is Label.SUPPORTS else reversed(sides)
    if not winners:
        return Answer(reason(case), "")
    return Answer(_decided(label, winners, losers), _weakness(case, winners))


def counted_sides(rows: Sequence[StudyRow]) -> tuple[list[StudyRow], list[StudyRow]]:
    """Give the studies that count for a claim, and those that count against it."""
    counted = [row for row in rows if row.counts]
    return (
        [row for row in counted if row.label is Label.SUPPORTS],
        [row for row in counted if row.label is Label.REFUTES],
    )


def number(count: int) -> str:
    """Give a number as prose has it: in words up to ten."""
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def noun(rows: Sequence[StudyRow]) -> tuple[str, str]:
    """Name studies by their design if they share one: its singular and its plural."""
    designs = {row.study.design for row in rows}
    if len(designs) == 1:
        [design] = designs
        return design.value, design.plural
    if designs <= _TRIALS:
        return Design.TRIAL.value, Design.TRIAL.plural
    return Design.UNKNOWN.value, Design.UNKNOWN.plural


def _decided(label: Label, winners: list[StudyRow], losers: list[StudyRow]) -> str:
    one, many = noun([*winners, *losers])
    said = _says(label, len(winners))
    if losers:
        whole = len(winners) + len(losers)
        start = f"{number(len(winners)).capitalize()} of {number(whole)} {many} in your library"
        return f"{start} {said} this{_largest(winners, losers)}."
    other = "contradicts" if label is Label.SUPPORTS else "supports"
    if len(winners) == 1:
        [only] = winners
        size = f" ({_size(only)})" if only.study.sample_size else ""
        return f"One {one} in your library {said} this{size}; none {other} it."
    start = f"{number(len(winners)).capitalize()} {many} in your library {said} this"
    return f"{start} and none {other} it{_largest(winners, [])}."


def _says(label: Label, count: int) -> str:
    verb = "support" if label is Label.SUPPORTS else "contradict"
    return f"{verb}s" if count == 1 else verb


def _size(row: StudyRow) -> str:
    return f"n = {row.study.sample_size:,}"


def _largest(winners: list[StudyRow], losers: list[StudyRow]) -> str:
    """Say what the largest study found, if every study tells its size."""
    rows = [*winners, *losers]
    sizes = [row.study.sample_size or 0 for row in rows]
    if not all(sizes) or sizes.count(max(sizes)) > 1:
        return ""
    largest = rows[sizes.index(max(sizes))]
    size = _size(largest)
    if not losers:
        return f"; the largest has {size}"
    if largest in winners:
        return f"; the largest ({size}) is among them"
    if largest.label is Label.REFUTES and _NO_EFFECT.search(largest.quote):
        return f"; the largest ({size}) found no effect"
    return f"; the largest ({size}) {_says(largest.label or Label.REFUTES, 1)} it"


def _disputed(supporting: list[StudyRow], refuting: list[StudyRow]) -> str:
    _, many = noun([*supporting, *refuting])
    counts = (
        f"{number(len(supporting))} {_says(Label.SUPPORTS, len(supporting))} this and "
        f"{number(len(refuting))} {_says(Label.REFUTES, len(refuting))} it"
    )
    split = _split_by_design(supporting, refuting) or _split_by_year(supporting, refuting)
    return f"The {many} in your library disagree: {counts}.{split}"


def _split_by_design(supporting: list[StudyRow], refuting: list[StudyRow]) -> str:
    """Say so if each side has one design, and not the same."""
    left, right = ({row.study.design for row in side} for side in (supporting, refuting))
    if len(left) != 1 or len(right) != 1 or left == right:
        return ""
    if not all(design.is_known for design in left | right):
        return ""
    return f" {_side(supporting, 'support')}; {_side(refuting, 'contradict').lower()}."


def _side(rows: list[StudyRow], verb: str) -> str:
    one, many = noun(rows)
    return f"The {one} {verb}s it" if len(rows) == 1 else f"The {many} {verb} it"


def _split_by_year(supporting: list[StudyRow], refuting: list[StudyRow]) -> str:
    left, right = ([row.year for row in side if row.year] for side in (supporting, refuting))
    if len(left) < len(supporting) or len(right) < len(refuting):
        return ""
    if max(left) < min(right):
        return " The papers that contradict it are newer."
    return " The papers that support it are newer." if max(right) < min(left) else ""


def _undecided(rows: Sequence[StudyRow]) -> str:
    if not rows:
        return "No paper in your library is about this."
    stances = [row for row in rows if row.label in (Label.SUPPORTS, Label.REFUTES)]
    retracted = sum(row.is_retracted for row in stances)
    if stances and retracted == len(stances):
        papers = "paper" if retracted == 1 else "papers"
        return (
            f"Only retracted work in your library says something about this: {number(retracted)} "
            f"{papers}, which do{'es' if retracted == 1 else ''} not count."
        )
    if stances:
        have = "paper seems" if len(stances) == 1 else "papers seem"
        return (
            f"{number(len(stances)).capitalize()} {have} to say something about this, but not "
            "surely enough to count."
        )
    return "No paper in your library says enough to support or contradict this."


def _unjudged(rows: Sequence[StudyRow]) -> str:
    quoted = sum(bool(row.quote) for row in rows)
    have = "paper has" if quoted == 1 else "papers have"
    return (
        f"{number(quoted).capitalize()} {have} sentences about this. This preset does not judge "
        "whether they support it."
    )


def _weakness(case: Case, winners: list[StudyRow]) -> str:
    """Say why the evidence for a decided verdict is weak; all reasons, in one sentence."""
    why = []
    confidence = case.verdict.confidence if case.verdict else None
    leaning = case.verdict is not None and case.verdict.leaning
    if confidence is not None and (leaning or confidence < LEAST_CONFIDENCE):
        why.append(f"the reading is uncertain (confidence {confidence:.2f} of 1)")
    size = winners[0].study.sample_size
    if len(winners) == 1 and size is not None and size < LEAST_PARTICIPANTS:
        why.append(f"it rests on one small study ({_size(winners[0])})")
    if all(row.study.design in _WEAK_DESIGNS for row in winners):
        why.append(f"it rests on {noun(winners)[1]} only")
    return f"Weak evidence: {', and '.join(why)}." if why else ""
