"""Folders as users have them: pickled weights, a bare vocabulary, no description."""

import json
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest

from claimscope.errors import ConfigurationError, FormatError, MissingModelError
from claimscope.models.adopt import finish_download
from claimscope.models.checkpoint import Shape
from claimscope.models.loader import Models
from claimscope.models.locate import Locator
from claimscope.models.runtime import Settings
from claimscope.models.scorer import Pair
from tests.tiny_models import (
    LETTERS,
    REASON,
    WORDS,
    byte_level,
    save_pair_model,
    save_prompt_model,
)
from tests.unit.models.test_weights import Attack

torch = pytest.importorskip("torch", reason=REASON)
transformers = pytest.importorskip("transformers", reason=REASON)
from safetensors.torch import load_file  # noqa: E402

from claimscope.train.pretrained import find_encoder, read_tokenizer  # noqa: E402

PAIRS = [Pair("aspirin lowers risk", "the trial of statins"), Pair("Aspirin", "heart attack")]
THREE = ("SUPPORT", "CONTRADICT", "NEI")


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every place a model may be in lies under the test's own folder."""
    monkeypatch.setenv("CLAIMSCOPE_MODELS", str(tmp_path / "environment"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    for module in ("models.locate", "models.download", "train.pretrained"):
        monkeypatch.setattr(f"claimscope.{module}.models_folder", lambda: tmp_path / "own")
    return tmp_path / "own"


def pickled(folder: Path, shards: int = 1) -> Path:
    """Turn a folder's safetensors into what torch.save writes, in one file or in several."""
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    if shards == 1:
        torch.save(tensors, folder / "pytorch_model.bin")
        return folder
    places = {name: number % shards for number, name in enumerate(tensors)}
    files = [f"pytorch_model-{number + 1:05}-of-{shards:05}.bin" for number in range(shards)]
    for number, file in enumerate(files):
        part = {name: tensors[name] for name, place in places.items() if place == number}
        torch.save(part, folder / file)
    index = {"weight_map": {name: files[place] for name, place in places.items()}}
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps(index))
    return folder


def bare_vocabulary(folder: Path, *words: str) -> Path:
    """Leave a vocabulary in the place of a tokeniser, as for models of 2019."""
    for path in folder.glob("tokenizer*"):
        path.unlink()
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, *words]
    pieces += [f"{mark}{letter}" for mark in ("", "##") for letter in LETTERS]
    (folder / "vocab.txt").write_text("\n".join(dict.fromkeys(pieces)) + "\n")
    return folder


def logits(model: str | Path) -> Any:
    return Models(settings=Settings("cpu")).scorer(str(model)).logits(PAIRS)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("shards", [1, 3])
def test_pickled_weights_answer_as_safetensors_do(
    tmp_path: Path, own: Path, shards: int, caplog: pytest.LogCaptureFixture
) -> None:
    folder = save_pair_model(tmp_path / "mine", 3, THREE)
    expected = logits(folder)
    before = contents(pickled(folder, shards))
    with caplog.at_level(logging.WARNING, "claimscope.models"):
        assert logits(folder).tolist() == expected.tolist()
        assert logits(folder).tolist() == expected.tolist()
    [said] = caplog.messages
    assert f"The model in {folder} has pickled weights; it was converted" in said
    assert str(own / "converted") in said
    assert contents(folder) == before, "the user's folder stays as it is"
    assert len(list((own / "converted").iterdir())) == 1
    assert Models().sha256(str(folder)) is not None
    assert Locator().find(str(folder)).folder.parent == own / "converted"


def test_a_hostile_pickle_in_a_folder_is_not_run(tmp_path: Path) -> None:
    folder = pickled(save_pair_model(tmp_path / "mine", 3, THREE))
    tensors = torch.load(folder / "pytorch_model.bin", weights_only=True)
    attack = Attack(Path.touch, tmp_path / "owned")
    torch.save({**tensors, "extra": attack}, folder / "pytorch_model.bin")
    assert logits(folder).shape == (2, 3)
    assert not (tmp_path / "owned").exists()


def test_a_changed_file_is_converted_anew(tmp_path: Path, own: Path) -> None:
    folder = pickled(save_pair_model(tmp_path / "mine", 3, THREE))
    first = logits(folder)
    other = pickled(save_pair_model(tmp_path / "other", 3, THREE, seed=9))
    shutil.copyfile(other / "pytorch_model.bin", folder / "pytorch_model.bin")
    assert logits(folder).tolist() != first.tolist()
    assert len(list((own / "converted").iterdir())) == 1


def test_broken_weights_leave_nothing_behind(tmp_path: Path, own: Path) -> None:
    folder = pickled(save_pair_model(tmp_path / "mine", 3, THREE), shards=2)
    (folder / "pytorch_model-00002-of-00002.bin").unlink()
    with pytest.raises(FormatError, match=r"lacks pytorch_model-00002-of-00002\.bin"):
        logits(folder)
    (folder / "pytorch_model.bin.index.json").write_text("[]")
    with pytest.raises(FormatError, match="is no list of weights"):
        logits(folder)
    assert list((own / "converted").iterdir()) == []


def test_a_vocabulary_alone_makes_a_tokeniser(tmp_path: Path) -> None:
    folder = save_pair_model(tmp_path / "mine", 3, THREE)
    expected = logits(folder)
    bare_vocabulary(folder)
    assert logits(folder).tolist() == expected.tolist()
    assert not (folder / "tokenizer.json").exists()


def test_the_case_of_a_vocabulary_is_kept(tmp_path: Path) -> None:
    """BioBERT's folder has config.json, pytorch_model.bin and a cased vocab.txt, and no more."""
    folder = save_pair_model(tmp_path / "mine", 3, THREE)
    small = pickled(bare_vocabulary(shutil.copytree(folder, tmp_path / "small")))
    cased = pickled(bare_vocabulary(shutil.copytree(folder, tmp_path / "cased"), "Aspirin"))
    tokens = {
        place.name: read_tokenizer(find_encoder(str(place))).encode("Aspirin").tokens[1:-1]
        for place in (small, cased)
    }
    assert tokens == {"small": ["aspirin"], "cased": ["Aspirin"]}
    (cased / "tokenizer_config.json").write_text('{"do_lower_case": true}')
    said = read_tokenizer(find_encoder(str(cased))).encode("Aspirin").tokens[1:-1]
    assert said == ["aspirin"], "what the folder says goes first"


def test_a_byte_level_vocabulary_makes_a_tokeniser(tmp_path: Path) -> None:
    """BioMed-RoBERTa's folder has vocab.json and merges.txt."""
    engine = byte_level()
    config = transformers.RobertaConfig(
        vocab_size=engine.get_vocab_size() + 1,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=32,
    )
    folder = tmp_path / "biomed-roberta"
    transformers.RobertaModel(config).save_pretrained(folder)
    vocabulary = {**engine.get_vocab(), "<mask>": engine.get_vocab_size()}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    found = find_encoder(str(pickled(folder)))
    expected = engine.encode("a claim", "b").ids
    assert read_tokenizer(found).encode("a claim", "b").ids == expected


def old_bert(folder: Path) -> Path:
    """Save a network as in 2019: no kind in the config, gamma and beta, weights of "bert."."""
    pickled(bare_vocabulary(save_pair_model(folder, 3)))
    config = json.loads((folder / "config.json").read_text())
    for name in ("model_type", "architectures", "transformers_version"):
        config.pop(name, None)
    (folder / "config.json").write_text(json.dumps(config))
    tensors = torch.load(folder / "pytorch_model.bin", weights_only=True)
    ends = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    for name in list(tensors):
        for new, old in ends.items():
            if name.endswith(new):
                tensors[name.removesuffix(new) + old] = tensors.pop(name) + 0.5
    torch.save(tensors, folder / "pytorch_model.bin")
    return folder


def test_a_model_of_2019_is_read(tmp_path: Path) -> None:
    folder = old_bert(tmp_path / "scibert")
    found = find_encoder(str(folder))
    assert json.loads((found / "config.json").read_text())["model_type"] == "bert"
    weights = load_file(found / "model.safetensors")
    assert not [name for name in weights if name.endswith((".gamma", ".beta"))]
    model = transformers.AutoModel.from_pretrained(str(found), local_files_only=True)
    norm = model.embeddings.LayerNorm.weight
    assert torch.allclose(norm, torch.full_like(norm, 1.5))


def test_what_the_config_does_not_say_is_asked_for(tmp_path: Path) -> None:
    folder = old_bert(tmp_path / "mine")
    (folder / "vocab.txt").unlink()
    tensors = torch.load(folder / "pytorch_model.bin", weights_only=True)
    plain = {name.removeprefix("bert."): value for name, value in tensors.items()}
    torch.save(plain, folder / "pytorch_model.bin")
    with pytest.raises(ConfigurationError, match='"model_type": "bert"'):
        find_encoder(str(folder))
    (folder / "config.json").unlink()
    with pytest.raises(ConfigurationError, match=r"has weights but no config\.json"):
        find_encoder(str(folder))


def hub(tmp_path: Path, source: str, folder: Path) -> Path:
    """Put a model where the hub's own tools do."""
    repository = tmp_path / "hub" / f"models--{source.replace('/', '--')}"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("abc")
    return Path(shutil.copytree(folder, repository / "snapshots" / "abc"))


def test_a_pickled_model_in_the_hub_cache_trains_by_every_name(tmp_path: Path, own: Path) -> None:
    source = "allenai/scibert_scivocab_uncased"
    snapshot = hub(tmp_path, source, old_bert(tmp_path / "made"))
    found = {find_encoder(name) for name in ("scibert", source, str(snapshot))}
    [folder] = found
    assert folder.parent == own / "converted"
    assert folder.name.startswith("models--allenai--scibert")


def test_a_download_is_converted_where_it_is(own: Path) -> None:
    folder = old_bert(own / "scibert")
    finish_download(folder)
    names = {path.name for path in folder.iterdir()}
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= names
    assert not [name for name in names if name.startswith("pytorch_model")]
    assert find_encoder("allenai/scibert_scivocab_uncased") == folder


def test_a_missing_encoder_says_how_to_get_it(own: Path) -> None:
    with pytest.raises(MissingModelError) as caught:
        find_encoder("dmis-lab/biobert-large-cased-v1.1")
    assert "'claimscope models get biobert-large'" in str(caught.value)
    assert str(own / "biobert-large") in str(caught.value)


def test_a_base_answers_nothing(tmp_path: Path) -> None:
    hub(tmp_path, "allenai/scibert_scivocab_uncased", save_pair_model(tmp_path / "made", 3, THREE))
    assert Locator().find("scibert").checkpoint.shape is Shape.BASE
    with pytest.raises(ConfigurationError, match="scibert is a base model"):
        Models().scorer("scibert")


def test_monot5_by_its_path_needs_no_description(tmp_path: Path) -> None:
    made = pickled(save_prompt_model(tmp_path / "made"))
    expected = logits(shutil.copytree(made, tmp_path / "monot5-of-mine"))
    snapshot = hub(tmp_path, "castorini/monot5-base-msmarco", made)
    assert logits(snapshot).tolist() == expected.tolist()
    row = Locator().find(str(snapshot)).checkpoint
    assert (row.template, row.targets) == (
        "Query: {claim} Document: {evidence} Relevant:",
        ("false", "true"),
    )
    config = json.loads((made / "config.json").read_text())
    (made / "config.json").write_text(
        json.dumps({**config, "_name_or_path": "castorini/monot5-3b-msmarco"})
    )
    assert logits(made).tolist() == expected.tolist()


def written(error: pytest.ExceptionInfo[ConfigurationError]) -> str:
    """Give the description an error prints."""
    text = str(error.value)
    return text[text.index("{") :]


def test_the_description_an_error_prints_is_enough(tmp_path: Path) -> None:
    prompt = save_prompt_model(tmp_path / "t5")
    with pytest.raises(ConfigurationError, match=r"claimscope\.json in its folder") as caught:
        logits(prompt)
    (prompt / "claimscope.json").write_text(written(caught))
    assert logits(prompt).shape == (2, 2)
    for outputs in (2, 3, 4):
        pair = save_pair_model(tmp_path / f"pair{outputs}", outputs)
        with pytest.raises(ConfigurationError, match="does not say what they mean") as caught:
            logits(pair)
        (pair / "claimscope.json").write_text(written(caught))
        assert logits(pair).shape == (2, outputs)


def test_a_reranker_by_its_path_reads_the_claim_first(tmp_path: Path) -> None:
    reranker = save_pair_model(tmp_path / "reranker", 1)
    row = Locator().find(str(reranker)).checkpoint
    assert (row.shape, row.evidence_first) == (Shape.PAIR, False)
    inference = save_pair_model(tmp_path / "inference", 3, THREE)
    assert Locator().find(str(inference)).checkpoint.evidence_first
