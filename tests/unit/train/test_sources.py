"""Reading pair sets, and mixing them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.errors import ConfigurationError, MissingDataError, UnknownNameError
from claimscope.train.feed import Moving, Turn
from claimscope.train.verifier.mixture import Mixture, TokenPairs, divided
from claimscope.train.verifier.pairs import Pair, Target, is_held_out
from claimscope.train.verifier.sources import MEASURED_ONLY, SOURCES, find_source, read_source
from tests.tiny_models import wordpiece


def write(path: Path, *records: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAIMSCOPE_DATA", str(tmp_path))
    return tmp_path


def test_pairs_are_read_tidied_and_given_once(data: Path) -> None:
    record = {"claim": "-LRB- A -RRB-  b", "evidence": "``c''", "label": "SUPPORTS"}
    write(data / "fever/dev_pairs.jsonl", record, record, {**record, "evidence": " "})
    assert read_source("fever") == [Pair("( A ) b", '"c"', Target.SUPPORTS, "lrb a rrb b")]


def test_a_set_without_refutations_has_a_two_way_label(data: Path) -> None:
    record = {"claim": "a", "evidence": "b", "label": "not_entailment"}
    write(data / "scitail/dev.jsonl", record)
    assert [pair.target for pair in read_source("scitail")] == [Target.NOT_SUPPORTED]


def test_fool_me_twice_shows_sentences_that_are_no_evidence(data: Path) -> None:
    record = {
        "claim": "a",
        "label": "REFUTES",
        "evidence_sentences": ["b c"],
        "retrieved_evidence": ["b c", "d e f g h i"],
        "wikipedia_page": "P",
    }
    for part in ("dev", "test"):
        write(data / f"fool_me_twice/{part}.jsonl", record)
    targets = [pair.target for pair in read_source("fool-me-twice")]
    assert targets == [Target.REFUTES, Target.NOT_ENOUGH_INFO]


@pytest.mark.parametrize("name", sorted(MEASURED_ONLY))
def test_sets_to_be_measured_on_cannot_be_asked_for(name: str) -> None:
    for spelling in (name, name.replace("_", "-")):
        with pytest.raises(ConfigurationError, match="for measuring only"):
            find_source(spelling)


def test_unknown_and_missing_sets_are_named(data: Path) -> None:
    with pytest.raises(UnknownNameError, match="snli"):
        find_source("nothing")
    with pytest.raises(MissingDataError, match="CLAIMSCOPE_DATA"):
        read_source("snli")


def test_every_set_names_its_licence() -> None:
    assert all(source.licence for source in SOURCES.values())


def test_only_sets_that_may_be_shipped_are_in_the_table(data_folder: Path) -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (data_folder / "README.md").read_text("utf-8").splitlines()
        if line.startswith("| `")
    ]
    shipped = "".join(row[0] for row in rows if row[-1].startswith("yes"))
    assert all(f"`{source.folder}/" in shipped for source in SOURCES.values())
    measured = "".join(row[0] for row in rows if row[-1].startswith("eval"))
    assert all(f"`{name}/" in measured for name in MEASURED_ONLY)


def pairs(count: int, group: str = "g") -> list[Pair]:
    return [
        Pair(f"claim {number}", "evidence of a trial", Target(number % 3), f"{group}{number}")
        for number in range(count)
    ]


def test_groups_are_held_out_as_a_whole() -> None:
    train, held = divided([Pair(f"c{n}", "e", Target.SUPPORTS, f"g{n % 100}") for n in range(2000)])
    assert 0.01 < len(held) / 2000 < 0.08
    by_group = {pair.group for pair in held if sum(p.group == pair.group for p in held) == 20}
    assert by_group
    assert not by_group & {pair.group for pair in train}


def test_a_claim_of_two_sets_lies_on_one_side() -> None:
    held = [n for n in range(3000) if is_held_out(Pair(f"Claim {n}!", "", Target.SUPPORTS, "x"))]
    assert held
    assert all(is_held_out(Pair(f"claim {n}", "", Target.REFUTES, "y")) for n in held)


def mixture(sizes: Mapping[str, int], shares: Mapping[str, Moving]) -> Mixture:
    sets = {name: TokenPairs(pairs(size), wordpiece(), 32) for name, size in sizes.items()}
    return Mixture(sets, shares, round_size=30, tokens=128, seed=1)


def claims(batches: Sequence[Sequence[Any]]) -> list[tuple[int, ...]]:
    return sorted(tuple(pair.claim) for batch in batches for pair in batch)


def test_shares_move_with_progress() -> None:
    made = mixture({"a": 50, "b": 50}, {"a": Moving(1.0, 0.0), "b": Moving(0.0, 1.0)})
    assert made(Turn(0, 0.0)).drawn == {"a": 30, "b": 0}
    assert made(Turn(0, 0.5)).drawn == {"a": 15, "b": 15}
    assert made(Turn(0, 1.0)).drawn == {"a": 0, "b": 30}


def test_the_same_turn_gives_the_same_round() -> None:
    made = mixture({"a": 50}, {"a": Moving(1, 1)})
    assert made(Turn(3, 0.2, {"a": 7})).batches == made(Turn(3, 0.2, {"a": 7})).batches


@given(size=st.integers(1, 50), rounds=st.integers(1, 4))
def test_every_pair_comes_before_any_comes_again(size: int, rounds: int) -> None:
    made = mixture({"a": size}, {"a": Moving(1, 1)})
    turn, seen = Turn(), Counter[tuple[int, ...]]()
    for number in range(1, rounds + 1):
        drawn = made(turn)
        seen.update(claims(drawn.batches))
        turn = Turn(number, 0.0, drawn.drawn)
    assert sum(seen.values()) == 30 * rounds
    times = [*seen.values(), *[0] * (size - len(seen))]
    assert max(times) - min(times) <= 1


def test_long_evidence_is_cut_and_the_claim_kept() -> None:
    long = Pair("aspirin lowers risk", "trial " * 100, Target.SUPPORTS, "g")
    [packed] = TokenPairs([long], wordpiece(), 20)
    assert len(packed.claim) == 3
    assert packed.length == 20


def test_every_set_of_the_data_folder_can_be_read(data_folder: Path) -> None:
    for source in SOURCES.values():
        if source.name != "pubmed-edits":  # It takes a minute to make.
            first = next(iter(source.read(data_folder / source.folder)))
            assert first.claim
            assert first.evidence
            assert first.group
