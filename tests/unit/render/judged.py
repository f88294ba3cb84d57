"""Cases with made-up papers, judged as a test wants them."""

from __future__ import annotations

from claimscope.labels import Label
from claimscope.stages.decide.votes import WeightedVote
from claimscope.text import split_sentences
from claimscope.types import (
    Candidate,
    Case,
    Claim,
    Document,
    LabelProbabilities,
    Metadata,
    RationaleSentence,
    Score,
)

FOR, AGAINST, SILENT = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO


def paper(
    name: str, label: Label, abstract: str = "", sure: float = 0.9, **meta: object
) -> Candidate:
    """Make a paper whose last sentence is its evidence."""
    text = abstract or f"Paper {name} says it."
    document = Document(
        name,
        f"Title of {name}",
        text,
        split_sentences(text),
        Metadata(**meta),  # type: ignore[arg-type]
    )
    rest = 1 - sure
    labels = {
        FOR: LabelProbabilities(sure, 0.0, rest),
        AGAINST: LabelProbabilities(0.0, sure, rest),
        SILENT: LabelProbabilities(0.0, rest, sure),
    }[label]
    last = RationaleSentence(len(document.spans) - 1, Score(0.9))
    return Candidate(document, rationale=() if label is SILENT else (last,), labels=labels)


def checked(*papers: Candidate, rule: WeightedVote | None = None) -> Case:
    """Decide over papers as the default preset does."""
    case = Case(Claim("Walking prevents falls."), tuple(papers))
    [decided] = (rule or WeightedVote(threshold=0.0)).run([case])
    return decided


def trial(name: str, label: Label, size: int, sure: float = 0.9, year: int = 2000) -> Candidate:
    """Make a trial of so many adults."""
    words = "No effect was found." if label is AGAINST else "It worked."
    text = f"We randomly assigned {size:,} adults to walk. {words}"
    return paper(name, label, text, sure, year=year, study_type="randomised trial")
