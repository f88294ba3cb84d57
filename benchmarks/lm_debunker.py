"""LM Debunker on COVID-19 Scientific: a claim that a language model finds unlikely is refuted.

    python benchmarks/lm_debunker.py --model gpt2 [--corpus cord-19]

As far as VerT5erini (sections 4.1 and 4.6) describes it: the three sentences most similar to the
claim by TF-IDF, the perplexity of the claim after them, and REFUTES above a threshold. Scores are
means over four folds. Not described, and ours: sentences come from the 20 abstracts most similar by
TF-IDF, the rules that filter evidence are left out, and the threshold is the one with the highest
accuracy on the other three folds. A model is a folder or the hub id of a causal language model.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, pairwise

from claimscope.datasets.registry import open_dataset
from claimscope.labels import Label
from claimscope.measures import evaluate, parse_measure, spread
from claimscope.measures.measure import LabelData
from claimscope.stages.retrieve.in_memory import TfIdf

FOLDS = 4
ABSTRACTS, SENTENCES = 20, 3
MEASURES = ("accuracy", "macro-F1", "binary-F1")
PAPER = (75.4, 69.8, 83.1)
_LONGEST = 1024

Perplexity = Callable[[str, str], float]
"""Given evidence and claim."""


def folds(names: Sequence[str], count: int = FOLDS) -> Iterator[tuple[list[str], list[str]]]:
    """Give for every fold the claims to tune on and those to measure on, in their order."""
    for fold in range(count):
        held = list(names[fold::count])
        yield [name for name in names if name not in set(held)], held


def best_threshold(perplexities: Mapping[str, float], gold: Mapping[str, Label]) -> float:
    """Give the perplexity above which refuting is right most often; the lowest of several."""
    values = sorted(perplexities[name] for name in gold)
    between = [(one + other) / 2 for one, other in pairwise(values)]

    def right(threshold: float) -> int:
        return sum(judged(perplexities[name], threshold) is gold[name] for name in gold)

    return max(sorted([-math.inf, *between, math.inf]), key=right)


def judged(perplexity: float, threshold: float) -> Label:
    """Give the label of a claim."""
    return Label.REFUTES if perplexity > threshold else Label.SUPPORTS


def cross_validated(
    perplexities: Mapping[str, float], gold: Mapping[str, Label]
) -> list[tuple[float, ...]]:
    """Give the measures of each fold, with the threshold of the others."""
    found = []
    for tuned, held in folds(list(gold)):
        threshold = best_threshold(perplexities, {name: gold[name] for name in tuned})
        predicted = {name: judged(perplexities[name], threshold) for name in held}
        data = LabelData({name: gold[name] for name in held}, predicted)
        found.append(tuple(evaluate(parse_measure(name), data) for name in MEASURES))
    return found


def evidence_of(claims: Mapping[str, str], corpus: str) -> dict[str, str]:
    """Give each claim's three most similar sentences, best first."""
    documents = list(open_dataset(corpus).documents())
    index = TfIdf(each.text for each in documents)
    found = {}
    for name, text in claims.items():
        near = [documents[place].sentences for place, _ in index.search(text, ABSTRACTS)]
        sentences = list(chain.from_iterable(near))
        best = TfIdf(sentences).search(text, SENTENCES) if sentences else []
        found[name] = " ".join(sentences[place] for place, _ in best)
    return found


def language_model(model: str) -> Perplexity:
    """Open a causal language model, and give the perplexity of a claim's tokens after evidence."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model)
    network = AutoModelForCausalLM.from_pretrained(model).eval()
    longest = min(_LONGEST, getattr(network.config, "max_position_embeddings", _LONGEST))
    start = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else 0

    @torch.inference_mode()
    def perplexity(evidence: str, claim: str) -> float:
        said = tokenizer(f" {claim}", add_special_tokens=False)["input_ids"]
        # Evidence is cut at its beginning, so that the claim is always read whole.
        room = longest - len(said) - 1
        before = tokenizer(evidence, add_special_tokens=False)["input_ids"][-room:] if room else []
        ids = torch.tensor([[start, *before, *said]])
        targets = ids.clone()
        targets[:, : 1 + len(before)] = -100
        return math.exp(network(input_ids=ids, labels=targets).loss.item())

    return perplexity


def main() -> None:
    """Print the mean of the four folds beside the paper's figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True, help="folder or hub id, such as gpt2")
    parser.add_argument("--corpus", default="cord-19", help="the data set with the abstracts")
    options = parser.parse_args()
    claims = list(open_dataset("covid19-scientific").claims("test"))
    texts = {each.claim.id: each.claim.text for each in claims}
    gold = {each.claim.id: each.label for each in claims if each.label is not None}
    perplexity = language_model(options.model)
    evidence = evidence_of(texts, options.corpus)
    found = {name: perplexity(evidence[name], texts[name]) for name in gold}
    columns = zip(*cross_validated(found, gold), strict=True)
    print("| measure | paper | ours, mean of 4 folds ± deviation |\n|---|--:|--:|")
    for name, paper, values in zip(MEASURES, PAPER, columns, strict=True):
        ours = spread(values)
        shown = f"{100 * ours.mean:.1f} ± {100 * ours.standard_deviation:.1f}"
        print(f"| {name} | {paper} | {shown} |")


if __name__ == "__main__":
    main()
