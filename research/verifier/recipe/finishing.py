"""Turns finished weights into a model: exported, rounded to eight bits, calibrated, described."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from claimscope.models.checkpoint import Checkpoint, Shape
from claimscope.models.locate import Locator
from claimscope.models.runtime import Settings
from claimscope.models.verifier.opening import VerifierOpener
from claimscope.models.verifier.settings import write_verifier
from claimscope.train.cards import checksums, header
from claimscope.train.pretrained import load_weights, read_tokenizer
from claimscope.train.verifier.export import export_folder
from claimscope.train.verifier.network import CLASSES
from recipe.calibrate import Calibration, calibrate, draw, fitted
from recipe.config import Finish, Recipe
from recipe.development import DevelopmentScore, development_views, measure_verifier
from recipe.network import new_network
from recipe.pools import ClaimPool, VectorRanking, open_pool
from recipe.reading import Remembering, Scaled
from recipe.shipping import round_folder
from recipe.strength import Decisions, decisions, with_strength
from recipe.views import FOLDS, HELD_OUT, held_out_pool

CARD, CALIBRATION = "README.md", "calibration.json"
LICENCES = Path(__file__).parents[1] / "licences.toml"
_ABOUT = (
    "A verifier of scientific claims: it reads a claim, a title and the sentences of an abstract, "
    "labels the abstract SUPPORTS, REFUTES or NOT_ENOUGH_INFO, and scores each sentence as "
    "evidence."
)


def finish(recipe: Recipe, encoder: Path, weights: Path, folder: Path) -> None:
    """Write the model into a folder; its card is written last."""
    export(recipe, encoder, weights, folder)
    fit(recipe, folder)


def fit(recipe: Recipe, folder: Path) -> None:
    """Fit every number of an exported model, and write its settings, figures and card."""
    plan = recipe.finish
    opener = VerifierOpener(Locator().find, Settings.from_environment())
    verifier = Remembering(opener.open(Locator().find(str(folder)), plan.settings))
    result = calibrate(verifier, _claims(plan), [held_out_pool("check-covid")])
    limit = result.thresholds.evidence
    views = dict(development_views())
    sets = {
        name: decisions(verifier, each, result.scaling, result.prior, limit)
        for name, each in views.items()
    }
    settings = with_strength(fitted(plan.settings, result), sets)
    if plan.least is not None:
        settings = replace(settings, least=plan.least)
    if plan.firm is not None:
        settings = replace(settings, firm=plan.firm)
    scaled = Scaled(verifier, settings)
    scores = {name: measure_verifier(scaled, settings, each) for name, each in views.items()}
    write_verifier(settings, folder)
    draw(result, folder)
    (folder / CALIBRATION).write_text(_as_json(result, sets, scores), encoding="utf-8")
    lines = card(recipe, result, sets, scores, folder)
    (folder / CARD).write_text("\n".join(lines), encoding="utf-8")


def export(recipe: Recipe, encoder: Path, weights: Path, folder: Path) -> None:
    """Write the network as ONNX with weights of one byte, without any fitted number."""
    plan = recipe.finish
    network = new_network(
        encoder, dropout=0.0, train_embeddings=False, seed=0, layers=recipe.layers
    )
    load_weights(network, weights)
    description = Checkpoint(plan.model, Shape.JOINT, max_length=512, labels=CLASSES)
    single = export_folder(
        network, read_tokenizer(encoder), folder.with_name("single"), description
    )
    round_folder(single, folder, plan.packed)
    write_verifier(plan.settings, folder)


def _claims(plan: Finish) -> ClaimPool:
    """Give the held-out claims of SciFact train with the candidates that the presets read."""
    ranking = VectorRanking(share=plan.share)
    return open_pool("scifact", plan.candidates, vectors=ranking).divided(HELD_OUT, FOLDS)[1]


def _as_json(
    result: Calibration, sets: Mapping[str, Decisions], scores: Mapping[str, DevelopmentScore]
) -> str:
    said: dict[str, Any] = {
        "claims": result.claims,
        "measured": {name: asdict(each) for name, each in result.measured.items()},
        "reliability": [asdict(each) for each in result.reliability],
        "risk": [asdict(each) for each in result.risk],
        "development": {
            name: {"given": len(given), "wrong": _wrong(given), **asdict(scores[name])}
            for name, given in sets.items()
        },
    }
    return json.dumps(said, indent=2) + "\n"


def _wrong(given: Decisions) -> int:
    return sum(not right for _, right in given)


def card(
    recipe: Recipe,
    result: Calibration,
    sets: Mapping[str, Decisions],
    scores: Mapping[str, DevelopmentScore],
    folder: Path,
) -> Iterator[str]:
    """Give the card as lines of Markdown with a YAML header."""
    data = dict.fromkeys(name.partition("/")[0] for stage in recipe.stages for name in stage.data)
    yield from header(recipe.finish.model, recipe.encoder, data, "text-classification")
    yield from (f"# {recipe.finish.model}", "", _ABOUT, "", "## Training", "")
    yield (
        f"Trained from {recipe.encoder} by `research/verifier/run.py {recipe.name}`. No stage "
        f"begins from rounded weights. `research/verifier/{recipe.name}.toml` names the data of "
        "each stage."
    )
    yield from ("", "| stage | tokens | learning rate |", "|---|--:|--:|")
    yield from (f"| {s.name} | {s.tokens:,} | {s.learning_rate:g} |" for s in recipe.stages)
    if recipe.finish.first:
        share = f"{recipe.finish.beside:.0%}"
        yield from (
            "",
            f"It reads after `{recipe.finish.first}`; its share in the label is {share}.",
        )
    licences = tomllib.loads(LICENCES.read_text("utf-8"))
    yield from ("", "| set | licence |", "|---|---|")
    yield from (f"| {name} | {licences[name]} |" for name in data)
    yield from ("", f"## {result.claims} held-out claims of SciFact train, open setting", "")
    yield "Scaling, prior and thresholds were fitted on these claims, so the figures are a little"
    yield from ("too good.", "", "| measure | value | 95 % interval |", "|---|---|---|")
    for name, each in result.measured.items():
        yield f"| {name} | {_percent(each.value)} | {_percent(each.low)} – {_percent(each.high)} |"
    yield from ("", "## Development sets, right abstracts given", "")
    yield "| set | pairs | macro F1 | support against refute, % | labels given | wrong, % |"
    yield "|---|--:|--:|--:|--:|--:|"
    for name, given in sets.items():
        score, wrong = scores[name], _percent(_wrong(given) / max(1, len(given)))
        yield (
            f"| {name} | {score.pairs} | {score.macro_f1:.1f} | {score.stance:.1f} "
            f"| {len(given)} | {wrong} |"
        )
    yield from ("", "![Accuracy over confidence](reliability.svg)", "")
    files = sorted(path.name for path in folder.glob("*.onnx*"))
    yield from (*checksums({name: folder / name for name in files}), "")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
