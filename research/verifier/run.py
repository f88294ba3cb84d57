"""Trains a network by its recipe: runs the next unfinished stage, from its last checkpoint.

After the last stage the model is exported, rounded to eight bits and calibrated.

python research/verifier/run.py small --weights WEIGHTS --folder FOLDER [--copy FOLDER]
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import torch

from recipe.config import read_recipe
from recipe.training import Training


def main() -> int:
    """Run the recipes that are named, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipes", nargs="+", help="names of recipes, such as small")
    parser.add_argument("--weights", type=Path, required=True, help="folder of the encoders")
    parser.add_argument("--folder", type=Path, required=True, help="where checkpoints are kept")
    parser.add_argument("--copy", type=Path, help="second folder for copies of the checkpoints")
    parser.add_argument("--threads", type=int, default=1)
    said = parser.parse_args()
    torch.set_num_threads(said.threads)
    # Batches have some hundred shapes; oneDNN prepares each again once its cache is full.
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "20000")
    for name in said.recipes:
        recipe = read_recipe(Path(__file__).parent / f"{name}.toml")
        training = Training(recipe, said.folder / name, said.weights, said.copy)
        if not training.run():
            return 1
        print(training.finish())
    return 0


if __name__ == "__main__":
    sys.exit(main())
