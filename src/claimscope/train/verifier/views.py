"""Which abstracts and sentences a verifier is shown when it learns from labelled claims."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from claimscope.datasets.record import LabelledClaim
from claimscope.train.claims import Claims
from claimscope.train.verifier.abstracts import Example, ExampleMaker, View
from claimscope.train.verifier.config import VerifierConfig


def views_of(claims: Sequence[LabelledClaim], data: Claims, config: VerifierConfig) -> list[View]:
    """Give the abstracts annotators have read, and others that a search finds."""
    found = config.search.found(replace(data, claims=claims)) if config.negatives else {}
    generator = random.Random(config.seed)
    views: list[View] = []
    for each in claims:
        known = data.known(each)
        names = [document.id for document, _ in known]
        others = [name for name in found.get(each.claim.id, ()) if name not in names]
        if config.sampled:
            others = generator.sample(others, min(config.negatives, len(others)))
        views += [View(each.claim.text, document, gold) for document, gold in known]
        views += [
            View(each.claim.text, data.documents[name], None)
            for name in others[: config.negatives]
            if data.documents[name].has_abstract
        ]
    return views


def evidence_examples(views: Sequence[View], maker: ExampleMaker, seed: int) -> list[Example]:
    """Show abstracts whole, and rationales and one other sentence alone, as they are reread."""
    generator = random.Random(seed)
    examples: list[Example] = []
    for view in views:
        examples += maker.whole(view)
        examples += [maker.shown(view, sorted(each)) for each in view.sets]
        others = set(range(len(view.document.sentences))) - view.rationale
        if view.sets and others:
            examples.append(maker.shown(view, [generator.choice(sorted(others))]))
    return examples


def stance_examples(views: Sequence[View], maker: ExampleMaker) -> list[Example]:
    """Show the stance classifier evidence alone, as it is read."""
    return [
        example
        for view in views
        if view.decides
        for example in (
            [maker.shown(view, sorted(each)) for each in view.sets] or maker.whole(view)
        )
    ]
