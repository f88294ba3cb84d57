from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from claimscope.library.importer import batches
from claimscope.types import Document

from .papers import paper


def test_batches_are_short_and_rounds_longer() -> None:
    found = list(batches(paper(str(number)) for number in range(45_000)))
    assert sum(len(batch.documents) for batch in found) == 45_000
    assert max(len(batch.documents) for batch in found) == 2_000
    assert [batch.ends_round for batch in found].count(True) == 2
    assert found[-1].ends_round


def test_long_texts_make_short_batches() -> None:
    found = list(batches(paper(str(number), "x" * 5_000_000) for number in range(5)))
    assert [len(batch.documents) for batch in found] == [2, 2, 1]


def test_a_slow_source_is_written_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimscope.library.importer._ROUND_SECONDS", 0.05)

    def slow() -> Iterator[Document]:
        for number in range(4):
            time.sleep(0.06)
            yield paper(str(number))

    assert [len(batch.documents) for batch in batches(slow())] == [1, 1, 1, 1, 0]
