"""The polarity suite: labels of 200 pairs and verdicts on 80 claims, by half and by kind.

    python benchmarks/polarity_verdicts.py [--preset NAME] [--half choose|report] [--wrong]

Choose by the half `choose`; look at `report` only to report.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from claimscope.checker import Checker
from claimscope.claims.reading import read_claim
from claimscope.labels import Label
from claimscope.library.location import DEMO, open_library
from claimscope.measures.intervals import resamples
from claimscope.pipeline.preset import DEFAULT_PRESET
from claimscope.pipeline.stage import Kind
from claimscope.types import Candidate, Case

_SUITE = Path(__file__).with_name("polarity")
_TURNED = {("SUPPORTED", "REFUTED"), ("REFUTED", "SUPPORTED")}


@dataclass(frozen=True)
class Answer:
    """What was asked, expected and found."""

    kind: str
    claim: str
    expected: str
    found: str

    @property
    def is_right(self) -> bool:
        """Whether the answer is the expected one."""
        return self.found == self.expected

    @property
    def is_turned(self) -> bool:
        """Whether support was taken for refutation, or the other way round."""
        return (self.expected, self.found) in _TURNED


def main() -> None:
    """Print two tables and, if asked for, what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default=DEFAULT_PRESET)
    parser.add_argument("--half", choices=("choose", "report"), default="choose")
    parser.add_argument("--wrong", action="store_true", help="list the wrong answers")
    said = parser.parse_args()
    with open_library(DEMO) as library:
        checker = Checker(library, said.preset)
        for name, answers in (
            ("pairs", label_pairs(checker, _rows("pairs", said.half))),
            ("claims", check_claims(checker, _rows("claims", said.half))),
        ):
            print(f"\n{name}, half {said.half}, preset {said.preset}\n")
            print(_table(answers))
            if said.wrong:
                print(_wrong(answers))


def _rows(name: str, half: str) -> list[dict[str, Any]]:
    lines = (_SUITE / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["half"] == half]


def label_pairs(checker: Checker, rows: Sequence[Mapping[str, Any]]) -> list[Answer]:
    """Judge each claim by the one record it belongs to."""
    judges = [stage for stage in checker.pipeline.stages if stage.kind is Kind.JUDGE]
    documents = checker.library.get([row["document"] for row in rows])
    cases = [
        Case(read_claim(row["claim"]), candidates=(Candidate(document),))
        for row, document in zip(rows, documents, strict=True)
    ]
    for stage in judges:
        cases = stage.run(cases)
    labels = [case.candidates[0].labels for case in cases]
    return [
        Answer(row["kind"], row["claim"], Label[row["label"]].verdict, each.label.verdict)
        for row, each in zip(rows, labels, strict=True)
        if each is not None
    ]


def check_claims(checker: Checker, rows: Sequence[Mapping[str, Any]]) -> list[Answer]:
    """Check each claim against the whole demonstration library."""
    cases = checker.check_many([read_claim(row["claim"]) for row in rows])
    return [
        Answer(row["kind"], row["claim"], row["verdict"], case.verdict.label.verdict)
        for row, case in zip(rows, cases, strict=True)
        if case.verdict is not None
    ]


def _table(answers: Sequence[Answer]) -> str:
    lines = ["| kind | asked | right | % | turned round | of those given, wrong % |"]
    lines.append("|---|--:|--:|--:|--:|--:|")
    kinds = dict.fromkeys(answer.kind for answer in answers)
    lines += [_row(kind, [each for each in answers if each.kind == kind]) for kind in kinds]
    low, high = _interval(answers)
    return "\n".join([*lines, _row("all", answers), f"\n95 % interval: {low:.1f}–{high:.1f} %"])


def _row(name: str, answers: Sequence[Answer]) -> str:
    right = sum(answer.is_right for answer in answers)
    turned = sum(answer.is_turned for answer in answers)
    given = [answer for answer in answers if answer.found != "NOT_ENOUGH_INFO"]
    wrong = sum(not answer.is_right for answer in given)
    share = f"{100 * wrong / len(given):.1f}" if given else ""
    return (
        f"| {name} | {len(answers)} | {right} | {100 * right / len(answers):.1f} | {turned} "
        f"| {share} |"
    )


def _interval(answers: Sequence[Answer]) -> tuple[float, float]:
    right = np.array([answer.is_right for answer in answers], dtype=np.float64)
    low, high = np.percentile(resamples(len(right)) @ right / len(right), [2.5, 97.5])
    return 100 * float(low), 100 * float(high)


def _wrong(answers: Iterable[Answer]) -> str:
    return "\n".join(
        f"- {answer.kind}: {answer.claim} ({answer.expected}, found {answer.found})"
        for answer in answers
        if not answer.is_right
    )


if __name__ == "__main__":
    main()
