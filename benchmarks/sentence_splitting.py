"""Compare our sentence boundaries with SciFact's own sentence lists, and time the splitter.

The rules were made looking at the odd lines of the corpus only; the even lines are unseen.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from claimscope.text import normalise_space, split_sentences

DATA = Path(os.environ.get("CLAIMSCOPE_DATA", Path(__file__).parents[2] / "shared" / "data"))


@dataclass(frozen=True)
class Abstract:
    """An abstract as one text, and where SciFact ends the sentences inside it."""

    text: str
    boundaries: frozenset[int]

    @classmethod
    def of(cls, sentences: Sequence[str]) -> Abstract:
        """Join sentences by a space."""
        text, boundaries = "", []
        for sentence in filter(None, map(normalise_space, sentences)):
            if text:
                boundaries.append(len(text))
                text += " "
            text += sentence
        return cls(text, frozenset(boundaries))

    @property
    def is_contents_table(self) -> bool:
        """Whether it is a table of contents, whose leading dots SciFact counts as sentences."""
        return ". . . . . . . ." in self.text


def main() -> None:
    """Print precision, recall, F1 and speed for each part of the corpus."""
    lines = (DATA / "scifact" / "corpus.jsonl").read_text("utf-8").splitlines()
    abstracts = [Abstract.of(json.loads(line)["abstract"]) for line in lines]
    prose = [abstract for abstract in abstracts if not abstract.is_contents_table]
    print(f"{'part':<42}{'abstracts':>10}{'P':>9}{'R':>9}{'F1':>9}{'abstracts/s':>13}")
    report("odd lines (rules made on these)", abstracts[0::2])
    report("even lines", abstracts[1::2])
    report("all", abstracts)
    report(f"all but {len(abstracts) - len(prose)} tables of contents", prose)


def report(name: str, abstracts: Sequence[Abstract]) -> None:
    """Print one row."""
    started = time.process_time()
    found = [split_sentences(abstract.text) for abstract in abstracts]
    speed = len(abstracts) / (time.process_time() - started)
    right = predicted = wanted = 0
    for abstract, spans in zip(abstracts, found, strict=True):
        boundaries = {end for _, end in spans[:-1]}
        right += len(boundaries & abstract.boundaries)
        predicted += len(boundaries)
        wanted += len(abstract.boundaries)
    precision, recall = right / predicted, right / wanted
    f1 = 2 * precision * recall / (precision + recall)
    row = f"{name:<42}{len(abstracts):>10,}{precision:>9.4f}{recall:>9.4f}{f1:>9.4f}"
    print(f"{row}{speed:>13,.0f}")


if __name__ == "__main__":
    main()
