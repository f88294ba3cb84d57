"""The written claims as pairs: each beside its rationale, and beside a sentence that is none."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

from claimscope.labels import Label
from claimscope.train.verifier.pairs import Pair, Target, target_of
from claimscope.train.weak.words import content, overlap
from claimscope.train.written.reading import WrittenClaim, labelled
from claimscope.types import Document

_SILENT = 0.4
"""Share of the decided claims that are also shown beside a sentence that says nothing of them."""


def written_pairs(
    claims: Iterable[WrittenClaim], documents: Mapping[str, Document], generator: random.Random
) -> Iterator[Pair]:
    """Give each claim beside what decides it; an open one beside the sentence most like it."""
    found, marked = labelled(claims, documents)
    for claim in found:
        [(name, gold)] = (claim.evidence or {}).items()
        document, text = documents[name], claim.claim.text
        near = marked[claim.claim.id, name]
        bearing = sorted(frozenset().union(*gold.rationales))
        if gold.label is None or gold.label is Label.NOT_ENOUGH_INFO:
            yield Pair(text, _most_like(text, document), Target.NOT_ENOUGH_INFO, name)
            continue
        shown = " ".join(document.sentences[index] for index in bearing)
        yield Pair(text, shown, target_of(gold.label), name)
        silent = [i for i in range(len(document.sentences)) if i not in near and i not in bearing]
        if silent and generator.random() < _SILENT:
            other = document.sentences[generator.choice(silent)]
            yield Pair(text, other, Target.NOT_ENOUGH_INFO, name)


def _most_like(claim: str, document: Document) -> str:
    said = content(claim)
    return max(document.sentences, key=lambda sentence: overlap(said, content(sentence)))
