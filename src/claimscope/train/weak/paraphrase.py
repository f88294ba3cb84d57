"""The same said in other words, so that a claim is not a copy of its evidence."""

from __future__ import annotations

import random
import re

from claimscope.train.weak.direction import OFTEN_MEANINGLESS, SAME, direction_words, swapped
from claimscope.train.weak.words import in_case_of

_PHRASES = tuple(
    (re.compile(rf"\b{pattern}\b"), tuple(options.split(" | ")))
    for pattern, options in (
        ("associated with", "linked to | related to | correlated with"),
        ("patients", "people | individuals | subjects"),
        (
            "plays? an? (?:important|critical|key|crucial|essential|major|central) role in",
            "is important for | is involved in",
        ),
        ("leads? to", "results in | causes"),
        ("contributes? to", "is involved in | participates in"),
        ("compared (?:with|to)", "relative to | in comparison with"),
        ("mediated by", "dependent on | driven by"),
        ("is required for", "is needed for | is essential for"),
        ("risk of", "likelihood of | probability of"),
        ("children", "kids | pediatric subjects"),
        ("in vivo", "in living animals"),
        ("mortality", "death | death rates"),
        ("therapy", "treatment"),
        ("treatment", "therapy"),
        ("expression of", "levels of"),
    )
)


def paraphrased(text: str, generator: random.Random, rate: float = 0.5) -> str:
    """Put synonyms in the place of words with a direction and of set phrases, at a rate."""
    for place in reversed(direction_words(text)):
        if place[0].lower() not in OFTEN_MEANINGLESS and generator.random() < rate:
            text = swapped(text, place, SAME, generator) or text
    for pattern, options in _PHRASES:
        if generator.random() < rate:
            text = _replaced(text, pattern, generator.choice(options))
    return text


def _replaced(text: str, pattern: re.Pattern[str], phrase: str) -> str:
    return pattern.sub(lambda match: in_case_of(phrase, match[0]), text, count=1)
