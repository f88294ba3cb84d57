"""The answer for a claim and its reasons."""

from __future__ import annotations

from dataclasses import dataclass

from claimscope._display import VerdictDisplay
from claimscope.labels import Label


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule that gave a verdict, in words a reader can check."""

    name: str
    statement: str
    """Which rule fired, with its counts."""
    would_change: str
    """The smallest change of evidence that would give another verdict."""


@dataclass(frozen=True, slots=True)
class StudyGroup:
    """Papers that report one study and therefore have one vote; the one that votes comes first."""

    papers: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """What would change a verdict."""

    removal: tuple[str, ...]
    """The smallest set of papers without which the verdict is another; empty if there is none."""
    becomes: Label | None
    """The verdict without them."""
    retracted: Label | None
    """The verdict if retracted papers counted, or did not if they do; None without such papers."""


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(VerdictDisplay):
    """The answer for a claim, with the documents it rests on."""

    label: Label
    confidence: float | None
    supporting: tuple[str, ...]
    refuting: tuple[str, ...]
    rule: Rule
    leaning: bool = False
    """Whether the evidence is too weak for more than a leaning towards the label."""
    groups: tuple[StudyGroup, ...] = ()
    """Papers that report one study, of which only the first is among those that count."""
    sensitivity: Sensitivity | None = None
