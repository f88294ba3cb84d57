"""What users may import; a change to it is a change to the package's promise."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import claimscope

SOURCE = Path(claimscope.__file__).parent

PUBLIC_MODULES = {
    "case_json",
    "checker",
    "errors",
    "labels",
    "metadata",
    "text",
    "types",
}
"""Modules directly under the package; all others there begin with an underscore."""

SURFACE = {
    "claimscope": "Candidate Case Checker Claim Document Label Library Metadata Pipeline Verdict "
    "__version__ import_files open_library",
    "claimscope.batch": "",
    "claimscope.audit": "Answers Audit CacheFolder Checked Level Options Outcome Remark audit "
    "bibliographies read_bibliography read_manuscript",
    "claimscope.claims": "Sentence find_claims judge",
    "claimscope.cli": "",
    "claimscope.datasets": "DATASETS Card Dataset Description Finding LabelledClaim "
    "MissingDataError Relevant answers_of check data_folders describe download_folder "
    "find_definition find_folder get gold_of open_dataset qrels_of",
    "claimscope.evaluate": "Experiment RunFolder Scores contrast run score write_report",
    "claimscope.ingest": "FORMATS Failure Format Item Skipped detect get_format read read_in_child",
    "claimscope.library": "AddReport Hit ImportSummary Library LocalLibrary export_to "
    "import_files open_library",
    "claimscope.mcp": "",
    "claimscope.measures": "DEFINITIONS Comparison Contributions Definition Interval Measure Part "
    "Spread bootstrap contributions define evaluate parse_measure randomisation_test "
    "scifact_measures spread",
    "claimscope.models": "Models Settings",
    "claimscope.pipeline": "Composable Kind Part Pipeline Preset Resources Stage map_candidates "
    "require_positive stage_id",
    "claimscope.render": "",
    "claimscope.service": "client",
    "claimscope.sources": "",
    "claimscope.stages": "",
    "claimscope.studies": "Design SampleSize Study find_sample_size read_study",
    "claimscope.train": "",
}


@pytest.mark.parametrize("name", SURFACE)
def test_a_package_names_what_is_public(name: str) -> None:
    module = import_module(name)
    assert sorted(module.__all__) == sorted(SURFACE[name].split())
    for public in module.__all__:
        assert getattr(module, public, None) is not None or public == "client"


def test_every_package_has_its_surface_listed() -> None:
    found = {f"claimscope.{path.parent.name}" for path in SOURCE.glob("*/__init__.py")}
    assert found | {"claimscope"} == SURFACE.keys()


def test_modules_beside_the_packages_are_public_or_private_by_name() -> None:
    found = {path.stem for path in SOURCE.glob("*.py") if not path.stem.startswith("_")}
    assert found == PUBLIC_MODULES


def test_the_surface_is_there_for_completion_and_costs_no_import() -> None:
    assert set(claimscope.__all__) - {"__version__"} <= set(dir(claimscope))
    code = "import sys, claimscope; print('numpy' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"
