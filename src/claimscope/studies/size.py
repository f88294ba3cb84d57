"""Finds the number of participants in an abstract, as the authors wrote it.

A number that could be anything else is passed over: no sample size is better than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_SMALL = {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen".split(),
        start=1,
    )
} | {
    word: 10 * number
    for number, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
_SCALES = {"thousand": 1_000, "million": 1_000_000}
_ANY = "|".join(sorted((*_SMALL, "hundred", *_SCALES), key=len, reverse=True))
_SPELLED = (
    rf"(?:{'|'.join(sorted(_SMALL, key=len, reverse=True))})(?:[- ](?:and )?(?:{_ANY})){{0,8}}"
)
# Thousands are parted by commas, by spaces that do not break a line, or by thin or plain ones.
_DIGITS = r"[0-9]{1,3}(?:[,\u00a0\u2009\u202f ][0-9]{3}){1,3}(?![0-9])|[0-9]{1,9}"
_NUMBER = (
    rf"(?<![0-9A-Za-z.,/%$£€\u2013\u2212-])"
    rf"(?:[1-9][0-9]{{0,2}}\.[0-9]{{1,2}} million|(?!0)(?:{_DIGITS})"
    rf"(?![0-9%\u2013]|[.,/:-][0-9]))(?: million)?|(?<![A-Za-z0-9-])(?:{_SPELLED})\b"
)
_PEOPLE = (
    r"participants?|patients?|subjects?|individuals?|people|persons?|men|women|adults|children|"
    r"infants?|newborns?|neonates?|babies|boys|girls|adolescents?|teenagers?|volunteers?|smokers|"
    r"physicians?|doctors|nurses|students?|pupils|residents?|workers?|employees|veterans|soldiers|"
    r"mothers|twins|survivors|athletes|cases|controls|households|pregnancies|"
    r"births|mice|rats|rabbits|dogs|pigs|monkeys|animals|teachers|inhabitants|citizens"
)
_QUALIFIER = r"[A-Za-z][A-Za-z\u2019'-]{0,24}"
# These words between the number and the noun make the number one of something else.
_OTHER = (
    r"(?!(?:of|in|to|and|or|per|the|were|was|had|for|with|at|by|on|from|than|among|who|years?|yr|"
    r"months?|weeks?|days?|hours?|mg|g|kg|percent|deaths?|events?|times|points?|studies|trials|"
    r"cohorts|centres|centers|hospitals|countries|sites|clinics|schools|groups|a|an|when|that|which|while|other|"
    r"additional|more|further|fewer|such|new|recurrent|protein|gene|cell)\b)"
)
_COUNTED = re.compile(
    rf"(?P<number>{_NUMBER})\s(?:{_OTHER}{_QUALIFIER},?\s){{0,5}}?(?:{_PEOPLE})\b"
    # "men and women", and "men aged 50 or older and women", of whom the first word is only half.
    rf"(?:\s(?:(?:aged|over|older)\s[^.;:()\n]{{1,40}}?\s)?(?:and|or)\s(?:{_PEOPLE})\b)?",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"\bn\s?=\s?(?P<number>{_DIGITS})(?![0-9%]|[.,][0-9])", re.IGNORECASE)
_BEFORE = 48
_AFTER = 130
_WHOLE = re.compile(
    r"(?:total (?:of|sample of)|randomi[sz]ed|randomly (?:assigned|allocated)|assigned|enrolled|"
    r"recruited|included|including|involving|comprising|studied|analy[sz]ed|followed|allocated|"
    r"sample of|cohort of|data (?:from|on|for)|among|examined|tested|trial of|study of|compared)"
    r"\W{1,2}(?:\w+\W){0,3}$",
    re.IGNORECASE,
)
_WHOLE_AFTER = re.compile(
    r"^[^.;]{0,30}?\b(?:were|was)\s(?:\w+\s)?(?:randomi[sz]ed|randomly|enrolled|recruited|included|assigned|"
    r"followed|studied|allocated|analy[sz]ed)",
    re.IGNORECASE,
)
_PART = re.compile(
    r"(?:(?<![A-Za-z])(?:one|two|[0-9]) in|[0-9%]\)?\s(?:of(?: the)?|out of|among)|"
    r"\b(?:per|every|each|screened|invited|approached|assessed|eligible|excluded|treat|group of|"
    r"subgroup of|only|remaining|other|another|aged|age|"
    r"these|those|first|additional|died|versus|vs\.?|than|and))\s?$",
    re.IGNORECASE,
)
_PART_AFTER = re.compile(
    r"^[^.;,]{0,30}?\b(?:died|dropped|withdrew|discontinued|declined|excluded|screened|were lost|"
    r"relapsed|developed|per year|a year)|^[ -]years|^ each\b|^ \([0-9.]+ ?%"
    # One arm beside another: "2,104 patients were assigned the drug and 4,321 usual care".
    r"|^[^.;]{0,44}?\band [0-9]"
    r"|^[^.;]{0,30}?\b(?:randomi[sz]ed|assigned|allocated) to [^.;]{0,80}?\band [0-9][0-9,]* to\b",
    re.IGNORECASE,
)
LARGEST = 999_999_999


@dataclass(frozen=True, slots=True)
class SampleSize:
    """A number of participants, and where a text says so."""

    value: int
    text: str
    """The phrase, word for word."""
    start: int
    end: int

    @property
    def population(self) -> str:
        """Who was counted, in the text's own words; empty where it only gives the number."""
        match = _COUNTED.fullmatch(self.text)
        return self.text[match.end("number") :].strip() if match else ""


def find_sample_size(text: str) -> SampleSize | None:
    """Give the size of the whole sample that a text states, or None where it states none.

    Numbers beside words of enrolment come first; of several the largest is the whole, since groups
    are parts of it.
    """
    found = list(_candidates(text))
    if not found:
        return None
    best = max(found, key=lambda each: (each[0], each[1].value, -each[1].start))
    return best[1]


def _candidates(text: str) -> Iterator[tuple[int, SampleSize]]:
    named = list(_NAMED.finditer(text))
    # Several "n =" are groups of which nobody says that they are all.
    for pattern, matches in ((_COUNTED, _COUNTED.finditer(text)), (_NAMED, named[:1])):
        if pattern is _NAMED and len(named) > 1:
            continue
        for match in matches:
            value = _value(match["number"])
            if not 2 <= value <= LARGEST:
                continue
            before = text[max(0, match.start() - _BEFORE) : match.start()]
            after = text[match.end() : match.end() + _AFTER]
            if _PART.search(before) or _PART_AFTER.search(after):
                continue
            size = SampleSize(value, match[0], match.start(), match.end())
            yield _certainty(pattern, before, after), size


def _certainty(pattern: re.Pattern[str], before: str, after: str) -> int:
    if _WHOLE.search(before) or _WHOLE_AFTER.search(after):
        return 2
    return 1 if pattern is _COUNTED else 0


def _value(words: str) -> int:
    """Read a number in digits or in words; "1.27 million" and "two hundred" are numbers, too."""
    plain = re.sub(r"[,\s]+(?=[0-9])", "", words.lower())
    number, _, scale = plain.partition(" ")
    if number.replace(".", "", 1).isdecimal():
        return round(float(number) * _SCALES.get(scale, 1))
    return _spelled(re.split(r"[- ]", plain))


def _spelled(words: Iterable[str]) -> int:
    total = group = 0
    for word in words:
        if word == "hundred":
            group *= 100
        elif word in _SCALES:
            total, group = total + group * _SCALES[word], 0
        else:
            group += _SMALL.get(word, 0)
    return total + group
