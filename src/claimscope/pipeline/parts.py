"""Takes a compound claim through a pipeline in parts, and joins what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest

from claimscope.claims.compound import split_compound
from claimscope.labels import Label
from claimscope.types import Candidate, Case, Claim, Rule, Verdict

RULE = "parts"
"""The rule of a verdict that is joined from those of the parts."""
WORDS = {
    Label.SUPPORTS: "supported",
    Label.REFUTES: "refuted",
    Label.DISPUTED: "disputed",
    Label.NOT_ENOUGH_INFO: "undecided",
}
_ORDINALS = ("first", "second", "third", "fourth")
_NUMBERS = {2: "both", 3: "all three", 4: "all four"}
# A claim with "and" is wrong when one part is wrong, and open when one part is open.
_STRONGEST_FIRST = (Label.REFUTES, Label.DISPUTED, Label.NOT_ENOUGH_INFO, Label.SUPPORTS)


def in_parts(claims: Sequence[Claim]) -> list[list[Claim]]:
    """Give the claims to check for each claim: its parts, or itself if it is simple."""
    return [_parts(claim) for claim in claims]


def _parts(claim: Claim) -> list[Claim]:
    texts = split_compound(claim.text)
    if len(texts) == 1:
        return [claim]
    prefix = f"{claim.id}." if claim.id else ""
    return [Claim(text, f"{prefix}{number}") for number, text in enumerate(texts, start=1)]


def joined(
    claims: Sequence[Claim], asked: Sequence[Sequence[Claim]], cases: Sequence[Case]
) -> list[Case]:
    """Give one case for each claim, of the cases of its parts in their order."""
    rest = iter(cases)
    found = [list(islice(rest, len(parts))) for parts in asked]
    return [
        parts[0] if len(parts) == 1 else _join(claim, parts)
        for claim, parts in zip(claims, found, strict=True)
    ]


def _join(claim: Claim, parts: Sequence[Case]) -> Case:
    verdicts = [part.verdict for part in parts if part.verdict]
    return Case(
        claim,
        tuple(_candidates(parts)),
        _verdict(verdicts) if len(verdicts) == len(parts) else None,
        tuple(dict.fromkeys(chain.from_iterable(part.notices for part in parts))),
        provenance=parts[0].provenance,
        parts=tuple(replace(part, provenance=None) for part in parts),
    )


def _verdict(verdicts: Sequence[Verdict]) -> Verdict:
    label = next(each for each in _STRONGEST_FIRST if any(v.label is each for v in verdicts))
    deciding = [each for each in verdicts if each.label is label]
    sure = [each.confidence for each in deciding if each.confidence is not None]
    least = min if label is Label.SUPPORTS else max
    return Verdict(
        label=label,
        confidence=least(sure) if len(sure) == len(deciding) else None,
        supporting=_unique(each.supporting for each in verdicts),
        refuting=_unique(each.refuting for each in verdicts),
        rule=Rule(
            RULE,
            f"{label.verdict}: {combination([each.label for each in verdicts])}",
            "Another verdict on one part could change it.",
        ),
        leaning=any(each.leaning for each in deciding),
        groups=tuple(dict.fromkeys(group for each in verdicts for group in each.groups)),
    )


def _unique(names: Iterator[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(names)))


def combination(labels: Sequence[Label]) -> str:
    """Say how the verdicts on the parts combine, such as "First supported, second refuted."."""
    if len(set(labels)) == 1:
        return f"{_NUMBERS[len(labels)].capitalize()} parts {WORDS[labels[0]]}."
    said = (f"{_ORDINALS[place]} {WORDS[label]}" for place, label in enumerate(labels))
    return f"{', '.join(said).capitalize()}."


def _candidates(parts: Sequence[Case]) -> Iterator[Candidate]:
    """Give every paper once, as the part has it for which it says most; best ranks first."""
    best: dict[str, tuple[int, Candidate]] = {}
    for item, part in _by_rank(parts):
        says = _weight(item, part)
        known = best.get(item.document.id)
        best[item.document.id] = (says, item) if known is None or says > known[0] else known
    return (item for _, item in best.values())


def _by_rank(parts: Sequence[Case]) -> Iterator[tuple[Candidate, Case]]:
    for row in zip_longest(*(part.candidates for part in parts)):
        yield from ((item, part) for item, part in zip(row, parts, strict=True) if item)


def _weight(item: Candidate, part: Case) -> int:
    """Order what a paper says for a part: refutes it, supports it, has sentences, is silent."""
    if part.verdict and item.document.id in part.verdict.refuting:
        return 3
    if part.verdict and item.document.id in part.verdict.supporting:
        return 2
    return int(bool(item.quotes))
