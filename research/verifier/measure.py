"""Measures models on the six development sets and prints a table for each.

python research/verifier/measure.py PATH... [--recipe default --weights ENCODERS] [--threads N]

A path is the folder of a finished model, which is read as a preset reads it, or a file of weights
of a training, for which the recipe and the folder of encoders are needed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean

import torch

from claimscope.models.locate import Locator
from claimscope.models.runtime import Settings
from claimscope.models.verifier.opening import VerifierOpener
from claimscope.models.verifier.settings import read_verifier
from claimscope.train.pretrained import read_tokenizer
from claimscope.train.snapshot import read_tensors
from claimscope.train.verifier.abstracts import View
from recipe.config import read_recipe
from recipe.development import (
    DevelopmentScore,
    development_views,
    measure_verifier,
    measure_views,
)
from recipe.network import new_network

Measured = Callable[[Sequence[View]], DevelopmentScore]


def main() -> None:
    """Print a table for each path."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--recipe", default="default", help="recipe of the weights")
    parser.add_argument("--weights", type=Path, help="folder of the encoders")
    parser.add_argument("--threads", type=int, default=1, help="for weights of a training")
    parser.add_argument("--bfloat16", action="store_true", help="faster on some processors")
    said = parser.parse_args()
    torch.set_num_threads(said.threads)
    sets = list(development_views())
    for path in said.paths:
        measured = _model(path) if path.is_dir() else _weights(path, said)
        print(f"\n{path}\n")
        _print_table(measured, sets)


def _model(folder: Path) -> Measured:
    settings = read_verifier(folder)
    opener = VerifierOpener(Locator().find, Settings.from_environment())
    verifier = opener.open(Locator().find(str(folder)), settings)
    return lambda views: measure_verifier(verifier, settings, views)


def _weights(path: Path, said: argparse.Namespace) -> Measured:
    recipe = read_recipe(Path(__file__).parent / f"{said.recipe}.toml")
    encoder = said.weights / recipe.encoder
    network = new_network(
        encoder, dropout=0.0, train_embeddings=False, seed=0, layers=recipe.layers
    )
    tensors, _ = read_tensors(path)
    own = {name.removeprefix("model."): each for name, each in tensors.items()}
    network.load_state_dict({name: own[name] for name in network.state_dict()})
    tokenizer = read_tokenizer(encoder)

    def measured(views: Sequence[View]) -> DevelopmentScore:
        with torch.autocast("cpu", torch.bfloat16, enabled=said.bfloat16):
            return measure_views(network, tokenizer, views)

    return measured


def _print_table(measured: Measured, sets: Iterable[tuple[str, list[View]]]) -> None:
    print("| set | pairs | macro F1 | support against refute | sentence AP |")
    print("|---|--:|--:|--:|--:|")
    scores: list[DevelopmentScore] = []
    for name, views in sets:
        score = measured(views)
        scores.append(score)
        print(
            f"| {name} | {score.pairs} | {score.macro_f1:.1f} | {score.stance:.1f} "
            f"| {score.sentence_ap:.1f} |",
            flush=True,
        )
    macro, stance = (
        fmean(each) for each in zip(*((s.macro_f1, s.stance) for s in scores), strict=True)
    )
    print(f"| mean | | {macro:.1f} | {stance:.1f} | |", flush=True)


if __name__ == "__main__":
    main()
