"""Finds sentences that state a checkable claim, by the language of findings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.text import split_sentences


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern, the points it gives, and the words that explain it."""

    words: str
    pattern: re.Pattern[str]
    points: int


def _cue(words: str, points: int, pattern: str) -> Cue:
    return Cue(words, re.compile(pattern, re.IGNORECASE | re.VERBOSE), points)


_EFFECT = r"""(?:reduc|lower|decreas|increas|rais|caus|prevent|protect|improv|impair|inhibit|promot
    |induc|enhanc|suppress|activat|trigger|worsen|delay|accelerat|alleviat|attenuat|exacerbat
    |elevat|boost|cur|treat|kill|damag|harm|shorten|prolong|modulat|regulat|mediat|alter|affect
    |influenc|contribut|predict|stimulat|block|eliminat|diminish|restor|disrupt|facilitat
    |transmit|enabl|strengthen|weaken|slow|limit)(?:s|es|ies|ed|d)"""

_EFFECT_OF_MANY = r"""(?:reduce|lower|decrease|increase|raise|cause|prevent|protect|improve|impair
    |inhibit|promote|induce|enhance|suppress|activate|trigger|worsen|delay|boost|cure|treat|kill
    |damage|harm|shorten|prolong|regulate|mediate|alter|affect|influence|predict|stimulate|block
    |contribute|help|spread|carry|transmit|work)"""

# One of these is enough: what remains is no statement that evidence could decide.
EXCLUSIONS = (
    _cue("asks a question", 0, r"\?['\"”’)\]]*\s*$"),
    _cue(
        "asks a question",
        0,
        r"^(?:is|are|do|does|did|can|could|should|would|will|has|have|why|how|what|who)\s"
        r"(?:it|there|this|that|you|we|they|the|a|an)\b[^.]*\?",
    ),
    _cue(
        "tells the reader what to do",
        0,
        r"^(?:please|always|never|do\s+not|don[’']t|try|avoid|ask|talk|read|click|see|visit|"
        r"subscribe|sign|follow|share|consider|remember|note|make\s+sure|check|call|contact|"
        r"learn|find\s+out|let[’']?s|imagine|eat|drink|take|use|keep|stop|start|get|go|wash|wear)"
        r"\b(?!\s+(?:of|rates?|habits?|disorders?)\b)",
    ),
    _cue(
        "speaks of the writer",
        0,
        # A capital I alone may be a Roman number, as in "type I"; it is one after such words.
        r"\b(?:my|myself|me)\b|(?-i:\bI[’'](?:m|ve|d|ll)\b|(?:^|[,;:“\"(]\s?|\b(?:and|that|but|as|if|"
        r"what|when|because|which|so|think|than)\s)I\s[a-z])",
    ),
    _cue(
        "gives an opinion",
        0,
        r"\b(?:in\s+(?:my|our)\s+(?:view|opinion)|i\s+think|we\s+(?:believe|hope|think|feel)|"
        r"it\s+is\s+(?:time|important|crucial|vital|essential)\s+(?:to|that)|"
        r"(?:shameful|outrageous|wonderful|amazing|terrible|ridiculous|scandalous)|"
        r"unfortunately|hopefully|deserves?\s+to|ought\s+to)\b",
    ),
    _cue("says what should be done", 0, r"\b(?:should|must|needs?\s+to)\b"),
    _cue(
        "predicts the future",
        0,
        r"\b(?:will|won[’']t|is\s+going\s+to|are\s+going\s+to|is\s+expected\s+to|are\s+expected"
        r"\s+to|by\s+20[3-9]\d)\b",
    ),
    _cue(
        "states an aim",
        0,
        r"\b(?:(?:we|authors?|study|trial|paper|review|work)\s+(?:\w+\s+)?(?:aim(?:s|ed)?|"
        r"sought|seeks?|set\s+out|intend(?:s|ed)?|hypothesi[sz]ed?|wanted|asked|attempt(?:s|ed)?|"
        r"test(?:s|ed)?\s+whether|investigat(?:e|es|ed)|examin(?:e|es|ed)|explor(?:e|es|ed)|"
        r"address(?:es|ed)?|evaluat(?:e|es|ed)|assess(?:es|ed)?|determin(?:e|es|ed)\s+whether|"
        r"analy[sz](?:e|es|ed)|compar(?:e|es|ed)|stud(?:y|ied)|describe[sd]?|review(?:s|ed)?|"
        r"present|propose[sd]?|developed|used|performed|conducted|measured|recruited|enrolled)|"
        r"(?:aim|goal|purpose|objective)s?\s+(?:of|was|is|were|are)|"
        r"(?:objective|aim|purpose|background|design|setting|methods?|participants)s?\s*:)",
    ),
    _cue(
        "describes a method",
        0,
        r"\b(?:was|were|been|being)\s+(?:\w+ly\s+)?(?:randomi[sz]ed|randomly|assigned|allocated|"
        r"recruited|enrolled|collected|measured|performed|carried\s+out|conducted|assessed|"
        r"evaluated|examined|investigated|analy[sz]ed|studied|tested|used|obtained|calculated|"
        r"estimated|determined|included|excluded|searched|selected|divided|given|fed|exposed|"
        r"treated\s+with|compared|developed|designed|applied|quantified|monitored|recorded|"
        r"genotyped|sequenced|purified|cultured|incubated|injected|followed)\b"
        r"(?!.*\b(?:show|found|reveal|suggest|indicat|demonstrat)\w*)",
    ),
    _cue(
        "says what is not known",
        0,
        r"\b(?:remains?\s+(?:\w+\s+)?(?:unclear|unknown|elusive|controversial|uncertain|"
        r"(?:to\s+be\s+)?(?:\w+\s+)?(?:determined|established|understood|defined|elucidated))|"
        r"(?:is|are)\s+(?:\w+\s+)?(?:unclear|unknown|poorly\s+understood|not\s+(?:well|fully|"
        r"completely)\s+(?:known|understood))|little\s+is\s+known|(?:more|further|future|"
        r"additional)\s+(?:\w+\s+)?(?:research|stud(?:y|ies)|trials?|work|investigations?)|"
        r"whether\s+.*\b(?:unclear|unknown))",
    ),
)

# Points add up; three make a claim.
CUES = (
    _cue(
        "draws a conclusion",
        3,
        r"\b(?:we|authors?|researchers?|scientists?|stud(?:y|ies)|trials?|results?|findings?|"
        r"data|analys[ei]s|observations?|evidence|experiments?|patterns?|work|report|"
        r"meta-analysis)\s+(?:\w+\s+){0,4}?(?:conclude[sd]?|show(?:s|ed|n)?|demonstrate[sd]?|"
        r"indicate[sd]?|suggest(?:s|ed)?|reveal(?:s|ed)?|find|found|confirm(?:s|ed)?|"
        r"establish(?:es|ed)?|provide[sd]?\s+evidence|support(?:s|ed)?|impl(?:y|ies|ied)|"
        r"identif(?:y|ies|ied)|highlight(?:s|ed)?|prove[sdn]?)\b",
    ),
    _cue(
        "draws a conclusion",
        3,
        r"\b(?:in\s+conclusion|in\s+summary|conclusions?\s*:|taken\s+"
        r"together|collectively|overall\s*,|interpretation\s*:)",
    ),
    _cue(
        "draws a conclusion",
        1,
        r"\b(?:thus|therefore|hence|consequently|indicating|suggesting|"
        r"implying|demonstrating|here\s*,?\s+we\s+(?:show|report|demonstrate|find))\b",
    ),
    _cue("states an effect", 3, rf"\b{_EFFECT}\b"),
    _cue("states an effect", 3, rf"\b\w+[^s\W]s\s(?:also\s|\w+ly\s)?{_EFFECT_OF_MANY}\b"),
    _cue(
        "states an effect",
        3,
        r"\b(?:leads?|led|gives?\s+rise)\s+to\b|\bresult(?:s|ed)?\s+in\b|"
        r"\b(?:can|could|may|might|does|do|did)\s+(?:not\s+|also\s+|\w+ly\s+)?"
        r"(?:be\s+(?:associated|linked|caused|prevented|cured|transmitted|inherited)|\w+e?)\s+"
        r"(?:the\s+)?(?:risk|growth|expression|survival|spread|severity|rate|level|activity)?",
    ),
    _cue(
        "states a link",
        3,
        r"\b(?:associat(?:ed|ion)|linked|link|correlat(?:e|es|ed|ion)|"
        r"related|connected|attributable|due)\s+(?:\w+ly\s+)?(?:with|to|between)\b",
    ),
    _cue(
        "compares",
        2,
        r"\b(?:more|less|fewer|higher|lower|greater|larger|smaller|better|worse|"
        r"faster|slower|longer|shorter|stronger|weaker|older|younger)\b.*\b(?:than|compared)\b|"
        r"\b(?:more|less|most|least|as)\s+likely\b|\b(?:twice|half)\s+(?:as|the)\b",
    ),
    _cue(
        "names a property",
        2,
        r"\b(?:is|are|was|were)\s+(?:\w+ly\s+|not\s+|a\s+|an\s+)*"
        r"(?:effective|ineffective|safe|unsafe|harmful|toxic|beneficial|protective|contagious|"
        r"infectious|carcinogenic|essential|sufficient|necessary|required|responsible|sensitive|"
        r"resistant|superior|inferior|risk\s+factor|cause|predictor|marker|biomarker|"
        r"determinant|regulator|target|inhibitor|dependent|independent|rare|common)\b",
    ),
    _cue(
        "denies an effect",
        2,
        r"\b(?:no|not?\s+any|without)\s+(?:\w+\s+){0,2}(?:effect|evidence|"
        r"difference|association|link|benefit|change|relation\w*|correlation|influence)\b|"
        r"\b(?:did|does|do|could|can)\s*(?:not|n[’']t)\b|\bfail(?:s|ed)?\s+to\b",
    ),
    _cue(
        "gives a quantity",
        1,
        r"\d\s*(?:%|percent|per\s+cent|times|fold|mg|years?)|"
        r"\bodds\s+ratio|\bhazard\s+ratio",
    ),
    _cue(
        "speaks of outcomes",
        1,
        r"\b(?:risk|incidence|prevalence|mortality|deaths?|survival|"
        r"symptoms?|severity|disease|cancer|infections?|diabetes|obesity|temperatures?|"
        r"emissions?|expression|activity|levels?|signal\w*|role|mechanisms?|patients)\b",
    ),
    _cue(
        "speaks of a role",
        2,
        r"\bplays?\s+(?:an?\s+)?(?:\w+\s+){0,3}(?:role|part)\b|"
        r"\b(?:acts?|functions?|serves?)\s+(?:as|by|to|via|through)\b|\b(?:binds?|interacts?)\b",
    ),
    _cue(
        "says that something occurs",
        1,
        r"\b(?:occurs?|exists?|contains?|consists?|has|have|"
        r"requires?|depends?|tends?|develops?|evolved|differs?|varies|remains?)\b",
    ),
    _cue(
        "reports an event",
        -2,
        r"\b(?:announced|said\s+(?:on|in\s+a)|told\s+reporters|on\s+"
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|this\s+(?:week|morning)|yesterday|press\s+"
        r"release|funded\s+by|published\s+in)\b",
    ),
    _cue("quotes measurements", -1, r"\b(?:p|n)\s*[<=>]\s*\d?\.?\d|\bCI\b|±"),
)


THRESHOLD = 3
"""Points that make a sentence a claim."""
_FEWEST_WORDS = 3
_LONGEST = 1_000
_ABSTRACT_SENTENCES = 5
_STUDY_CUES = frozenset({"states an aim", "describes a method"})


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its place in the text, and whether it states a checkable claim."""

    start: int
    end: int
    text: str
    is_claim: bool
    points: int
    reason: str
    """Why it is one, or why not."""


def find_claims(text: str) -> list[Sentence]:
    """Split a text into sentences and judge each; sentences that are not claims are included."""
    spans = split_sentences(text)
    judged = judge([text[start:end] for start, end in spans])
    return [
        Sentence(start, end, text[start:end], *verdict)
        for (start, end), verdict in zip(spans, judged, strict=True)
    ]


def judge(sentences: Sequence[str]) -> list[tuple[bool, int, str]]:
    """Judge for each sentence of a text whether it is a claim, with score and reason."""
    ruled_out = [_exclusion(sentence) for sentence in sentences]
    is_abstract = len(sentences) >= _ABSTRACT_SENTENCES and bool(_STUDY_CUES & set(ruled_out))
    judged = []
    for place, (sentence, reason) in enumerate(zip(sentences, ruled_out, strict=True)):
        if reason:
            judged.append((False, 0, reason))
            continue
        points, reasons = _points(sentence)
        if is_abstract:
            points += _by_place(place, len(sentences))
        is_claim = points >= THRESHOLD
        judged.append(
            (is_claim, points, reasons[0] if is_claim and reasons else "states no effect")
        )
    return judged


def _exclusion(sentence: str) -> str:
    words = sentence.strip()
    if len(words.split()) < _FEWEST_WORDS:
        return "is too short"
    if len(words) > _LONGEST:
        return "is too long"
    return next((cue.words for cue in EXCLUSIONS if cue.pattern.search(words)), "")


def _points(sentence: str) -> tuple[int, list[str]]:
    found = [cue for cue in CUES if cue.pattern.search(sentence)]
    strongest = sorted(found, key=lambda cue: -cue.points)
    return sum(cue.points for cue in found), [cue.words for cue in strongest if cue.points > 0]


def _by_place(place: int, count: int) -> int:
    """Weigh the place in an abstract: it opens with what is known and ends with what is new."""
    share = (place + 1) / count
    if share > 0.75:
        return 2
    return -3 if share <= 0.4 else -2
