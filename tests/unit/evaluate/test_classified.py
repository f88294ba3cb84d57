"""A classifier of whole claims is scored by its verdicts, though it judges no passage alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.datasets import climate
from claimscope.datasets.record import Dataset
from claimscope.errors import InputError
from claimscope.evaluate.experiment import Experiment, run
from claimscope.evaluate.material import gather
from claimscope.evaluate.modes import Mode
from claimscope.measures import evaluate, parse_measure
from claimscope.pipeline.preset import parse
from tests.tiny_models import save_pair_model

RETRIEVE = '[[stages]]\nkind = "retrieve"\nname = "bm25-memory"\nk = 2\n'
NAMES = ("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO", "DISPUTED")


def test_the_climate_tasks_accuracy_is_measured(tmp_path: Path) -> None:
    model = save_pair_model(tmp_path / "model", 4, NAMES)
    evidence = [{"evidence_id": "e1"}, {"evidence_id": "e2"}]
    claims = [
        {"id": number, "claim": f"ice {word} sea", "label": NAMES[number], "evidence": evidence}
        for number, word in enumerate(("grows", "melts"))
    ]
    passages = [{"evidence_id": f"e{number}", "text": f"The ice {number}"} for number in (1, 2)]
    for name, records in (("claims_dev", claims), ("evidence_pool", passages)):
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (tmp_path / f"{name}.jsonl").write_text(lines)
    dataset = Dataset(climate.DEFINITION, tmp_path)
    decide = f'[[stages]]\nkind = "decide"\nname = "classifier"\nmodel = "{model}"\n'
    unjudged = '[[stages]]\nkind = "decide"\nname = "unjudged"\n'
    measure = parse_measure("climate-A")
    for mode in (Mode.OPEN, Mode.ORACLE_ABSTRACTS):
        experiment = Experiment(dataset, "dev", parse(RETRIEVE + decide, "c", "test"), mode)
        material = gather(run(experiment, tmp_path / f"run {mode}", tmp_path / "cache"))
        assert evaluate(measure, material.of(measure)) in (0.0, 0.5, 1.0)
        assert material.info.stages[-1]["model_sha256"]
    experiment = Experiment(dataset, "dev", parse(RETRIEVE + unjudged, "u", "test"))
    material = gather(run(experiment, tmp_path / "other", tmp_path / "cache"))
    with pytest.raises(InputError, match="climate-A"):
        material.of(measure)
