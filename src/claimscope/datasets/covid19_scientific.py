"""COVID-19 Scientific: 142 claims that are true or false, without documents.

The data carry a canary string that asks for them to be kept out of training data; nothing here
trains on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimscope._download import Source
from claimscope.datasets import cord19
from claimscope.datasets.files import (
    find_file,
    need_file,
    parse_label,
    read_json_lines,
    read_json_object,
)
from claimscope.datasets.record import Card, Definition, Expected, LabelledClaim
from claimscope.errors import FormatError
from claimscope.labels import Label
from claimscope.types import Claim, Document

CARD = Card(
    name="covid19-scientific",
    title="COVID-19 Scientific",
    about="142 claims about COVID-19, 41 true and 101 false.",
    homepage="https://github.com/HLTCHKUST/covid19-misinfo-data",
    paper="Lee et al. 2020, Misinformation Has High Perplexity",
    licence="Apache-2.0 (BIG-bench); carries a canary: never train on it",
    folder="covid19_scientific",
    labels={Label.SUPPORTS: "true", Label.REFUTES: "false"},
    splits={"test": Expected(142)},
    documents=None,
    sources=(
        Source(
            "https://raw.githubusercontent.com/google/BIG-bench/main/bigbench/benchmark_tasks/"
            "fact_checker/covid19_scientific/task.json",
            {"task.json": "task.json"},
        ),
    ),
    notes=(
        "Two labels only; binary-F1 is the F1 of REFUTES, as VerT5erini reports it.",
        "Always answering REFUTES is right 71 % of the time.",
        "It comes without documents: CORD-19 is taken if it is on the machine, as in VerT5erini; "
        "otherwise choose a library.",
    ),
)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    path = find_file(folder, "claims.jsonl")
    if path:
        return read_json_lines(path, _claim)
    return _big_bench(need_file(folder, "task.json"))


def _claim(record: Any) -> LabelledClaim:
    claim = Claim(record["claim"], str(record["id"]))
    return LabelledClaim(claim, label=parse_label(record["label"]))


def _big_bench(path: Path) -> Iterator[LabelledClaim]:
    """Read BIG-bench's task file; claims are numbered from 1."""
    task = read_json_object(path)
    for number, example in enumerate(task.get("examples", ()), 1):
        try:
            scores = example["target_scores"]
            label = parse_label(max(scores, key=scores.get))
            yield LabelledClaim(Claim(_bare(example["input"]), str(number)), label=label)
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(
                f"{path.name}, example {number} has no input and target_scores; get it again."
            ) from error


def _bare(text: str) -> str:
    """Take off the word some copies put before the claim."""
    return text.removeprefix("Claim:").strip()


def _documents(folder: Path) -> Iterator[Document]:
    return cord19.corpus()


DEFINITION = Definition(CARD, _claims, _documents)
