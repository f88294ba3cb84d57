"""Counts what the papers say of their data in the text, and SciFact's table of evidence.

    python benchmarks/text_figures.py [--tokenizer FILE]

A tokenizer file is that of the network a paper speaks of; without one the shipped verifier's
stands in, whose words are those of BERT, uncased. Figures are printed as Markdown.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

from tokenizers import Tokenizer

from claimscope.datasets.record import Dataset, LabelledClaim
from claimscope.datasets.registry import open_dataset
from claimscope.errors import MissingDataError
from claimscope.models.catalogue import VERIFIER
from claimscope.models.locate import Locator
from claimscope.train.claims import Search, open_claims

LONGEST = 512
Row = tuple[str, str, str, str]
"""Where it is said, what, the paper's figure, and ours."""


def main() -> None:
    """Print a row for each figure whose data are on this machine."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokenizer", type=Path, help="a tokenizer.json")
    given = parser.parse_args().tokenizer
    file = given or Locator().find(VERIFIER).folder / "tokenizer.json"
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    print("| where | what | paper | counted |\n|---|---|--:|--:|")
    for rows in (scifact_evidence, lambda: lengths(tokenizer), climate):
        try:
            for row in rows():
                print("| " + " | ".join(row) + " |", flush=True)
        except MissingDataError as error:
            print(f"| | {error} | | |")


def scifact_evidence() -> Iterator[Row]:
    """Count SciFCheX's table 3.2 on train and dev; the test split's answers are kept back."""
    dataset = open_dataset("scifact")
    claims = [each for split in ("train", "dev") for each in dataset.claims(split)]
    evidence = [
        [gold for gold in (each.evidence or {}).values() if gold.decides] for each in claims
    ]
    gold = [each for some in evidence for each in some]
    counted: Sequence[tuple[str, Iterable[int], tuple[int | None, ...]]] = (
        ("cited abstracts per claim", (len(each.cited) for each in claims), (None, 1278, 86, 45)),
        ("evidence abstracts per claim", map(len, evidence), (516, 830, 37, 26)),
        ("rationales per abstract", (len(each.rationales) for each in gold), (None, 552, 290, 153)),
        (
            "sentences per rationale",
            (len(sentences) for each in gold for sentences in each.rationales),
            (None, 1542, 92, 11),
        ),
    )
    for what, values, printed in counted:
        found = Counter(min(value, 3) for value in values)
        ours = ", ".join(str(found[each]) for each in range(4) if printed[each] is not None)
        theirs = ", ".join(str(each) for each in printed if each is not None)
        first = "0, 1, 2, 3+" if printed[0] is not None else "1, 2, 3+"
        yield "SciFCheX, table 3.2", f"{what}: {first}; ours without test", theirs, ours
    for split in ("dev", "train"):
        some = [each for each in dataset.claims(split) if any(_decided(each))]
        few = sum(sum(_decided(each)) <= 1 for each in some) / len(some)
        words = f"claims with evidence that have one abstract of it, {split}"
        yield "SciFCheX, 6.1.1", words, "about 90 %", f"{few:.1%}"


def _decided(claim: LabelledClaim) -> list[bool]:
    return [gold.decides for gold in (claim.evidence or {}).values() if gold.decides]


def lengths(tokenizer: Tokenizer) -> Iterator[Row]:
    """Count sentences and the texts that are too long for a network of 512 tokens."""
    documents = list(open_dataset("scifact").documents())
    sentences = fmean(len(each.sentences) for each in documents)
    yield "VerT5erini, 3.1", "sentences of an abstract, mean", "9", f"{sentences:.1f}"
    long = _share(len(tokenizer.encode(each.abstract).ids) > LONGEST for each in documents)
    yield (
        "VerT5erini, 3.1",
        "abstracts over 512 tokens (T5's; ours BERT's)",
        "≈ 15 %",
        f"{long:.1%}",
    )
    data = open_claims("scifact", "train")
    found = Search(20, analyser="letters-stop").ranked(data)
    of_text: dict[str, int] = {}

    def length(text: str) -> int:
        return of_text.setdefault(text, len(tokenizer.encode(text, add_special_tokens=False).ids))

    pairs = [
        length(each.claim.text) + length(data.text(name, "title-and-abstract")) + 3
        for each in data.claims
        for name, _ in found[each.claim.id]
    ]
    over = _share(count > LONGEST for count in pairs)
    what = f"claim and abstract over 512 tokens (SciBERT's; ours BERT's), {len(pairs):,} pairs"
    yield "+VeriRel, 5.2", f"{what} of train and BM25's 20", "27.4 %", f"{over:.1%}"


def climate() -> Iterator[Row]:
    """Count what the climate paper's look at its data says; its pool has 1.2 million passages."""
    dataset = open_dataset("climate")
    for split in ("train", "dev", "test"):
        claims = [each.claim.text for each in dataset.claims(split)]
        said = f"length of a claim, mean, {split}: words; characters"
        yield "Climate, 2.1", said, "about 120 words", _means(claims)
    passages = [each.abstract for each in dataset.documents()]
    said = f"length of a passage, mean, {len(passages):,} passages: words; characters"
    yield "Climate, 2.1", said, "119.51 words", _means(passages)
    for split in ("train", "dev"):
        yield _passages_of(dataset, split)
    words = {word for text in passages for word in text.casefold().split()}
    said = f"different words in {len(passages):,} passages, split at spaces"
    yield "Climate, 2.1", said, "nearly 800,000", f"{len(words):,}"


def _passages_of(dataset: Dataset, split: str) -> Row:
    counts = Counter(len(each.evidence or {}) for each in dataset.claims(split))
    total = sum(counts.values())
    shares = ", ".join(f"{counts[each] / total:.0%}" for each in range(1, 6))
    return "Climate, 2.1", f"claims with 1, 2, 3, 4, 5 passages, {split}", "most have 5", shares


def _means(texts: Sequence[str]) -> str:
    measured: Sequence[Callable[[str], int]] = (lambda text: len(text.split()), len)
    return "; ".join(f"{fmean(map(each, texts)):.1f}" for each in measured)


def _share(held: Iterable[bool]) -> float:
    values = list(held)
    return sum(values) / len(values)


if __name__ == "__main__":
    main()
