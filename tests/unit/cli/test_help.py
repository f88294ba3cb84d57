from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from claimscope.cli.app import app


def _verbs(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield words
    for name, command in getattr(group, "commands", {}).items():
        yield from _verbs(command, (*words, name))


@pytest.mark.parametrize("words", list(_verbs(typer.main.get_command(app))), ids=" ".join)
def test_help_speaks_of_values_and_not_of_python_types(words: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "100"})
    assert shown.exit_code == 0
    assert not re.findall(r"<[a-z][a-z \[\]|]*>|\{[^}]*\}", shown.output)


def test_help_names_arguments_and_what_options_take() -> None:
    shown = CliRunner().invoke(app, ["check", "--help"], env={"COLUMNS": "100"}).output
    assert "check [OPTIONS] CLAIMS..." in shown
    assert re.search(r"--preset +-p +PRESET +The pipeline", shown)
    assert re.search(r"--json +Write JSON", shown)
    assert re.search(r"--show +SHOW \[x>=1\] +How many", shown)
    optional = CliRunner().invoke(app, ["presets", "--help"]).output
    assert "presets [OPTIONS] [NAME]" in optional
