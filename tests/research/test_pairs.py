"""Reading sets of pairs, holding groups out, and drawing passes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.errors import MissingDataError
from tests.tiny_models import REASON, wordpiece

pytest.importorskip("torch", reason=REASON)

from claimscope.train.batches import Turn
from claimscope.train.verifier.abstracts import Target
from recipe.feed import Pair, PairExamples, Passes
from recipe.pairs import MEASURED_SETS, PAIR_SETS, read_pairs, split


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
    assert read_pairs("fever") == [Pair("( A ) b", '"c"', Target.SUPPORTS, "lrb a rrb b")]


def test_a_set_without_refutations_has_a_two_way_label(data: Path) -> None:
    write(data / "scitail/dev.jsonl", {"claim": "a", "evidence": "b", "label": "not_entailment"})
    assert [pair.target for pair in read_pairs("scitail-dev")] == [Target.NOT_SUPPORTED]


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
    targets = [pair.target for pair in read_pairs("fool-me-twice")]
    assert targets == [Target.REFUTES, Target.NOT_ENOUGH_INFO]


def test_a_missing_set_is_named(data: Path) -> None:
    with pytest.raises(MissingDataError, match=r"snli.*CLAIMSCOPE_DATA"):
        read_pairs("snli")


def test_only_sets_that_may_be_shipped_are_trained_on(data_folder: Path) -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (data_folder / "README.md").read_text("utf-8").splitlines()
        if line.startswith("| `")
    ]
    measured = "".join(row[0] for row in rows if row[-1].startswith("eval"))
    assert measured
    trained = {each.file.partition("/")[0] for each in PAIR_SETS.values()}
    assert not [name for name in trained if f"`{name}/" in measured]
    assert not PAIR_SETS.keys() & MEASURED_SETS.keys()


def test_groups_are_held_out_as_a_whole() -> None:
    pairs = [Pair(f"c{n}", "e", Target.SUPPORTS, f"g{n % 100}") for n in range(2000)]
    train, held = split("mnli-dev", pairs)
    assert 0.1 < len(held) / 2000 < 0.3
    assert not {pair.group for pair in held} & {pair.group for pair in train}
    assert split("snli", pairs)[1] == []


def passes(sizes: Mapping[str, int], counts: Mapping[str, int]) -> Passes:
    sets = {
        name: PairExamples(
            [Pair(f"claim {n}", "evidence of a trial", Target(n % 3), "g") for n in range(size)],
            wordpiece(),
            32,
        )
        for name, size in sizes.items()
    }
    return Passes(sets, counts, batch_tokens=128, seed=1)


def test_the_same_turn_gives_the_same_pass() -> None:
    made = passes({"a": 50, "b": 9}, {"a": 20, "b": 3})
    assert made(Turn(3, 0.2, {"a": 7})).batches == made(Turn(3, 0.2, {"a": 7})).batches
    assert made(Turn()).drawn == {"a": 20, "b": 3}


@given(size=st.integers(1, 50), rounds=st.integers(1, 4))
def test_every_pair_comes_before_any_comes_again(size: int, rounds: int) -> None:
    made = passes({"a": size}, {"a": 30})
    turn, seen = Turn(), Counter[tuple[int, ...]]()
    for number in range(1, rounds + 1):
        drawn = made(turn)
        seen.update(each.row.ids for batch in drawn.batches for each in batch)
        turn = Turn(number, 0.0, drawn.drawn)
    assert sum(seen.values()) == 30 * rounds
    assert max(seen.values()) - min(seen.values()) <= 1
    assert len(seen) == min(size, 30 * rounds)
