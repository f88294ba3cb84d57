"""What would change a verdict, in words."""

from __future__ import annotations

from claimscope.labels import Label
from claimscope.render.content import VERDICTS, counted_papers
from claimscope.types import Case

_NAMED = 3
"""Papers that are named; of more, the number is given."""


def flips(case: Case) -> tuple[str, ...]:
    """Say which papers a verdict hangs on, and what retracted papers change."""
    found = case.verdict.sensitivity if case.verdict else None
    if case.verdict is None or found is None:
        return ()
    said = []
    if found.removal and found.becomes:
        papers = _papers(case, found.removal)
        said.append(f"Without {papers} the verdict would be “{_name(found.becomes)}”.")
    if found.retracted is not None:
        said.append(_retracted(case, found.retracted))
    return tuple(said)


def study_groups(case: Case) -> dict[str, tuple[str, str]]:
    """Give for each paper whose study has voted already the paper that voted, and why."""
    groups = case.verdict.groups if case.verdict else ()
    return {name: (group.papers[0], group.reason) for group in groups for name in group.papers[1:]}


def group_words(case: Case) -> tuple[str, ...]:
    """Say which papers have one vote together."""
    groups = case.verdict.groups if case.verdict else ()
    return tuple(
        f"{_papers(case, group.papers)} report one study and have one vote: {group.reason}."
        for group in groups
    )


def _retracted(case: Case, label: Label) -> str:
    retracted = {item.document.id for item in case.candidates if item.document.meta.retracted}
    count = bool(retracted & counted_papers(case).keys())
    if case.verdict is not None and label is case.verdict.label:
        return "The verdict is the same with and without retracted papers."
    condition = "If retracted papers did not count" if count else "If retracted papers counted"
    return f"{condition}, the verdict would be “{_name(label)}”."


def _papers(case: Case, names: tuple[str, ...]) -> str:
    if len(names) > _NAMED:
        return f"{len(names)} of the papers"
    titles = {item.document.id: item.document.title.rstrip(".") for item in case.candidates}
    quoted = [f"“{titles.get(name) or name}”" for name in names]
    return " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))


def _name(label: Label) -> str:
    return VERDICTS[label]
