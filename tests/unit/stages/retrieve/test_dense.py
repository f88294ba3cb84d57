"""Dense retrieval on a tiny encoder: against plain NumPy, with one encoder and with two."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from claimscope.errors import ConfigurationError
from claimscope.library.local import LocalLibrary
from claimscope.models.loader import Models
from claimscope.pipeline import preset
from claimscope.pipeline.registry import Resources
from claimscope.pipeline.stage import describe
from claimscope.stages.retrieve import dense as vector_cache
from claimscope.stages.retrieve.dense import DenseIndex, DenseRetriever
from claimscope.types import Case, Claim
from tests.tiny_models import REASON, TinyModels, save_pair_model


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    monkeypatch.setattr(vector_cache, "user_cache_path", lambda *_, **__: tmp_path / "cache")
    return tmp_path / "cache"


CLAIM = Claim("Aspirin lowers the risk of heart attack", "1")


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The encoder of a small classifier, saved without its head."""
    transformers = pytest.importorskip("transformers", reason=REASON)
    folder = save_pair_model(tmp_path_factory.mktemp("dense"), 2, seed=4)
    model = transformers.BertModel.from_pretrained(folder)
    model.save_pretrained(folder)
    return folder


def test_documents_come_in_the_order_of_their_cosines(encoder: Path, library: LocalLibrary) -> None:
    stage = DenseRetriever(library, k=4, model=str(encoder))
    [case] = stage.run([Case(CLAIM)])
    opened = Models().encoder(str(encoder))
    documents = list(library.documents())
    vectors = opened.encode([each.text for each in documents])
    query = opened.encode([CLAIM.text])[0]
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(vectors)), abs=1e-5)
    expected = (1 + vectors @ query) / 2
    order = np.argsort(-expected, kind="stable")[:4]
    assert [item.document.id for item in case.candidates] == [documents[i].id for i in order]
    found = [item.scores["retrieve.dense"].raw for item in case.candidates]
    assert found == pytest.approx(expected[order], abs=1e-5)
    assert stage.rank_of(CLAIM, case.candidates[2].document.id) == 3


def test_a_vector_is_the_mean_of_the_token_states(encoder: Path) -> None:
    torch = pytest.importorskip("torch", reason=REASON)
    transformers = pytest.importorskip("transformers", reason=REASON)
    model = transformers.BertModel.from_pretrained(encoder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(encoder)
    inputs = tokenizer("aspirin lowers risk", return_tensors="pt")
    with torch.inference_mode():
        states = model(**inputs).last_hidden_state[0]
    mean = states.mean(dim=0).numpy()
    texts = ["aspirin lowers risk", "a much longer text of the risk of heart attack"]
    given = Models().encoder(str(encoder)).encode(texts)
    assert given[0] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def test_an_empty_library_gives_nothing(encoder: Path) -> None:
    opened = Models().encoder(str(encoder))
    index = DenseIndex(opened.encode([]), opened)
    assert index.search("aspirin", 3) == []


def test_vectors_are_computed_once(encoder: Path, cache: Path) -> None:
    opened = Models().encoder(str(encoder))
    first = vector_cache.encoded(["a trial", "the risk"], opened, "weights")
    assert np.array_equal(first, opened.encode(["a trial", "the risk"]))
    [kept] = cache.rglob("*.npy")
    np.save(kept, first + 1)
    assert np.array_equal(
        vector_cache.encoded(["a trial", "the risk"], opened, "weights"), first + 1
    )
    for texts, weights in ((["a trial", "the risk"], "others"), (["a trial the risk"], "weights")):
        found = vector_cache.encoded(texts, opened, weights)
        assert np.array_equal(found, opened.encode(texts)), "other texts or weights"


def test_a_classifier_is_no_encoder(library: LocalLibrary, tiny: TinyModels) -> None:
    stage = DenseRetriever(library, model=str(tiny.pair_two))
    with pytest.raises(ConfigurationError, match="encoder model"):
        stage.run([Case(CLAIM)])


def test_claims_can_have_an_encoder_of_their_own(
    encoder: Path, library: LocalLibrary, tmp_path: Path
) -> None:
    transformers = pytest.importorskip("transformers", reason=REASON)
    other = save_pair_model(tmp_path / "other", 2, seed=9)
    transformers.BertModel.from_pretrained(other).save_pretrained(other)
    one = DenseRetriever(library, k=10, model=str(encoder))
    two = DenseRetriever(library, k=10, model=str(encoder), claim_model=str(other))
    scores = [stage.run([Case(CLAIM)])[0].candidates[0].scores for stage in (one, two)]
    assert scores[0] != scores[1]


def test_a_preset_can_name_it_and_provenance_has_the_weights_checksum(
    encoder: Path, library: LocalLibrary
) -> None:
    import hashlib

    text = f'[[stages]]\nkind = "retrieve"\nname = "dense"\nmodel = "{encoder}"\nk = 2\n'
    pipeline = preset.parse(text, "mine", "test").build(Resources(library=library))
    described = describe(pipeline.stages[0])
    weights = (encoder / "model.safetensors").read_bytes()
    assert described["model_sha256"] == hashlib.sha256(weights).hexdigest()
    assert "claim_model_sha256" not in described
    absent = describe(DenseRetriever(library, model="verirel-student"))
    assert absent["model_sha256"] is None
