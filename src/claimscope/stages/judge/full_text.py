"""Reads passages of the full text where the abstract leaves a claim open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

from claimscope.labels import Label
from claimscope.library.lexical import analyse
from claimscope.library.passages import Passage, divide
from claimscope.models.loader import Models
from claimscope.pipeline.stage import Composable, Kind, Part, require_positive
from claimscope.stages.judge.joint import JointJudge
from claimscope.types import Candidate, Case, Claim, Document, Quotation


@dataclass(frozen=True)
class FullTextJudge(Composable):
    """Reads the passages nearest to the claim, and labels the paper by the surest one.

    Only papers whose abstract says too little are read, and only passages that share words with
    the claim. The model and its thresholds are those of the stage joint. A paper without full
    text stays as it is.
    """

    model: str
    passages: int = 3
    """How many passages of a paper are read at most."""
    share: float = 0.5
    """Least share of the claim's terms that a passage must hold."""
    reread: int | None = None
    """As in the stage joint."""
    models: Models = field(default_factory=Models, repr=False, compare=False)

    kind: ClassVar[Kind] = Kind.JUDGE
    name: ClassVar[str] = "full-text"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES, Part.LABELS})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.RATIONALE, Part.LABELS})

    def __post_init__(self) -> None:
        require_positive(self, "passages")

    @cached_property
    def _judge(self) -> JointJudge:
        return JointJudge(self.model, reread=self.reread, models=self.models)

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Read the passages of all cases together."""
        reading = [
            (number, place, passage)
            for number, case in enumerate(cases)
            for place, item in enumerate(case.candidates)
            for passage in self._chosen(case.claim, item)
        ]
        if not reading:
            return list(cases)
        asked = [
            Case(cases[number].claim, (_as_abstract(cases[number].candidates[place], passage),))
            for number, place, passage in reading
        ]
        judged = [case.candidates[0] for case in self._judge.run(asked)]
        surest: dict[tuple[int, int], tuple[Candidate, Passage]] = {}
        for (number, place, passage), item in zip(reading, judged, strict=True):
            known = surest.get((number, place))
            if _decides(item) and (known is None or _certainty(item) > _certainty(known[0])):
                surest[number, place] = item, passage
        return [
            replace(
                case,
                candidates=tuple(
                    _with(item, *surest[number, place]) if (number, place) in surest else item
                    for place, item in enumerate(case.candidates)
                ),
            )
            for number, case in enumerate(cases)
        ]

    def _chosen(self, claim: Claim, item: Candidate) -> list[Passage]:
        """Give the passages to read; none if the abstract decides."""
        if not item.document.body or _decides(item) or item.label is None:
            return []
        return nearest(claim.text, item.document, self.passages, self.share)


def nearest(text: str, document: Document, k: int, share: float = 0.0) -> list[Passage]:
    """Give the passages that share the rarest words with a text, best first."""
    wanted = set(analyse(text))
    found = [(passage, wanted & _terms(document, passage)) for passage in divide(document.body)]
    weights = {
        term: math.log(1 + len(found) / (1 + sum(term in shared for _, shared in found)))
        for term in wanted
    }
    ranked = sorted(
        (-sum(weights[term] for term in sorted(shared)), place)
        for place, (_, shared) in enumerate(found)
        if shared and len(shared) >= share * len(wanted)
    )
    return [found[place][0] for _, place in ranked[:k]]


def _terms(document: Document, passage: Passage) -> set[str]:
    section = document.body[passage.section]
    return set(analyse(section.text[passage.start : passage.end]))


def _as_abstract(item: Candidate, passage: Passage) -> Candidate:
    """Give the paper with a passage in place of its abstract."""
    document = item.document
    text = document.body[passage.section].text[passage.start : passage.end]
    spans = tuple((start - passage.start, end - passage.start) for start, end in passage.spans)
    return replace(item, document=Document(document.id, document.title, text, spans, document.meta))


def _decides(item: Candidate) -> bool:
    return item.label in {Label.SUPPORTS, Label.REFUTES} and item.abstained is None


def _certainty(item: Candidate) -> float:
    return item.probability or 0.0


def _with(item: Candidate, judged: Candidate, passage: Passage) -> Candidate:
    """Give a paper the label of a passage, and its sentences as quotations."""
    section = item.document.body[passage.section]
    quotations = tuple(
        Quotation(
            passage.section,
            section.heading,
            section.page,
            *passage.spans[sentence.index],
            judged.document.sentences[sentence.index],
            sentence.score,
        )
        for sentence in judged.rationale
    )
    if not quotations:
        return item
    return replace(item, labels=judged.labels, rationale=(), abstained=None, quotations=quotations)
