"""Measures weights of a training on the six development sets and prints one table.

python research/verifier/measure.py WEIGHTS.safetensors --encoder FOLDER [--threads N]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from claimscope.train.pretrained import read_tokenizer
from claimscope.train.snapshot import read_tensors
from recipe.development import DevelopmentScore, development_views, measure_views
from recipe.network import new_network


def main() -> None:
    """Print a row for each set, and the mean."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, help="finished weights or a checkpoint of a stage")
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--bfloat16", action="store_true", help="faster on some processors")
    said = parser.parse_args()
    torch.set_num_threads(said.threads)
    network = new_network(said.encoder, dropout=0.0, train_embeddings=False, seed=0)
    tensors, _ = read_tensors(said.weights)
    own = {name.removeprefix("model."): each for name, each in tensors.items()}
    network.load_state_dict({name: own[name] for name in network.state_dict()})
    tokenizer = read_tokenizer(said.encoder)
    print(
        "| set | pairs | macro F1 | support against refute | sentence AP |\n|---|--:|--:|--:|--:|"
    )
    scores: list[DevelopmentScore] = []
    for name, views in development_views():
        with torch.autocast("cpu", torch.bfloat16, enabled=said.bfloat16):
            score = measure_views(network, tokenizer, views)
        scores.append(score)
        print(
            f"| {name} | {score.pairs} | {score.macro_f1:.1f} | {score.stance:.1f} "
            f"| {score.sentence_ap:.1f} |",
            flush=True,
        )
    mean = sum(score.macro_f1 for score in scores) / len(scores)
    stance = sum(score.stance for score in scores) / len(scores)
    print(f"| mean | | {mean:.1f} | {stance:.1f} | |")


if __name__ == "__main__":
    main()
