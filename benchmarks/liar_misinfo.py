"""LiarMisinfo on COVID-19 Scientific: a label classifier that has seen no claim about COVID-19.

    python benchmarks/liar_misinfo.py --model FOLDER [--true true,mostly-true,half-true]
        [--corpus cord-19]

VerT5erini (section 4.6) describes it as the three sentences most similar to the claim by TF-IDF, a
BERT-large label model fine-tuned on LIAR-PolitiFact, and no tuning on these claims. Not described:
the rules that filter evidence, what the model reads beside a claim of LIAR, which has no evidence,
and which of LIAR's six grades count as true. Here evidence is not filtered, the model reads
(evidence, claim), and `--true` names its classes that count as true. A model is the folder of any
sequence classifier of Transformers.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from claimscope.datasets.registry import open_dataset
from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.measures import evaluate, parse_measure
from claimscope.measures.measure import LabelData
from claimscope.models.loader import Models
from claimscope.models.scorer import Pair, probabilities
from lm_debunker import MEASURES, evidence_of

TRUE = ("true", "mostly-true", "half-true")
"""The upper half of LIAR's grades."""
PAPER = (61.5, 59.2, 82.8)


def columns_of(labels: Sequence[str], true: Sequence[str]) -> list[int]:
    """Give the outputs that count as true."""
    names = [each.casefold() for each in labels]
    missing = [each for each in true if each.casefold() not in names]
    if missing or len(true) == len(labels):
        raise ConfigurationError(
            f"The model's classes are {', '.join(labels)}; name some of them, not all, with --true."
        )
    return [names.index(each.casefold()) for each in true]


def judged(rows: Sequence[Sequence[float]], columns: Sequence[int]) -> list[Label]:
    """Support a claim if the classes that count as true have more than half of the probability."""
    return [
        Label.SUPPORTS if sum(row[column] for column in columns) > 0.5 else Label.REFUTES
        for row in rows
    ]


def predicted(
    model: str, texts: Mapping[str, str], evidence: Mapping[str, str], true: Sequence[str]
) -> dict[str, Label]:
    """Give the label of each claim."""
    scorer = Models().scorer(model)
    columns = columns_of(scorer.labels, true)
    pairs = [Pair(text, evidence[name]) for name, text in texts.items()]
    labels = judged(probabilities(scorer.logits(pairs)).tolist(), columns)
    return dict(zip(texts, labels, strict=True))


def main() -> None:
    """Print our figures beside the paper's."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True, help="folder of a sequence classifier")
    parser.add_argument("--true", default=",".join(TRUE), help="its classes that count as true")
    parser.add_argument("--corpus", default="cord-19", help="the data set with the abstracts")
    options = parser.parse_args()
    claims = list(open_dataset("covid19-scientific").claims("test"))
    texts = {each.claim.id: each.claim.text for each in claims if each.label is not None}
    gold = {each.claim.id: each.label for each in claims if each.label is not None}
    evidence = evidence_of(texts, options.corpus)
    found = predicted(options.model, texts, evidence, options.true.split(","))
    data = LabelData(gold, found)
    print("| measure | paper | ours |\n|---|--:|--:|")
    for name, paper in zip(MEASURES, PAPER, strict=True):
        print(f"| {name} | {paper} | {100 * evaluate(parse_measure(name), data):.1f} |")


if __name__ == "__main__":
    main()
