"""Tables of data sets: long cells are read, and the limit of everybody else's tables stays."""

from __future__ import annotations

import csv
from pathlib import Path

from claimscope.datasets.files import read_table


def test_long_cells_are_read_without_raising_the_limit_for_others(tmp_path: Path) -> None:
    limit = csv.field_size_limit()
    article = "word " * limit
    path = tmp_path / "articles.tsv"
    path.write_text(f"claim\tarticle\nfirst\t{article}\nsecond\tshort\n", encoding="utf-8")
    rows = read_table(path, "\t", lambda row: (row["claim"], len(row["article"])))
    assert next(rows) == ("first", len(article))
    assert csv.field_size_limit() == limit
    assert list(rows) == [("second", 5)]
