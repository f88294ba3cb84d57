"""Measures a language model as judge on SciFact dev, beside the default verifier.

The model is on the server that CLAIMSCOPE_LLM_URL and CLAIMSCOPE_LLM_MODEL name. Each claim is
judged against the abstracts that it cites. `temperature` and `assumed` of the stage are fitted on
as many claims of train, and the calibration error on dev is given with and without them.

    python benchmarks/language_model.py [--claims 60] [--tokens 400] [--timeout 120]
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.audit.judging import Answers, Pair, PaperJudge
from claimscope.checker import Checker
from claimscope.datasets.registry import open_dataset
from claimscope.labels import Label
from claimscope.library.location import DEMO, open_library
from claimscope.pipeline.preset import DEFAULT_PRESET
from claimscope.pipeline.registry import Resources, build
from claimscope.pipeline.stage import Kind, Stage
from claimscope.types import Candidate, Case, Claim, LabelProbabilities

LABELS = (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO)
FEWEST = 20
"""Answers that a fit needs."""
TEMPERATURES = [2 ** (step / 4) for step in range(-8, 17)]


@dataclass(frozen=True)
class Labelled:
    """Claims with abstracts, and what annotators found in each."""

    pairs: list[Pair]
    gold: list[Label]


def main() -> None:
    """Print a table, and the fitted parameters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=60)
    parser.add_argument("--tokens", type=int, default=400, help="most tokens of an answer")
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds of an attempt")
    options = parser.parse_args()
    train, dev = (labelled(split, options.claims) for split in ("train", "dev"))
    limits = {"tokens": options.tokens, "timeout": options.timeout}
    judge = build(Kind.JUDGE, "llm", limits, Resources())
    fit = fitted(train.gold, ask(judge, train.pairs))
    started = time.perf_counter()
    answers = ask(judge, dev.pairs)
    seconds = (time.perf_counter() - started) / max(1, len(dev.pairs))
    with open_library(DEMO) as library:
        verifier = PaperJudge(Checker(library, DEFAULT_PRESET), Answers(None)).judge(dev.pairs)
    unusable = sum(item.abstained is not None for item in answers)
    print(f"{options.claims} claims of SciFact dev, {len(dev.pairs)} abstracts\n")
    print("| judge | accuracy | macro F1 | support against refute | calibration error |")
    print("|---|--:|--:|--:|--:|")
    rows = {
        DEFAULT_PRESET: [item.labels for item in verifier],
        answers[0].opinions[0].by: [item.labels for item in answers],
    }
    if fit:
        rows["… with its fitted temperature"] = [cooled(item.labels, fit[0]) for item in answers]
    for name, labels in rows.items():
        known = [each or LabelProbabilities(0.0, 0.0, 1.0) for each in labels]
        print(f"| {name} | {' | '.join(f'{value:.1f}' for value in scores(known, dev.gold))} |")
    print(
        f"\n{unusable} answers could not be used. {seconds:.2f} s an abstract (0 if kept before)."
    )
    told = "too few answers can be used to fit anything"
    if fit:
        told = f"temperature = {fit[0]:.2f}, assumed = {fit[1]:.2f}"
    print(f"On {len(train.pairs)} abstracts of train: {told}.")


def labelled(split: str, claims: int) -> Labelled:
    """Draw claims of a split, the same each time, with the abstracts that they cite."""
    dataset = open_dataset("scifact")
    documents = {document.id: document for document in dataset.documents()}
    found = Labelled([], [])
    every = list(dataset.claims(split))
    for each in random.Random(13).sample(every, min(claims, len(every))):
        evidence = each.evidence or {}
        for name in dict.fromkeys((*each.cited, *evidence)):
            gold = evidence.get(name)
            found.pairs.append((each.claim.text, documents[name]))
            found.gold.append((gold.label if gold else None) or Label.NOT_ENOUGH_INFO)
    return found


def ask(judge: Stage, pairs: Sequence[Pair]) -> list[Candidate]:
    """Let the language model judge pairs, and show how far it is."""
    answers = []
    for number, (claim, document) in enumerate(pairs, start=1):
        [case] = judge.run([Case(Claim(claim), (Candidate(document),))])
        answers += case.candidates
        print(f"\r{number} of {len(pairs)} abstracts", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return answers


def fitted(gold: Sequence[Label], answers: Sequence[Candidate]) -> tuple[float, float] | None:
    """Give the temperature of the highest likelihood, and the share of right labels.

    Answers that cannot be used say nothing of either; None if too few are left.
    """
    known = [
        (item.labels, true)
        for item, true in zip(answers, gold, strict=True)
        if item.labels is not None and item.abstained is None
    ]
    if len(known) < FEWEST:
        return None

    def loss(temperature: float) -> float:
        return -sum(
            math.log(max(cooled(labels, temperature).of(true), 1e-6)) for labels, true in known
        )

    right = sum(labels.label is true for labels, true in known)
    return min(TEMPERATURES, key=loss), right / len(known)


def cooled(labels: LabelProbabilities | None, temperature: float) -> LabelProbabilities:
    """Divide log-probabilities by a temperature."""
    known = labels or LabelProbabilities(0.0, 0.0, 1.0)
    scaled = [known.of(label) ** (1 / temperature) for label in LABELS]
    return LabelProbabilities(*(each / sum(scaled) for each in scaled), known.decided)


def scores(labels: Sequence[LabelProbabilities], gold: Sequence[Label]) -> list[float]:
    """Give accuracy, macro F1, accuracy between the two sides, and calibration error, per cent."""
    pairs = list(zip(labels, gold, strict=True))
    right = [each.label is true for each, true in pairs]
    sided = [
        each.supports != each.refutes and (each.supports > each.refutes) is (true is Label.SUPPORTS)
        for each, true in pairs
        if true is not Label.NOT_ENOUGH_INFO
    ]
    return [
        100 * sum(right) / len(right),
        100 * sum(_f1([each.label for each in labels], gold, label) for label in LABELS) / 3,
        100 * sum(sided) / max(1, len(sided)),
        100 * _calibration_error([each.of(each.label) for each in labels], right),
    ]


def _f1(found: Sequence[Label], gold: Sequence[Label], label: Label) -> float:
    both = sum(one is two is label for one, two in zip(found, gold, strict=True))
    total = sum(each is label for each in (*found, *gold))
    return 2 * both / total if total else 0.0


def _calibration_error(sure: Sequence[float], right: Sequence[bool], bins: int = 10) -> float:
    """Give the expected calibration error over bins of equal width."""
    error = 0.0
    for number in range(bins):
        inside = [
            (value, hit)
            for value, hit in zip(sure, right, strict=True)
            if number == min(int(value * bins), bins - 1)
        ]
        error += abs(sum(value - hit for value, hit in inside)) / len(sure)
    return error


if __name__ == "__main__":
    main()
