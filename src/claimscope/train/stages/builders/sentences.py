"""Evidence sentences against others: the sentence selectors of four papers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from claimscope.datasets.record import LabelledClaim
from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.train.stages.builders.source import (
    STUDY,
    Claims,
    Search,
    Work,
    evidence_of,
    rationale_of,
)
from claimscope.train.stages.examples import Example, sampled

POOLS = ("cited", "evidence", "retrieved")


@dataclass(frozen=True, slots=True)
class Sentences:
    """Takes the evidence sentences as relevant, and sentences of a pool that are none as not.

    VeriSci and SciFCheX take every other sentence of the cited abstracts, so all of an abstract
    that is no evidence (SciFCheX, section 4.4): the pool "cited". VerT5erini draws from the
    evidence abstracts (section 3.2): "evidence". The BERT-T5 study draws from the abstracts that
    were retrieved (section 4.2): "retrieved".
    """

    pool: str = "cited"
    sampled: int = 0
    """Negatives drawn for each positive of a claim; 0 takes the whole pool."""
    search: Search = STUDY
    """Where the pool "retrieved" comes from."""

    def __post_init__(self) -> None:
        if self.pool not in POOLS:
            raise UnknownNameError("pool of sentences", self.pool, POOLS)
        if self.pool == "retrieved" and self.sampled < 1:
            raise ConfigurationError(
                "Of retrieved abstracts only some sentences are learnt from; set 'sampled' to 1 "
                "or more."
            )

    def build(self, data: Claims, work: Work) -> list[Example]:
        """Make the examples in the order of claims, documents and sentences."""
        pool = self.search.pool(self.pool, data)
        examples: list[Example] = []
        for each in data.claims:
            names = [*evidence_of(each, data), *pool(each, data)]
            marked = list(_sentences(each, names, data))
            positive = [place for place, (_, right) in enumerate(marked) if right]
            negative = [place for place, (_, right) in enumerate(marked) if not right]
            if self.sampled:
                negative = sampled(negative, self.sampled * len(positive), work.generator)
            examples += [
                Example(each.claim.id, each.claim.text, *marked[place])
                for place in sorted([*positive, *negative])
            ]
        return examples


def _sentences(claim: LabelledClaim, names: list[str], data: Claims) -> Iterator[tuple[str, bool]]:
    """Give the sentences of documents, each document once, and whether they are evidence."""
    for name in dict.fromkeys(names):
        right = rationale_of(claim, name)
        for index, sentence in enumerate(data.documents[name].sentences):
            yield sentence.strip(), index in right
