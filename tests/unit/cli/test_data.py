from pathlib import Path

from .conftest import Run


def test_data_sets_are_listed_with_their_licences(run: Run) -> None:
    result = run("data", "list")
    assert "healthver" in result.out
    assert "CC BY 4.0" in result.out


def test_a_data_set_on_this_machine(run: Run, data_folder: Path, tmp_path: Path) -> None:
    assert Path(run("data", "path", "scifact").out.strip()) == data_folder / "scifact"
    checked = run("data", "check", "scifact")
    assert checked.code == 0
    assert "claims in dev: 300 (right)" in checked.out
    described = run("data", "describe", "scifact", "--html", tmp_path / "d.html")
    assert "train and dev share" in described.out
    assert (tmp_path / "d.html").stat().st_size > 10_000


def test_splits_that_are_not_here_are_named(run: Run, data_folder: Path) -> None:
    described = run("data", "describe", "check-covid")
    assert ("Not on this machine: test" in described.out) is not any(
        (data_folder / "check_covid").glob("*test*")
    )


def test_what_is_missing_is_said_with_the_remedy(run: Run) -> None:
    result = run("data", "path", "scifact-open")
    assert result.code == 2
    assert "claimscope data get scifact-open" in result.err
    unknown = run("data", "check", "nope")
    assert "scifact" in unknown.err
