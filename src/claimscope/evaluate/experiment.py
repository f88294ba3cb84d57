"""Runs a preset over a split of a data set; each finished claim is saved at once.

Memory does not grow with the number of claims: cases leave it batch by batch.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from hashlib import blake2b
from importlib.metadata import version
from itertools import islice
from pathlib import Path

from claimscope._version import __version__
from claimscope.case_json import to_json
from claimscope.datasets.record import Dataset
from claimscope.errors import InputError
from claimscope.evaluate.corpus import open_corpus
from claimscope.evaluate.folder import RunFolder, RunInfo
from claimscope.evaluate.gold import gold_claims, gold_to_json, oracle_evidence, with_first_cited
from claimscope.evaluate.modes import Mode, adapt, check_mode, with_seed
from claimscope.evaluate.predictions import write_outputs
from claimscope.library.local import LocalLibrary
from claimscope.pipeline.pipeline import Pipeline
from claimscope.pipeline.preset import Preset
from claimscope.pipeline.registry import Resources
from claimscope.pipeline.stage import describe
from claimscope.types import Claim, GoldEvidence

BATCH = 16
_FOUR_LABELS = frozenset({"climate", "climate-fever"})
_PACKAGES = ("numpy", "tantivy", "bm25s", "onnxruntime", "tokenizers")

OnProgress = Callable[[int, int], None]
"""Told how many claims are done and how many there are."""


@dataclass(frozen=True)
class Experiment:
    """A preset to be evaluated on a split of a data set."""

    dataset: Dataset
    split: str
    preset: Preset
    mode: Mode = Mode.OPEN
    seed: int | None = None
    limit: int | None = None
    """Evaluate only the first N claims."""
    library: LocalLibrary | None = None
    """Another library than the data set's own documents."""

    @property
    def pipeline_preset(self) -> Preset:
        """Give the preset after applying mode and seed."""
        adapted = adapt(self.preset, self.mode)
        return adapted if self.seed is None else with_seed(adapted, self.seed)


def run(
    experiment: Experiment,
    folder: Path,
    cache: Path | None = None,
    on_progress: OnProgress | None = None,
) -> RunFolder:
    """Run an experiment into a folder, or finish the run that was begun there."""
    made = RunFolder(folder)
    with _library(experiment, cache) as library:
        preset = experiment.pipeline_preset
        folder.mkdir(parents=True, exist_ok=True)
        fresh = folder / "gold.jsonl.new"
        gold, digest = _write_gold(experiment, library, fresh)
        pipeline = preset.build(Resources(library, gold))
        check_mode(pipeline, experiment.mode)
        info = _info(experiment, library, pipeline, len(gold), digest)
        _begin(made, info)
        fresh.replace(made.gold_path)
        done = _cut_to_whole_lines(made.cases_path)
        _run_claims(pipeline, made, islice(_claims(made), done, None), done, info, on_progress)
    write_outputs(made)
    made.write_info(replace(info, complete=True))
    return made


def _library(experiment: Experiment, cache: Path | None) -> AbstractContextManager[LocalLibrary]:
    if experiment.library is not None:
        return nullcontext(experiment.library)
    return open_corpus(experiment.dataset, cache)


def _write_gold(
    experiment: Experiment, library: LocalLibrary, path: Path
) -> tuple[dict[str, dict[str, GoldEvidence]], str]:
    """Write the answers, and give them as oracle stages want them, with their fingerprint."""
    claims = experiment.dataset.claims(experiment.split)
    named = with_first_cited(claims) if experiment.mode.silent else claims
    labelled = islice(named, experiment.limit)
    digest = blake2b(digest_size=8)
    evidence: dict[str, dict[str, GoldEvidence]] = {}
    with path.open("w", encoding="utf-8") as file:
        for claim in gold_claims(labelled, library, _is_four_label(experiment.dataset)):
            line = gold_to_json(claim) + "\n"
            digest.update(line.encode())
            file.write(line)
            if claim.id in evidence:
                raise InputError(
                    f"{experiment.dataset.card.title} has claim {claim.id} twice in split "
                    f"{experiment.split}; give every claim its own id."
                )
            evidence[claim.id] = oracle_evidence(claim)
    return evidence, digest.hexdigest()


def _is_four_label(dataset: Dataset) -> bool:
    return dataset.name in _FOUR_LABELS


def _info(
    experiment: Experiment, library: LocalLibrary, pipeline: Pipeline, claims: int, digest: str
) -> RunInfo:
    info = RunInfo(
        dataset=experiment.dataset.name,
        title=experiment.dataset.card.title,
        split=experiment.split,
        mode=experiment.mode,
        preset=experiment.preset.name,
        seed=experiment.seed,
        stages=tuple(describe(stage) for stage in pipeline.stages),
        provides=tuple(sorted(set().union(*(stage.provides for stage in pipeline.stages)))),
        library_revision=library.revision,
        documents=len(library),
        claims=claims,
        four_labels=_is_four_label(experiment.dataset),
        versions=_versions(),
        fingerprint="",
    )
    depends = [info.dataset, info.split, info.mode, info.preset, info.seed, info.stages]
    depends += [info.library_revision, digest, __version__]
    text = json.dumps(depends, sort_keys=True)
    return replace(info, fingerprint=blake2b(text.encode(), digest_size=8).hexdigest())


def _versions() -> dict[str, str]:
    named = {name: version(name) for name in _PACKAGES}
    return {"claimscope": __version__, "python": platform.python_version(), **named}


def _begin(folder: RunFolder, info: RunInfo) -> None:
    """Claim the folder; one that holds another run is refused rather than overwritten."""
    if folder.exists and folder.info().fingerprint != info.fingerprint:
        (folder.path / "gold.jsonl.new").unlink(missing_ok=True)
        raise InputError(
            f"The folder {folder.path} holds another run; choose another folder, or delete it."
        )
    if not folder.exists:
        folder.write_info(info)


def _cut_to_whole_lines(path: Path) -> int:
    """Drop a line that an interruption left half-written, and count the others."""
    if not path.exists():
        return 0
    count = whole = 0
    with path.open("rb+") as file:
        for line in file:
            if line.endswith(b"\n"):
                count += 1
                whole += len(line)
        file.truncate(whole)
    return count


def _claims(folder: RunFolder) -> Iterator[Claim]:
    return (Claim(each.text, each.id) for each in folder.gold())


def _run_claims(
    pipeline: Pipeline,
    folder: RunFolder,
    claims: Iterable[Claim],
    done: int,
    info: RunInfo,
    on_progress: OnProgress | None,
) -> None:
    waiting = iter(claims)
    with folder.cases_path.open("a", encoding="utf-8") as file:
        while batch := list(islice(waiting, BATCH)):
            cases = pipeline.run(batch)
            file.writelines(to_json(case, with_trace=True) + "\n" for case in cases)
            file.flush()
            done += len(batch)
            if on_progress is not None:
                on_progress(done, info.claims)
