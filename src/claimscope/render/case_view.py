"""Prepares a checked claim for pages: words, cards and links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from markupsafe import Markup

from claimscope.labels import Label
from claimscope.metadata import facts
from claimscope.render.balance import CountedPaper, balance
from claimscope.render.camps import Camps, camps
from claimscope.render.content import STANCES, Link, is_judged, links, reason
from claimscope.render.flips import flips, group_words, study_groups
from claimscope.render.studies import COLUMNS, StudyRow, study_rows
from claimscope.render.wording import answer, headline, shown_confidence
from claimscope.text import split_sentences
from claimscope.types import Candidate, Case, Metadata, Provenance, Score, Verdict

TONES = {Label.SUPPORTS: "for", Label.REFUTES: "against", Label.DISPUTED: "dispute"}
SIGNS = {"for": "✓", "against": "✕", "dispute": "≷", "abstain": "?", "reading": "…"}
WEAK_SIGN = "◔"
"""The icon of a verdict that rests on weak evidence."""
_SHOWN_AUTHORS = 4
_ANCHOR = "paper-"
_CLOSEST = 5
"""Papers without evidence that are shown unfolded where there is no answer."""


@dataclass(frozen=True, slots=True)
class Part:
    """A run of an abstract: a sentence that carries evidence, or text that folds away."""

    text: str
    score: float | None
    """None for text that carries no evidence."""
    sentences: int
    place: str = ""
    """Where in the full text it stands; empty for the abstract."""


@dataclass(frozen=True, slots=True)
class Card:
    """A paper that was looked at."""

    rank: int
    document_id: str
    title: str
    authors: str
    facts: tuple[str, ...]
    links: tuple[Link, ...]
    tone: str
    label: str | None
    stance: str
    probability: float | None
    remark: str
    is_retracted: bool
    cautions: tuple[str, ...]
    """What to know before trusting it: a retraction or a correction, a doubtful reading."""
    parts: tuple[Part, ...]
    depth: str = ""
    """How deep its evidence goes: "title", "abstract" or "full text"."""
    anchor: str = ""
    """The name by which links of the page lead to it."""
    opinions: tuple[str, ...] = ()
    """What language models said, each with its name."""
    repeats: str = ""
    """Why it has no vote of its own: another paper of its study has voted; empty if it may vote."""

    @property
    def is_quoted(self) -> bool:
        """Whether a sentence of it carries evidence."""
        return any(part.score is not None for part in self.parts)


@dataclass(frozen=True, slots=True)
class Group:
    """Cards under one heading."""

    title: str
    tone: str
    cards: tuple[Card, ...]
    is_open: bool = False
    """Whether the abstracts stand open, as nothing of them is quoted."""


@dataclass(frozen=True, slots=True)
class CaseView:
    """A checked claim, or with the tone "reading" one whose papers are found and not yet read."""

    claim: str
    tone: str
    sign: str
    headline: str
    confidence: float | None
    """None for a dispute, which has two sides."""
    answer: str
    """The verdict as a person would say it."""
    weakness: str
    """Why the evidence is weak; empty if it is not."""
    camps: Camps | None
    table: tuple[StudyRow, ...]
    reason: str
    would_change: str
    flips: tuple[str, ...]
    """What would change the verdict: papers taken away, retracted papers."""
    study_groups: tuple[str, ...]
    """Which papers vote together."""
    is_abstained: bool
    balance: Markup | None
    notices: tuple[str, ...]
    groups: tuple[Group, ...]
    others: tuple[Card, ...]
    provenance: Provenance | None
    parts: tuple[CaseView, ...] = ()
    """The parts of a compound claim, each as a view of its own."""
    anchor: str = _ANCHOR
    """What the names of its papers begin with."""
    columns: tuple[str, ...] = COLUMNS


def show(case: Case, anchor: str = _ANCHOR) -> CaseView:
    """Prepare a checked claim for a page."""
    verdict = case.verdict
    cards = [replace(item, anchor=f"{anchor}{item.rank}") for item in _cards(case)]
    tone = TONES.get(verdict.label, "abstain") if verdict else "reading"
    said = answer(case)
    groups = tuple(_groups(cards, tone))
    parts = tuple(_shown_parts(case))
    grouped = {item.rank for group in groups for item in group.cards}
    return CaseView(
        claim=case.claim.text,
        tone=tone,
        sign=WEAK_SIGN if said.is_weak else SIGNS[tone],
        headline=headline(case) if verdict else f"Reading {_papers(len(cards))}",
        confidence=shown_confidence(case),
        answer=said.text,
        weakness=said.weakness,
        camps=None if case.parts else camps(case),
        table=study_rows(case) if verdict else (),
        reason=reason(case) if verdict else "",
        would_change=verdict.rule.would_change if verdict else "",
        flips=flips(case),
        study_groups=group_words(case),
        is_abstained=tone == "abstain" and not parts,
        balance=_balance(cards) if is_judged(case) and not case.parts else None,
        # The parts show their own.
        notices=() if parts else case.notices,
        groups=groups,
        others=tuple(item for item in cards if item.rank not in grouped),
        provenance=case.provenance,
        parts=parts,
        anchor=anchor,
    )


def _shown_parts(case: Case) -> Iterator[CaseView]:
    """Prepare the parts of a compound claim, once all have their verdicts."""
    for number, part in enumerate(case.parts if case.verdict else (), start=1):
        yield show(part, f"part-{number}-{_ANCHOR}")


def card(item: Candidate, rank: int, verdict: Verdict | None = None) -> Card:
    """Prepare a paper; without a verdict nothing is said of its stance."""
    document, label = item.document, item.label
    tone = _tone(document.id, verdict)
    return Card(
        rank=rank,
        document_id=document.id,
        title=document.title or "(no title)",
        authors=_authors(document.meta.authors),
        facts=_facts(document.meta),
        links=tuple(links(document.meta)),
        tone=tone,
        label=label.value if label else None,
        stance=STANCES[label] if verdict and label else "",
        probability=item.probability if verdict else None,
        remark=_remark(item, tone) if verdict else "",
        is_retracted=document.meta.retracted,
        cautions=tuple(filter(None, (*document.meta.notices, document.meta.note))),
        parts=tuple(_parts(item)),
        depth=item.depth,
        opinions=tuple(opinion.words for opinion in item.opinions) if verdict else (),
    )


def _cards(case: Case) -> Iterator[Card]:
    """Prepare all papers; one whose study has voted stands on the side of that vote."""
    voted = study_groups(case)
    for rank, item in enumerate(case.candidates, start=1):
        found = card(item, rank, case.verdict)
        if item.document.id in voted:
            voter, why = voted[item.document.id]
            found = replace(
                found,
                tone=_tone(voter, case.verdict),
                remark="counted with another report of the same study",
                repeats=why,
            )
        yield found


def _tone(document_id: str, verdict: Verdict | None) -> str:
    if verdict and document_id in verdict.supporting:
        return "for"
    if verdict and document_id in verdict.refuting:
        return "against"
    return "silent"


def _remark(item: Candidate, tone: str) -> str:
    """Say why a paper with a stance does not count."""
    if tone != "silent" or item.label not in {Label.SUPPORTS, Label.REFUTES}:
        return ""
    return "retracted, so not counted" if item.document.meta.retracted else "too unsure to count"


def _parts(item: Candidate) -> Iterator[Part]:
    """Cut the abstract at the sentences that carry evidence; nothing of it is lost."""
    document, position = item.document, 0
    for sentence in sorted(item.rationale, key=lambda each: each.index):
        start, end = document.spans[sentence.index]
        yield from _rest(document.abstract[position:start])
        yield Part(document.abstract[start:end], _value(sentence.score), 1)
        position = end
    yield from _rest(document.abstract[position:])
    for quotation in item.quotations:
        yield Part(quotation.text, _value(quotation.score), 1, quotation.place)


def _value(score: Score) -> float:
    return score.raw if score.probability is None else score.probability


def _rest(text: str) -> Iterator[Part]:
    if text.strip():
        yield Part(text.strip(), None, len(split_sentences(text)))


def _groups(cards: list[Card], tone: str) -> Iterator[Group]:
    if tone == "reading":
        if cards:
            yield Group("Papers found", "silent", tuple(cards))
        return
    related = [item for item in cards if item.tone == "silent" and item.is_quoted]
    sides = (
        ("For the claim", "for", [item for item in cards if item.tone == "for"]),
        ("Against the claim", "against", [item for item in cards if item.tone == "against"]),
        ("Related sentences, not counted", "silent", related),
    )
    for title, side, found in sides:
        if found:
            found.sort(key=lambda item: (-(item.probability or 0.0), item.rank))
            yield Group(title, side, tuple(found))
    if tone == "abstain":
        closest = [item for item in cards if not item.is_quoted][:_CLOSEST]
        if closest:
            yield Group("The closest papers", "silent", tuple(closest), is_open=True)


def _balance(cards: list[Card]) -> Markup | None:
    def counted(tone: str) -> list[CountedPaper]:
        chosen = [item for item in cards if item.tone == tone and not item.repeats]
        chosen.sort(key=lambda item: -(item.probability or 0.0))
        return [CountedPaper(item.title, item.probability or 0.0) for item in chosen]

    supporting, refuting = counted("for"), counted("against")
    if not supporting and not refuting:
        return None
    return balance(supporting, refuting, len(cards) - len(supporting) - len(refuting))


def _authors(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:_SHOWN_AUTHORS])
    return f"{shown} et al." if len(names) > _SHOWN_AUTHORS else shown


def _facts(meta: Metadata) -> tuple[str, ...]:
    """Give the facts of a paper; where no study type is known, its publication types instead."""
    kinds = ", ".join(kind for kind in meta.publication_types if kind != "Journal Article")
    return (*facts(meta), *([kinds] if kinds and not meta.study_type else ()))


def _papers(count: int) -> str:
    return "1 paper" if count == 1 else f"{count} papers"
