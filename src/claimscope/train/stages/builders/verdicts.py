"""A claim with all its passages and its label: the climate system's classifier."""

from __future__ import annotations

from dataclasses import dataclass, field

from claimscope.errors import UnknownNameError
from claimscope.train.stages.builders.source import Claims, Search, Work
from claimscope.train.stages.examples import Example

SOURCES = ("gold", "retrieved")


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Joins the passages of a claim and takes the claim's own label (section 2.2.4).

    Whether the paper trains on gold or on retrieved passages is not said; gold is the default.
    """

    passages: str = "gold"
    separator: str = " "
    """What stands between passages, as in the stage decide.classifier."""
    search: Search = field(default_factory=lambda: Search(4, "lucene", 0.5, 0.85, "stem-stop"))

    def __post_init__(self) -> None:
        if self.passages not in SOURCES:
            raise UnknownNameError("source of passages", self.passages, SOURCES)

    def build(self, data: Claims, work: Work) -> list[Example]:
        """Make one example a claim; a claim without passage or label gives none."""
        pool = self.search.pool("judged" if self.passages == "gold" else self.passages, data)
        examples = []
        for each in data.claims:
            documents = [data.documents[name] for name in pool(each, data)]
            texts = [document.abstract or document.title for document in documents]
            if texts and each.verdict is not None:
                joined = self.separator.join(texts)
                examples.append(Example(each.claim.id, each.claim.text, joined, each.verdict))
        return examples
