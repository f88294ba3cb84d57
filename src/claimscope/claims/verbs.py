"""Finds the verbs of findings, such as "reduces" or "is associated with", and changes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LEMMAS = (
    "accelerate activate affect aggravate alleviate alter attenuate block boost cause cure damage "
    "decrease delay diminish disrupt elevate eliminate enhance exacerbate facilitate harm impair "
    "improve increase induce influence inhibit kill limit lower mediate modulate predict prevent "
    "prolong promote protect raise reduce regulate relieve restore shorten stimulate strengthen "
    "suppress transmit treat trigger weaken worsen"
).split()
_WITH_PREPOSITION = {"lead": "to", "result": "in", "contribute": "to", "protect": "against"}
_IRREGULAR = {"lead": "led", "transmit": "transmitted"}
_PARTICIPLES = r"(?:associated|linked|correlated)\s+with|(?:caused|prevented|transmitted)\s+by"
_ADJECTIVES = (
    "addictive beneficial carcinogenic contagious dangerous effective feasible harmful harmless "
    "ineffective infectious reliable safe toxic unsafe useless"
).split()
ADJECTIVE = rf"(?:{'|'.join(_ADJECTIVES)}|well[ -]tolerated)"
_PLURALS = frozenset("people men women children mice bacteria data infants adolescents".split())
_MASS = re.compile(r"(?:ss|us|is|diabetes|measles|herpes|rabies|aids)$", re.IGNORECASE)


def _third(lemma: str) -> str:
    return f"{lemma}es" if lemma.endswith(("s", "sh", "ch", "x")) else f"{lemma}s"


def _past(lemma: str) -> str:
    return _IRREGULAR.get(lemma) or (f"{lemma}d" if lemma.endswith("e") else f"{lemma}ed")


_ALL = sorted({*_LEMMAS, *_WITH_PREPOSITION})
_BASE_OF = {_third(lemma): lemma for lemma in _ALL} | {_past(lemma): lemma for lemma in _ALL}
_BASE_OF |= {lemma: lemma for lemma in _ALL}


def _words(forms: dict[str, str]) -> str:
    """Give a pattern of forms, each with the preposition that its verb needs."""
    needed = {form: _WITH_PREPOSITION.get(lemma, "") for form, lemma in forms.items()}
    return "|".join(
        rf"{form}\s+{word}" if word and forms[form] not in _LEMMAS else form
        for form, word in needed.items()
    )


_THIRD = _words({_third(lemma): lemma for lemma in _ALL})
_PAST = _words({_past(lemma): lemma for lemma in _ALL})
_BASE = _words({lemma: lemma for lemma in _ALL})
_ADVERB = r"(?:(?:also|often|strongly|greatly|\w+ly)\s+)?"
_PATTERN = re.compile(
    rf"(?<![\w-])(?P<adverb>{_ADVERB})(?:"
    rf"(?P<modal>can|could|may|might)(?P<modal_not>\s+not)?\s+{_ADVERB}(?P<after_modal>{_BASE})|"
    rf"(?P<do>does|do|did)\s+not\s+{_ADVERB}(?P<after_do>{_BASE})|"
    rf"(?P<be>is|are|was|were)(?P<be_not>\s+not)?\s+{_ADVERB}(?:{_PARTICIPLES}|{ADJECTIVE})|"
    rf"(?P<third>{_THIRD})|(?P<past>{_PAST})|(?P<base>{_BASE})"
    r")(?![\w-])"
)
# After a noun that looks like a verb: "an increase in risk", "causes of death", "cause and effect".
_AFTER_NOUN = re.compile(r"\s*(?:(?:in|of|by|from|with|at|on|for|to|and|or|than)\b|[,;.]|$)")


@dataclass(frozen=True, slots=True)
class Verb:
    """A finite verb with what belongs to it, and its place in the text."""

    start: int
    end: int
    words: str
    form: str
    """What it agrees with: "one", "many", "past", or "modal"."""
    auxiliary: str
    """The word that "not" follows, or "" for a verb alone."""
    is_negated: bool

    @property
    def modal(self) -> str:
        """The modal verb, if it has one."""
        return self.auxiliary if self.form == "modal" else ""

    @property
    def is_complete(self) -> bool:
        """Whether it says something without an object, as "is safe" does."""
        return bool(re.search(rf"{ADJECTIVE}$", self.words))

    def negated(self) -> str:
        """Give the verb with "not"."""
        if self.auxiliary:
            return re.sub(rf"\b{self.auxiliary}\b", f"{self.auxiliary} not", self.words, count=1)
        auxiliary = {"one": "does", "many": "do", "past": "did"}[self.form]
        return f"{auxiliary} not {_to_base(self.words)}"

    def singular(self) -> str:
        """Give the form for one subject."""
        if self.form != "many":
            return self.words.replace("were ", "was ", 1) if self.form == "past" else self.words
        if self.auxiliary:
            one = {"are": "is", "do": "does"}[self.auxiliary]
            return re.sub(rf"\b{self.auxiliary}\b", one, self.words, count=1)
        return re.sub(r"[a-z]+(?=\s+(?:to|in)$|$)", lambda m: _third(m[0]), self.words, count=1)


def _to_base(words: str) -> str:
    return " ".join(_BASE_OF.get(word, word) for word in words.split())


def verbs(text: str) -> Iterator[Verb]:
    """Find the finite verbs, without words that are nouns or participles in their place."""
    for match in _PATTERN.finditer(text):
        verb = _verb(match)
        is_noun = not (verb.auxiliary or verb.is_complete or verb.words.endswith((" to", " in")))
        if is_noun and not _with_own_preposition(verb) and _AFTER_NOUN.match(text, verb.end):
            continue
        yield verb


def verb_at(text: str, place: int) -> Verb | None:
    """Give the verb that begins at a place."""
    return next((verb for verb in verbs(text) if verb.start == place), None)


def main_verb(text: str) -> Verb | None:
    """Find the first verb that has a subject before it and agrees with it."""
    return next((verb for verb in verbs(text) if _agrees(text[: verb.start], verb)), None)


def is_plural(subject: str) -> bool:
    """Guess from its last word whether a subject is plural."""
    word = subject.split()[-1].strip(",").lower() if subject.split() else ""
    return word in _PLURALS or (word.endswith("s") and not _MASS.search(word))


_NO_SUBJECT = re.compile(r"(?:^|\s)(?:and|or|but|of|in|the|an?|to|by|with|for|from|not|as),?$")


def _agrees(before: str, verb: Verb) -> bool:
    subject = before.strip()
    if not subject or subject.endswith(",") or _NO_SUBJECT.search(subject.lower()):
        return False
    return verb.form != "many" or is_plural(subject) or " and " in subject


def _with_own_preposition(verb: Verb) -> bool:
    return any(verb.words.endswith(f" {word}") for word in _WITH_PREPOSITION.values())


def _verb(match: re.Match[str]) -> Verb:
    found = match.groupdict()
    auxiliary = found["modal"] or found["do"] or found["be"] or ""
    if found["modal"]:
        form = "modal"
    elif auxiliary in {"does", "is"} or found["third"]:
        form = "one"
    elif auxiliary in {"do", "are"} or found["base"]:
        form = "many"
    else:
        form = "past"
    is_negated = bool(found["modal_not"] or found["do"] or found["be_not"])
    return Verb(match.start(), match.end(), match[0], form, auxiliary, is_negated)
