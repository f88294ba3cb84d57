"""The sets of claim and evidence pairs that a shipped network may learn from."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from claimscope.datasets.files import need_file, parse_label, read_json_lines, tidy
from claimscope.train.claims import bucket
from claimscope.train.verifier.abstracts import Target, target_of
from recipe.feed import Pair
from recipe.papers import folder_of
from recipe.statements import question_pairs, trial_pairs
from recipe.texts import plain_words

_SEED = 7
_FEWER_OPEN = 0.72
"""Share kept of MultiNLI's NOT_ENOUGH_INFO pairs, so that the three labels are about equal."""


@dataclass(frozen=True, slots=True)
class PairSet:
    """A file of pairs: where it is, how pairs are grouped, and how many groups are held out."""

    file: str
    group: str = "claim"
    """Field whose value keeps related pairs on one side of the split."""
    held_out: float = 0.0
    """Share of the groups that is measured on and never trained on."""
    keep_open: float = 1.0
    """Share kept of the pairs with NOT_ENOUGH_INFO."""


PAIR_SETS = {
    "mnli-train": PairSet("mnli/train_part.jsonl", keep_open=_FEWER_OPEN),
    "mnli-dev": PairSet("mnli/dev.jsonl", group="evidence", held_out=0.2, keep_open=_FEWER_OPEN),
    "vitaminc-real": PairSet("vitaminc/real.jsonl", group="page", held_out=0.06),
    "vitaminc-synthetic": PairSet("vitaminc/synthetic.jsonl"),
    "snli": PairSet("snli/train_subset.jsonl"),
    "snli-extra": PairSet("snli/extra.jsonl"),
    "snli-counterfactual": PairSet("snli/counterfactual.jsonl"),
    "fever": PairSet("fever/dev_pairs.jsonl"),
    "fever-context": PairSet("fever/context.jsonl"),
    "scitail-dev": PairSet("scitail/dev.jsonl"),
    "scitail-train": PairSet("scitail/train_part.jsonl"),
    "entailment-bank": PairSet("entailment_bank/pairs.jsonl"),
    "qasc": PairSet("qasc/pairs.jsonl"),
    "wikifactcheck": PairSet("wikifactcheck/negated.jsonl"),
    "boolq": PairSet("boolq/part.jsonl"),
    "breaking-nli": PairSet("breaking_nli/pairs.jsonl"),
    "scone": PairSet("scone/pairs.jsonl"),
    "semeval": PairSet("semeval2013_task7/pairs_3way.jsonl"),
    "evidence-inference": PairSet("evidence_inference/v2_templated_pairs.jsonl", group="pmcid"),
    "pubmedqa-artificial": PairSet("pubmedqa/artificial.jsonl"),
    "clinifact": PairSet("clinifact/pairs.jsonl"),
    "summedits": PairSet("summedits/pairs.jsonl"),
    "citation-integrity": PairSet("citation_integrity/train_pairs.jsonl"),
}
"""The flat sets by name. Their licences are in the README of the data folder."""

MEASURED_SETS = {"negation": PairSet("challenge/negation_nli.jsonl")}
"""Sets that are measured on and never trained on."""


def read_pairs(name: str) -> list[Pair]:
    """Read a set, every pair once, without those whose claim or evidence is empty."""
    made = _MADE.get(name)
    pairs = made() if made else _flat((PAIR_SETS | MEASURED_SETS)[name])
    unique = {(pair.claim, pair.evidence): pair for pair in pairs}
    return [pair for pair in unique.values() if pair.claim and pair.evidence]


def split(name: str, pairs: Iterable[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Divide a set into pairs to train on and held-out pairs."""
    share = PAIR_SETS[name].held_out if name in PAIR_SETS else 0.0
    sides: tuple[list[Pair], list[Pair]] = ([], [])
    for pair in pairs:
        sides[_chance(f"held {pair.group}") < share].append(pair)
    return sides


def _chance(key: str) -> float:
    return bucket(key, 10_000) / 10_000


def _flat(source: PairSet) -> Iterator[Pair]:
    def read(record: Any) -> Pair:
        target = _target(record["label"])
        group = str(record.get(source.group) or record["claim"])
        return Pair(tidy(record["claim"]), tidy(record["evidence"]), target, plain_words(group))

    for pair in _lines(source.file, read):
        is_open = pair.target is Target.NOT_ENOUGH_INFO
        if not is_open or _chance(f"open {pair.claim}") < source.keep_open:
            yield pair


def _fool_me_twice() -> Iterator[Pair]:
    """Read claims with their evidence; every second one also with an unrelated sentence."""
    for part in ("dev", "test"):
        for number, record in enumerate(_lines(f"fool_me_twice/{part}.jsonl", dict)):
            claim, page = tidy(record["claim"]), str(record.get("wikipedia_page"))
            evidence = record["evidence_sentences"]
            yield Pair(claim, tidy(" ".join(evidence)), _target(record["label"]), page)
            known = set(map(plain_words, evidence))
            others = [
                text
                for text in record["retrieved_evidence"]
                if plain_words(text) not in known and len(text.split()) > 5
            ]
            if others and number % 2 == 0:
                other = tidy(others[len(others) // 2])
                yield Pair(claim, other, Target.NOT_ENOUGH_INFO, page)


def _trials() -> Iterator[Pair]:
    """Read Evidence Inference's prompts in wordings of our own."""
    prompts = list(_lines("evidence_inference/v2_prompts.jsonl", dict))
    return trial_pairs(prompts, random.Random(_SEED))


def _questions() -> Iterator[Pair]:
    """Read PubMedQA's questions as statements."""
    return question_pairs(_lines("pubmedqa/labelled.jsonl", dict), random.Random(_SEED))


_MADE = {
    "fool-me-twice": _fool_me_twice,
    "evidence-inference-wordings": _trials,
    "pubmedqa": _questions,
}
"""Sets that are made from records of another form."""


def _target(spelling: object) -> Target:
    if spelling == "not_entailment":
        return Target.NOT_SUPPORTED
    return target_of(parse_label(spelling))


def _lines(file: str, read: Callable[[Any], Any]) -> Iterator[Any]:
    folder, _, name = file.partition("/")
    return read_json_lines(need_file(folder_of(folder), name), read)
