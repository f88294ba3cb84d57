"""The design of a study: from the paper's metadata, else from its title, else from its abstract."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from claimscope.types import Document


class Design(Enum):
    """How a study was done; the value is its name for people, in the singular."""

    SYSTEMATIC_REVIEW = "systematic review"
    RANDOMISED_TRIAL = "randomised trial"
    TRIAL = "trial"
    """A trial that does not say that it was randomised."""
    COHORT = "cohort study"
    CASE_CONTROL = "case-control study"
    CROSS_SECTIONAL = "cross-sectional study"
    OBSERVATIONAL = "observational study"
    """An observational study of another kind, or of one that is not named."""
    CASE_REPORT = "case report"
    ANIMAL = "animal study"
    LABORATORY = "laboratory study"
    REVIEW = "review"
    """A review that does not say that it was systematic."""
    OPINION = "comment"
    UNKNOWN = "study"

    @property
    def is_known(self) -> bool:
        """Whether the paper says how the study was done."""
        return self is not Design.UNKNOWN

    @property
    def plural(self) -> str:
        """Its name for several studies."""
        name = self.value
        return f"{name[:-1]}ies" if name.endswith("study") else f"{name}s"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{text})", re.IGNORECASE)


# The order decides where several match: a review of trials is a review, not a trial.
_NAMES = (
    (Design.SYSTEMATIC_REVIEW, _pattern(r"meta-?\s?analy[sz]|systematic(?:ally)?\s+review")),
    (Design.ANIMAL, _pattern(r"animal (?:study|studies|experiment|model)|in vivo\b")),
    (
        Design.LABORATORY,
        _pattern(r"in[ -]vitro|laboratory (?:study|experiment)|cell (?:culture|line)s?"),
    ),
    (
        Design.TRIAL,
        _pattern(
            r"(?:non-?|un|not )randomi[sz]ed|quasi-?experiment|single-?arm|open-label extension"
        ),
    ),
    (
        Design.RANDOMISED_TRIAL,
        _pattern(r"randomi[sz]ed|randomised trial|placebo-controlled|rct\b"),
    ),
    (Design.TRIAL, _pattern(r"clinical trial|controlled trial|trial\b|intervention(?:al)? study")),
    (Design.CASE_CONTROL, _pattern(r"case[- ]control|case[- ]referent")),
    (
        Design.COHORT,
        _pattern(
            r"cohort|prospective study|follow-?up study|longitudinal study|retrospective study"
        ),
    ),
    (Design.CROSS_SECTIONAL, _pattern(r"cross-?\s?sectional|prevalence study|survey\b")),
    (Design.CASE_REPORT, _pattern(r"case (?:report|series|study)")),
    (Design.OBSERVATIONAL, _pattern(r"observational|registry study|ecological study")),
    (Design.OPINION, _pattern(r"comment\b|editorial|letter\b|news\b|perspective\b")),
    (Design.REVIEW, _pattern(r"(?:narrative |scoping |literature )?review\b")),
)
# Opinions are told by metadata alone; "perspective" and "letter" have other meanings in a title.
_TITLE = tuple(each for each in _NAMES if each[0] is not Design.OPINION)
# What authors say that they did themselves; the mere name of a design may be another study's.
_DONE = (
    (
        Design.SYSTEMATIC_REVIEW,
        _pattern(
            r"(?:this|we|our)\s(?:\w+\s){0,4}(?:meta-?analy|systematic review)"
            r"|(?:trials|studies) were (?:pooled|combined)|meta-?analysis (?:of|combined|pooled)"
            r"|we searched (?:the )?(?:medline|pubmed|embase|cochrane)"
        ),
    ),
    (
        Design.RANDOMISED_TRIAL,
        _pattern(
            r"(?:were|was|been|we|and|trial)\s(?:\w+\s)?randomi[sz]ed"
            r"|randomly (?:assigned|allocated)|(?:this|our|a) (?:[\w-]+,? ){0,4}randomi[sz]ed"
            r" (?:[\w-]+,? ){0,4}(?:trial|study)"
        ),
    ),
    (Design.CASE_CONTROL, _pattern(r"case[- ]control (?:study|design|analysis)")),
    (
        Design.COHORT,
        _pattern(r"(?:prospective |retrospective |birth |this |population )?cohort (?:study|of)"),
    ),
    (Design.CROSS_SECTIONAL, _pattern(r"cross-?sectional (?:study|survey|analysis|data)")),
    (
        Design.CASE_REPORT,
        _pattern(r"(?:we (?:report|describe|present)|this is) (?:a|the|two|three) cases?\b"),
    ),
    (
        Design.ANIMAL,
        _pattern(
            r"(?:in|of|using|male|female|wild-?type|knockout|transgenic|\w+-fed)"
            r" (?:mice|rats|mouse|rabbits|zebrafish)\b"
        ),
    ),
    (Design.LABORATORY, _pattern(r"in[ -]vitro\b|cultured? (?:\w+ ){0,2}cells|cell lines?\b")),
    (Design.TRIAL, _pattern(r"(?:this|our|the) (?:[\w-]+ ){0,3}trial\b")),
    (Design.OBSERVATIONAL, _pattern(r"observational study")),
)


def find_design(document: Document) -> tuple[Design, str]:
    """Give the design and the words it was read from; unknown without any."""
    meta = document.meta
    for words in (meta.study_type or "", "; ".join(meta.publication_types)):
        if found := _first(_NAMES, words):
            return found, words
    for patterns, text in ((_TITLE, document.title), (_DONE, document.abstract)):
        for design, pattern in patterns:
            if match := pattern.search(text):
                return design, match[0]
    return Design.UNKNOWN, ""


def _first(patterns: Iterable[tuple[Design, re.Pattern[str]]], words: str) -> Design | None:
    return next((design for design, pattern in patterns if pattern.search(words)), None)
