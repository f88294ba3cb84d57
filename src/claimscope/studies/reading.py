"""What a paper says about its study: design, sample size, population, dose and outcome."""

from __future__ import annotations

import re
from dataclasses import dataclass

from claimscope.studies.design import Design, find_design
from claimscope.studies.size import SampleSize, find_sample_size
from claimscope.types import Document

_DOSE = re.compile(
    r"(?<![0-9.,])[0-9]{1,3}(?:,[0-9]{3}|[0-9]{0,5})(?:\.[0-9]{1,3})?[ \u00a0-]?"
    r"(?:mg|g|µg|μg|mcg|micrograms?|milligrams?|grams?|IU|international units?)\b"
    # A concentration in blood is a measurement and no dose.
    r"(?!/(?i:d?l|ml|mol|mmol)\b| (?:per|a) (?:litre|liter|deci|milli))"
    r"(?:/kg)?(?:/d(?:ay)?\b|(?: of [a-z-]{3,20})?,? (?:(?:a|per|each|every|once a|"
    r"twice a|once|twice) (?:day|week|month|daily|weekly)|daily|weekly|monthly)\b)?",
)
_OUTCOME = re.compile(
    r"primary (?:efficacy |composite |safety )?(?:outcome|end ?-?point)s?(?: measures?)?"
    r"(?:,? which)? (?:was|were|of) (?P<outcome>[^.;:()]{4,120}?)"
    r"(?=[.;:(]|,? (?:was|were|did|had|occurred|with|which|at|in the|analy[sz]ed)\b)",
    re.IGNORECASE,
)
_DOSES = 2


@dataclass(frozen=True, slots=True)
class Study:
    """What is known of a study; what the paper does not say is None or empty."""

    design: Design
    design_words: str
    """The words from which the design was read."""
    sample_size: int | None
    sample_words: str
    """The phrase of the abstract that gives the sample size; empty if the metadata gave it."""
    population: str
    doses: tuple[str, ...]
    outcome: str
    """The primary outcome, in the abstract's own words."""


def read_study(document: Document) -> Study:
    """Read a study; what the metadata says goes before what the abstract says."""
    meta = document.meta
    design, words = find_design(document)
    found = find_sample_size(document.abstract) if meta.sample_size is None else None
    outcome = _OUTCOME.search(document.abstract)
    doses = dict.fromkeys(match[0] for match in _DOSE.finditer(document.abstract))
    return Study(
        design=design,
        design_words=words,
        sample_size=meta.sample_size if found is None else found.value,
        sample_words="" if found is None else found.text,
        population=meta.population or _population(found),
        doses=tuple(doses)[:_DOSES],
        outcome=outcome["outcome"].strip() if outcome else "",
    )


def _population(found: SampleSize | None) -> str:
    return "" if found is None else found.population
