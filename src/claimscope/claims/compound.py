"""Splits compound claims into their parts, where the words leave no doubt.

A wrong split is worse than none: what the rules do not know stays whole. Comparisons, ranges,
alternatives, conditions and fixed pairs are never split. A part is a claim of its own: it has its
subject, its verb, and the group of people that the whole claim names at its end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from claimscope.claims.verbs import ADJECTIVE, Verb, is_plural, main_verb, verb_at
from claimscope.text import split_sentences

MOST_PARTS = 4
"""A claim with more parts stays whole: it is a list, and rarely one statement."""

_NEVER = re.compile(
    r"\b(?:between|versus|vs|compared|comparable|respectively|than|whether|if|because|unless|although|"
    r"though|that|which|who|whom|whose|where|when|or|nor|neither|either|as|such|including|like|"
    r"e\.g|i\.e|together|jointly|combin\w+|interact\w*|synerg\w+|alternat\w+|each|alone|cannot|"
    r"should|must|will|would|it|its|they|their|them|this|these|those|former|latter|same|"
    r"first|second|other|others|another|more|less|most|least|half|twice|only(?!\s.*\bbut also))\b"
    r"|^(?:few|some|many|several|certain|all|any|no|not)\b"
    r"|[?()\[\]\"“”:/]|\bfrom\b.*\bto\b|-\s+and\b",
    re.IGNORECASE,
)
_PAIRS = re.compile(
    r"\b(?:signs? and symptoms?|symptoms? and signs?|morbidity and mortality|head and neck|"
    r"ear and nose|nose and throat|nausea and vomiting|trial and error|cause and effect|"
    r"research and development|growth and development|wear and tear|mother and child|"
    r"health and safety|safety and efficacy|efficacy and safety|supply and demand|"
    r"diet and exercise|fruits? and vegetables?|men and women|women and men|boys and girls|"
    r"adults and children|mice and rats|foot and mouth|soap and water|sodium and potassium|"
    r"iron and folate|calcium and vitamin d|lopinavir and ritonavir|levodopa and carbidopa|"
    r"amoxicillin and clavulanate|ezetimibe and simvastatin|black and white|"
    r"obsessions? and compulsions?|onset and progression)\b",
    re.IGNORECASE,
)
_TERMS = re.compile(
    r"\b(?:(?:heart|cardiac) (?:attacks?|failure|disease|arrest)|(?:kidney|liver|renal) (?:failure|"
    r"disease|damage|injury)|blood (?:pressure|sugar|glucose|clots?|lipids)|body (?:weight|"
    r"temperature|fat)|weight (?:gain|loss)|muscle (?:mass|strength|pain)|bone (?:loss|density)|"
    r"(?:lung|breast|colon|colorectal|prostate|skin|ovarian|pancreatic|gastric|bladder) cancer|"
    r"type [12] diabetes|green tea|red meat|birth weight|"
    r"(?:folic|omega-3 fatty|fatty|uric) acids?|air pollution|physical activity|hip fractures?|"
    r"insulin (?:resistance|sensitivity)|oxidative stress|cognitive decline)\b"
    r"|\b(?-i:[Vv]itamin [A-EK]\d*)\b",
    re.IGNORECASE,
)
# Words that describe a noun which may follow only after the "and": "heart and lung disease".
_MODIFIER = re.compile(
    r"(?:heart|lung|liver|kidney|breast|brain|bone|skin|muscle|colon|prostate|blood|body|joint|nerve|"
    r"tissue|cell|tumou?r|drug|gene|protein|type|group|low|high|mild|severe|acute|early|late|old|"
    r"young|male|female|human|mouse|good|bad|new|left|right|upper|major|minor|infant|child|adult|"
    r"maternal|(?!smoking|drinking|vaping|ageing|aging|fasting|screening|wheezing|coughing|bleeding|swelling|vomiting)\w*(?:al|ic|ar|ary|ory|ive|ous|ian|ed|ing|able|ible|ant|ent))$",
    re.IGNORECASE,
)
_HEAD = (
    r"(?:(?:the|a)\s+)?(?:(?:\w+\s+)?(?:risks?|incidence|rates?|prevalence|likelihood|chances?|odds|"
    r"severity|levels?|number|frequency|symptoms|growth|progression|development)\s+of\s+)"
)
_PEOPLE = re.compile(
    r"\s+(?:in|among)\s+(?:[a-z-]+\s+){0,3}(?:patients|adults|children|women|men|people|mice|rats|"
    r"humans|infants|adolescents|smokers|individuals|students|mothers|babies|workers|athletes)"
    r"(?:\s+with\s+[\w-]+(?:\s+[\w-]+)?)?$"
)
_CIRCUMSTANCE = re.compile(
    r"\b(?:by|using|during|after|before|within|at|until|without|via|through)\b"
)
_OPENING = re.compile(
    r"^(?:in|among|for|while|after|during|at|by|with|from|on|to|under|of|also|not|then|thus|so|"
    r"there|he|she|we|you|i|some|many|no|even)\b",
    re.IGNORECASE,
)
# After "but not": words of degree, and what belongs to another thing than the verb.
_DEGREE = re.compile(r"(?:\w+ly|all|any|always|enough|every|everyone|everywhere|much|well|yet)\b")
_AND = re.compile(r",?\s+and\s+")
_ITEMS = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_ITEM = re.compile(r"[A-Za-z][A-Za-z-]{2,}(?:_[\w-]+)*\Z")
_FUNCTION = re.compile(
    r"\b(?:the|an?|of|in|among|for|with|by|on|at|to|from|and|not|is|are|was|were|has|have)\b"
)


def split_compound(text: str) -> tuple[str, ...]:
    """Give the parts of a compound claim in their order, or the claim itself if it is simple."""
    clean = " ".join(text.split())
    stem = clean.rstrip(".")
    if _NEVER.search(stem) or _PAIRS.search(stem):
        return (text,)
    parts = _split(stem)
    if not 2 <= len(parts) <= MOST_PARTS:
        return (text,)
    end = clean[len(stem) :][:1]
    return tuple(f"{part[:1].upper()}{part[1:]}{end}" for part in parts)


def _split(text: str) -> list[str]:
    for rule in _RULES:
        if parts := rule(text):
            return [each for part in parts for each in _split(part)]
    return [text]


Parts = Sequence[str] | None


def _sentences(text: str) -> Parts:
    """Split two whole sentences: "A reduces B. C increases D"."""
    spans = split_sentences(text)
    found = [text[start:end].rstrip(".") for start, end in spans]
    return found if len(found) > 1 and all(map(_is_clause, found)) else None


def _clauses(text: str) -> Parts:
    """Split clauses that have subjects of their own: "A reduces B, but C increases D"."""
    if _OPENING.match(text):
        return None
    for match in re.finditer(r"\s*;\s*|,?\s+(?:and|but|while|whereas|yet)\s+", text):
        left, right = text[: match.start()], text[match.end() :]
        if _is_clause(left) and _is_clause(right):
            return _with_people(left, right)
    return None


def _is_clause(text: str) -> bool:
    """Say whether a text has a short subject, a verb, and what the verb asks for."""
    verb = main_verb(text)
    if verb is None or _OPENING.match(text) or len(text[: verb.start].split()) > 5:
        return False
    return "," not in text[: verb.start] and _is_whole(verb, text)


def _is_whole(verb: Verb, text: str) -> bool:
    return verb.is_complete or bool(text[verb.end :].strip(" ,"))


def _but_not(text: str) -> Parts:
    """Split "A, but not B, reduces C", "A reduces B but not C" and "… in men but not in women"."""
    if match := re.match(r"([^,]+), but not ([^,]+), (.+)", text):
        first, other, rest = match.groups()
        verb = main_verb(f"{first} {rest}")
        if verb is None or verb.is_negated or verb.start != len(first) + 1 or " and " in rest:
            return None
        return [f"{first} {rest}", f"{other} {verb.negated()}{rest[len(verb.words) :]}"]
    head, _, other = text.partition(" but not ")
    verb = main_verb(text)
    if not other or verb is None or verb.is_negated or verb.end > len(head) or " and " in text:
        return None
    head = head.rstrip(",")
    subject, thing = text[: verb.start], head[verb.end :].strip()
    if place := re.match(r"(?:in|among|for)\s", other):
        thing, found, _ = thing.rpartition(f" {place[0]}")
        return [head, f"{subject}{verb.negated()} {thing} {other}"] if found and thing else None
    is_thing = not (_FUNCTION.search(other) or _DEGREE.match(other))
    if not thing or not is_thing or verb_at(text, len(text) - len(other)):
        return None
    common = match[0] if (match := re.match(_HEAD, thing)) else ""
    return [head, f"{subject}{verb.negated()} {common}{other}"]


def _predicates(text: str) -> Parts:
    """Split predicates that share a subject: "A reduces B but increases C"."""
    text = re.sub(r"\bnot only (.+?),? but also ", r"\1 and ", text)
    first = main_verb(text)
    if first is None:
        return None
    for match in re.finditer(r",?\s+(?:and|but|yet)\s+(?:also\s+)?|\s*,\s+(?=.* and )", text):
        second = verb_at(text, match.end())
        if match.start() < first.end or second is None or not _fits(first, second):
            continue
        left, right = text[: match.start()], text[match.end() :]
        if left.endswith(("ed", "ly")) or not (_is_whole(first, left) and _is_whole(second, text)):
            return None
        shared = f"{first.modal} " if first.modal and not second.modal else ""
        return _with_people(left, f"{text[: first.start]}{shared}{right}")
    return None


def _fits(first: Verb, second: Verb) -> bool:
    """Say whether a verb can have the subject of another one."""
    if first.modal:
        is_shared = second.form == "many" and not second.auxiliary and not first.is_negated
        return is_shared or bool(second.modal)
    if first.is_negated and first.auxiliary in {"do", "did"} and not second.auxiliary:
        return first.auxiliary == "did" and second.form == "past"
    return first.form == second.form


def _with_people(left: str, right: str) -> Parts:
    """Give both parts the group that stands at the end; other circumstances are in doubt."""
    if _CIRCUMSTANCE.search(right):
        return None
    people = _PEOPLE.search(right)
    missing = people[0] if people and not _PEOPLE.search(left) else ""
    return [f"{left.rstrip(',')}{missing}", right]


def _adjectives(text: str) -> Parts:
    """Split two properties: "A is safe and effective for B"."""
    match = re.match(
        rf"(.+?\b(?:is|are|was|were)\s+)(?:both\s+)?({ADJECTIVE})\s+and\s+({ADJECTIVE})(\s.*)?$",
        text,
    )
    if match is None or _AND.search(match[1]) or _AND.search(match[4] or ""):
        return None
    start, one, other, rest = match.groups(default="")
    return [f"{start}{one}{rest}", f"{start}{other}{rest}"]


def _objects(text: str) -> Parts:
    """Split things that share a subject and a verb: "A reduces the risk of B and C"."""
    verb = main_verb(text)
    if verb is None or verb.is_negated or _AND.search(text[: verb.start]):
        return None
    subject, rest = text[: verb.end], text[verb.end :].strip()
    people = match[0] if (match := _PEOPLE.search(rest)) else ""
    rest = rest[: len(rest) - len(people)]
    head = match[0] if (match := re.match(rf"(?:both\s+)?{_HEAD}", rest)) else ""
    items = _items(rest[len(head) :])
    head = head.removeprefix("both ")
    return [f"{subject} {head}{item}{people}" for item in items] if items else None


def _subjects(text: str) -> Parts:
    """Split things that share what is said of them: "A and B reduce C"."""
    verb = main_verb(text)
    if verb is None or verb.form == "one" or verb.is_complete:
        return None
    items = _items(text[: verb.start].strip())
    rest = text[verb.end :]
    if not items or not rest.strip():
        return None
    forms = (verb.words if is_plural(item) else verb.singular() for item in items)
    return [f"{item} {form}{rest}" for item, form in zip(items, forms, strict=True)]


def _items(text: str) -> list[str] | None:
    """Give the items of a list of plain nouns; empty if a word may belong to more than one item.

    All have as many words as the others, since a longer one may lend its words to its neighbours:
    "lung cancer and mortality", "acute and chronic pain".
    """
    if not _AND.search(text):
        return None
    joined = _TERMS.sub(lambda match: match[0].replace(" ", "_"), re.sub(r"(?i)^both ", "", text))
    items = _ITEMS.split(joined)
    sizes = {len(item.split()) for item in items}
    if len(sizes) > 1 or max(sizes) > 2:
        return None
    words = [item.split() for item in items]
    if any(_FUNCTION.search(item) for item in items) or main_verb(joined):
        return None
    if not all(_ITEM.match(word) for item in words for word in item):
        return None
    if any(_MODIFIER.match(item[-1]) for item in words[:-1]):
        return None
    if max(sizes) == 2 and _MODIFIER.match(words[0][0]):
        return None
    return [item.replace("_", " ") for item in items]


_RULES: tuple[Callable[[str], Parts], ...] = (
    _sentences,
    _but_not,
    _predicates,
    _clauses,
    _adjectives,
    _objects,
    _subjects,
)
