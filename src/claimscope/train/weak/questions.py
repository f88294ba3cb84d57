"""Yes-no questions as statements: PubMedQA's questions against the answers of their papers."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from claimscope.text import split_sentences
from claimscope.train.verifier.pairs import Pair, Target
from claimscope.train.weak.claims import strip_openings
from claimscope.train.weak.negation import VERBS, inflected
from claimscope.train.weak.words import capitalised

_DO = re.compile(r"^(Does|Do|Did|Can|Could|Will|Should|May)\s+(.+?)\?*$", re.IGNORECASE)
_BASES = VERBS | frozenset(
    "have be help make increase decrease work matter need exist add lower worsen impact".split()
)
_BE = re.compile(
    r"^(Is|Are|Was|Were)\s+(.+?)\s+((?:an?\s|the\s|associated|related|effective|necessary|useful|"
    r"safe|needed|required|possible|feasible|predictive|different|better|higher|lower|more|less|"
    r"beneficial|important|superior|justified|reliable|correlated|accurate|linked|able|"
    r"appropriate|indicated|sufficient|increased|reduced|affected|influenced|independent|still|"
    r"really|always|ready|worthwhile|valid|helpful|common|equivalent|dependent|present|adequate|"
    r"responsible|involved|underutilized).*?)\?*$",
    re.IGNORECASE,
)
_HAVE = {"does": "has", "did": "had", "do": "have"}


def statements(question: str) -> tuple[str, str] | None:
    """Give a question as a statement and its negation; None where the rules cannot."""
    text = question.split("?")[0].strip() if question.count("?") == 1 else question
    match = _DO.match(text)
    if match:
        return _with_verb(match[1].lower(), match[2].split())
    match = _BE.match(text)
    if match is None:
        return None
    auxiliary, subject, rest = match[1].lower(), match[2], match[3]
    return _sentence(subject, auxiliary, rest), _sentence(subject, f"{auxiliary} not", rest)


def _with_verb(auxiliary: str, words: list[str]) -> tuple[str, str] | None:
    for place, word in enumerate(words[1:], 1):
        verb = word.lower()
        if verb in _BASES:
            subject, rest = " ".join(words[:place]), " ".join(words[place + 1 :])
            if auxiliary not in _HAVE:
                said = f"{auxiliary} {verb}"
            else:
                said = _HAVE[auxiliary] if verb == "have" else inflected(verb, auxiliary)
            negated = f"{auxiliary} not {verb}"
            return _sentence(subject, said, rest), _sentence(subject, negated, rest)
    return None


def _sentence(*parts: str) -> str:
    return capitalised(" ".join(filter(None, parts))) + "."


def question_pairs(
    records: Iterable[Mapping[str, Any]], generator: random.Random
) -> Iterator[Pair]:
    """Give statement and negation against the long answer; the background says nothing yet."""
    for record in records:
        if record["final_decision"] == "maybe":
            continue
        yes, no = Target.SUPPORTS, Target.REFUTES
        if record["final_decision"] == "no":
            yes, no = no, yes
        group = str(record["pmid"])
        evidence = strip_openings(" ".join(_sentences(record["LONG_ANSWER"])[:3]))
        both = statements(record["QUESTION"])
        if both is None:
            yield Pair(record["QUESTION"], evidence, yes, group)
            continue
        yield Pair(both[0], evidence, yes, group)
        yield Pair(both[1], evidence, no, group)
        background = _sentences(record["CONTEXTS"][0])
        if background:
            yield Pair(generator.choice(both), background[0], Target.NOT_ENOUGH_INFO, group)


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]
