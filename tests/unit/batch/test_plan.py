"""A plan is arithmetic on measured rates, and its formulas say which."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from claimscope.batch.plan import Wish, plan, rates
from claimscope.cli.app import app
from claimscope.errors import InputError, UnknownNameError

ROOT = Path(__file__).resolve().parents[3]


def values(wish: Wish) -> dict[str, float]:
    return {line.name: line.value for line in plan(wish)}


def test_every_rate_names_a_command_of_the_repository() -> None:
    for name, rate in rates().items():
        script = re.search(r"benchmarks/\w+\.py", rate.command)
        assert script is not None, name
        assert (ROOT / script[0]).is_file(), name
        assert rate.value > 0


@given(st.integers(1, 10**9), st.sampled_from(["static", "dense"]), st.integers(1, 64))
def test_everything_grows_with_the_papers_and_time_shrinks_with_the_cores(
    documents: int, vectors: str, cores: int
) -> None:
    small = values(Wish(documents, vectors, cores=cores))
    large = values(Wish(2 * documents, vectors, cores=cores))
    assert large["disk, all nodes together"] == pytest.approx(2 * small["disk, all nodes together"])
    assert large["Qdrant nodes"] >= small["Qdrant nodes"] >= 3
    embed = f"hours to embed ({vectors})"
    assert values(Wish(documents, vectors, cores=2 * cores))[embed] == pytest.approx(
        small[embed] / 2
    )


def test_the_sum_of_the_steps_is_the_time_to_build() -> None:
    found = values(Wish(36_000_000, "dense"))
    steps = [value for name, value in found.items() if re.match("hours to (read|embed|add)", name)]
    assert len(steps) == 3
    assert found["hours to build"] == pytest.approx(sum(steps))


def test_one_copy_needs_no_cluster_and_a_wish_must_make_sense() -> None:
    assert values(Wish(1_000, replicas=1))["Qdrant nodes"] == 1
    with pytest.raises(InputError, match="documents"):
        Wish(0)
    with pytest.raises(UnknownNameError):
        Wish(1, "sparse")


@pytest.mark.parametrize(("written", "papers"), [("36M", 36_000_000), ("1.5k", 1_500), ("7", 7)])
def test_the_command_prints_formulas_and_sources(written: str, papers: int) -> None:
    done = CliRunner().invoke(app, ["plan", "--documents", written, "--json"])
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    assert f"{papers:,} papers" in record["plan"][0]["formula"]
    assert record["rates"].keys() == rates().keys()
    shown = CliRunner().invoke(app, ["plan", "--documents", written], env={"COLUMNS": "200"})
    assert "benchmarks/" in shown.output
    assert "hours to build" in shown.output


def test_a_number_that_is_none_is_one_sentence() -> None:
    done = CliRunner().invoke(app, ["plan", "--documents", "many"])
    assert done.exit_code == 2
    assert "write 36M" in done.output
