"""Papers and vectors are written as Parquet, and a library uses both without computing again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from claimscope.batch import embedding
from claimscope.batch.embedding import embed_files, load_vectors, spec_for
from claimscope.batch.engine import InProcess
from claimscope.errors import InputError
from claimscope.library.export import export_to
from claimscope.library.importer import import_files
from claimscope.library.local import LocalLibrary
from claimscope.models.catalogue import VECTORS
from claimscope.models.loader import Models
from claimscope.models.text_encoder import BatchedEncoder
from claimscope.stages.retrieve import dense
from claimscope.types import Case, Claim
from tests.unit.batch.test_checking import Stopping, content


@pytest.fixture
def papers(library: LocalLibrary, tmp_path: Path) -> Path:
    path = tmp_path / "papers.jsonl"
    export_to(library, str(path))
    return path


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "user_cache_path", lambda *_, **__: tmp_path / "cache")


def test_vectors_computed_elsewhere_are_used_as_they_are(
    library: LocalLibrary, papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    summary = embed_files([str(papers)], spec_for(VECTORS), out, InProcess(), 4)
    assert (summary.papers, len(summary.paths), summary.failures) == (10, 3, ())
    expected = dense.DenseRetriever(library, model=VECTORS).run([Case(Claim("coffee and sleep"))])

    with LocalLibrary(tmp_path / "copy", create=True) as copy:
        report = import_files(copy, list(out.glob("*.parquet"))).report
        assert report.added == 10
        assert copy.revision == library.revision
        assert load_vectors(out, copy) == (10, 0)
        encode = BatchedEncoder.encode

        def only_claims(self: BatchedEncoder, texts: list[str]) -> object:
            assert texts == ["coffee and sleep"], "the papers are not encoded again"
            return encode(self, texts)

        monkeypatch.setattr(BatchedEncoder, "encode", only_claims)
        [found] = dense.DenseRetriever(copy, model=VECTORS).run([Case(Claim("coffee and sleep"))])
    assert [each.document.id for each in found.candidates] == [
        each.document.id for each in expected[0].candidates
    ]


def test_a_stopped_run_goes_on_and_gives_the_same_bytes(papers: Path, tmp_path: Path) -> None:
    spec = spec_for(VECTORS)
    embed_files([str(papers)], spec, tmp_path / "whole", InProcess(), 3)
    with pytest.raises(KeyboardInterrupt):
        embed_files([str(papers)], spec, tmp_path / "stopped", Stopping(2), 3)
    summary = embed_files([str(papers)], spec, tmp_path / "stopped", InProcess(), 3)
    assert summary.resumed == 6
    assert content(tmp_path / "stopped") == content(tmp_path / "whole")


def test_papers_that_the_folder_lacks_are_computed_here(
    library: LocalLibrary, papers: Path, tmp_path: Path
) -> None:
    papers.write_text("".join(papers.read_text().splitlines(keepends=True)[:7]))
    embed_files([str(papers)], spec_for(VECTORS), tmp_path / "out", InProcess())
    assert load_vectors(tmp_path / "out", library) == (7, 3)
    [path] = (tmp_path / "cache" / "vectors").iterdir()
    texts = [document.text for document in library.documents()]
    assert np.allclose(np.load(path), Models().encoder(VECTORS).encode(texts))


def test_other_files_and_other_folders_are_refused(papers: Path, tmp_path: Path) -> None:
    spec = spec_for(VECTORS)
    embed_files([str(papers)], spec, tmp_path / "out", InProcess())
    papers.write_text(papers.read_text() + '{"title": "New"}\n')
    with pytest.raises(InputError, match="files differ"):
        embed_files([str(papers)], spec, tmp_path / "out", InProcess())
    with pytest.raises(InputError, match="no such file"):
        embed_files([str(tmp_path / "no.ris")], spec, tmp_path / "other", InProcess())
    with pytest.raises(InputError, match="no batch"):
        load_vectors(tmp_path, LocalLibrary(tmp_path / "new", create=True))


def test_a_worker_with_another_model_is_a_failure_in_words(papers: Path) -> None:
    spec = embedding.EmbedSpec(VECTORS, "other")
    finished = embedding.embed_part(spec, embedding.Part(0, ()))
    assert finished.failure is not None
    assert "another version" in finished.failure
