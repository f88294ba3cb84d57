from pathlib import Path

from claimscope.datasets.describe import describe
from claimscope.datasets.registry import open_dataset
from claimscope.render.dataset_page import page


def test_a_data_set_is_drawn_without_any_address(data_folder: Path) -> None:
    dataset = open_dataset("scifact", data_folder / "scifact")
    written = page(dataset.card, describe(dataset))
    assert "SUPPORTS: 332 of 809" in written
    assert written.count("<svg") >= 10
    assert "src=" not in written
    assert len(written) < 300_000


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text(
        '{"doc_id": 1, "title": "<script>alert(1)</script>", "abstract": ["a <b> c"], '
        '"structured": false}\n'
    )
    for split in ("train", "dev", "test"):
        (tmp_path / f"claims_{split}.jsonl").write_text(
            '{"id": 1, "claim": "<script>x</script>"}\n'
        )
    dataset = open_dataset("scifact", tmp_path)
    assert "<script" not in page(dataset.card, describe(dataset))
