"""The protocol of a data set: its card, and the records it yields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from claimscope._download import Source
from claimscope.errors import UnknownNameError
from claimscope.labels import Label
from claimscope.measures.measure import Answer, Qrels
from claimscope.types import Claim, Document, Gold, GoldEvidence


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim with what the annotators found."""

    claim: Claim
    evidence: Mapping[str, GoldEvidence] | None = None
    """By document id; empty if nothing was found, None if the answers are kept back."""
    label: Label | None = None
    """The label of the whole claim, where the data set gives one."""
    cited: tuple[str, ...] = ()
    """Documents the claim was written from or is to be checked against."""

    @property
    def verdict(self) -> Label | None:
        """The claim's own label, or else what its evidence says; None if the answers are kept back.

        Both support and refutation make DISPUTED, the rule that reproduces all of CLIMATE-FEVER.
        """
        if self.label is not None or self.evidence is None:
            return self.label
        labels = {each.label for each in self.evidence.values()}
        supported, refuted = Label.SUPPORTS in labels, Label.REFUTES in labels
        if supported and refuted:
            return Label.DISPUTED
        if not supported and not refuted:
            return Label.NOT_ENOUGH_INFO
        return Label.SUPPORTS if supported else Label.REFUTES


def gold_of(claims: Iterable[LabelledClaim]) -> Gold:
    """Give the evidence of claims, as SciFact's measures want it; claims kept back are left out."""
    return {each.claim.id: each.evidence for each in claims if each.evidence is not None}


class Relevant(Enum):
    """Which documents a retriever should find."""

    EVIDENCE = "evidence"
    """Those that support or refute the claim, or that have no label of their own."""
    JUDGED = "judged"
    """All that annotators listed, whatever they say; the climate task counts so."""
    CITED = "cited"
    """Those the claim cites, whether evidence or not; BEIR's SciFact counts so."""


def qrels_of(claims: Iterable[LabelledClaim], relevant: Relevant = Relevant.EVIDENCE) -> Qrels:
    """Give the relevant documents of each claim; claims with hidden answers are left out."""
    return {
        each.claim.id: _relevant(each, each.evidence, relevant)
        for each in claims
        if each.evidence is not None
    }


def _relevant(
    labelled: LabelledClaim, evidence: Mapping[str, GoldEvidence], relevant: Relevant
) -> Mapping[str, int]:
    if relevant is Relevant.CITED:
        return dict.fromkeys(labelled.cited, 1)
    return {
        name: gold.relevance
        for name, gold in evidence.items()
        if relevant is Relevant.JUDGED or gold.decides or gold.label is None
    }


def answers_of(claims: Iterable[LabelledClaim]) -> Mapping[str, Answer]:
    """Give labels and evidence as the climate task's measures want them: all passages count."""
    return {
        each.claim.id: Answer(verdict, tuple(each.evidence or ()))
        for each in claims
        if (verdict := each.verdict) is not None
    }


@dataclass(frozen=True, slots=True)
class Expected:
    """How many records a split has; None where its source does not say."""

    claims: int | None = None
    pairs: int | None = None
    """Judged claim-document pairs, where the data set is counted by them."""


@dataclass(frozen=True, slots=True)
class Card:
    """What is known about a data set before it is opened."""

    name: str
    title: str
    about: str
    homepage: str
    paper: str
    licence: str
    folder: str
    """Its folder's name under a data folder."""
    labels: Mapping[Label, str]
    """Each label it uses, in its own spelling."""
    splits: Mapping[str, Expected]
    documents: int | None
    """How many documents the whole collection has; None if that differs from copy to copy."""
    sources: tuple[Source, ...] = ()
    by_hand: str = ""
    """What to do where no plain download exists."""
    notes: tuple[str, ...] = ()
    """Traps a user of the numbers should know."""
    relevant: Relevant = Relevant.EVIDENCE
    """Which documents its own measures want found."""
    parts: tuple[str, ...] = ()
    """Names of parts of the splits, which can be asked for like splits."""
    may_train: bool = False
    """Whether its licence lets a model that is trained on it be given to others."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A data set's card and how to read it from a folder."""

    card: Card
    claims: Callable[[Path, str], Iterator[LabelledClaim]]
    documents: Callable[[Path], Iterator[Document]]


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set in a folder on this machine."""

    definition: Definition
    folder: Path

    @property
    def name(self) -> str:
        """The data set's name."""
        return self.definition.card.name

    @property
    def card(self) -> Card:
        """What is known about it."""
        return self.definition.card

    def claims(self, split: str) -> Iterator[LabelledClaim]:
        """Read a split's claims in the order of the file."""
        known = (*self.card.splits, *self.card.parts)
        if split not in known:
            raise UnknownNameError(f"split of {self.name}", split, known)
        return self.definition.claims(self.folder, split)

    def qrels(self, split: str) -> Qrels:
        """Give what a retriever should find, as the data set's own measures count it."""
        return qrels_of(self.claims(split), self.card.relevant)

    def documents(self) -> Iterator[Document]:
        """Iterate over the documents without holding the collection in memory."""
        return self.definition.documents(self.folder)
