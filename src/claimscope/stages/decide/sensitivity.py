"""What would change a verdict: the fewest papers to take away, and retracted papers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice

from claimscope.labels import Label
from claimscope.stages.decide.evidence_rule import EvidenceRule
from claimscope.types import Case, Sensitivity

_TRIED = 3_000
"""Sets of papers that are tried; the default preset reads ten papers, which have 1,023 sets."""


def sensitivity(rule: EvidenceRule, case: Case) -> Sensitivity | None:
    """Find the papers that a verdict depends on; None if it rests on no evidence.

    Reports of one study go together. Of several smallest sets, the one with the surest papers is
    given.
    """
    verdict = case.verdict
    if verdict is None:
        return None
    removal, becomes = _smallest_removal(rule, case)
    retracted = _with_retracted_switched(rule, case)
    if not removal and retracted is None:
        return None
    return Sensitivity(removal, becomes, retracted)


def _smallest_removal(rule: EvidenceRule, case: Case) -> tuple[tuple[str, ...], Label | None]:
    verdict = case.verdict
    if verdict is None:
        return (), None
    voters = (*verdict.supporting, *verdict.refuting)
    alone = replace(rule, per_study=False)
    only = {item.document.id: item for item in case.candidates if item.document.id in voters}
    for removed in islice(_sets(voters), _TRIED):
        rest = tuple(item for name, item in only.items() if name not in removed)
        label = _label(alone, replace(case, candidates=rest))
        if label is not verdict.label:
            return _with_repeats(case, removed), label
    return (), None


def _sets(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for size in range(1, len(names) + 1):
        yield from combinations(names, size)


def _with_repeats(case: Case, removed: tuple[str, ...]) -> tuple[str, ...]:
    """Add the other reports of the studies that are removed."""
    groups = case.verdict.groups if case.verdict else ()
    others = (name for group in groups if group.papers[0] in removed for name in group.papers[1:])
    return (*removed, *others)


def _with_retracted_switched(rule: EvidenceRule, case: Case) -> Label | None:
    """Decide with retracted papers if they do not count, and without them if they do."""
    judged = (item for item in case.candidates if item.document.meta.retracted)
    if not any(item.label in (Label.SUPPORTS, Label.REFUTES) for item in judged):
        return None
    return _label(replace(rule, count_retracted=not rule.count_retracted), case)


def _label(rule: EvidenceRule, case: Case) -> Label | None:
    [decided] = rule.run([case])
    return decided.verdict.label if decided.verdict else None
