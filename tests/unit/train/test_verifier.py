"""Both stages on a tiny encoder and a few claims: learning, resuming, export, card."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from claimscope.cli.app import app
from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.models.checkpoint import describe_folder
from claimscope.models.loader import Models
from claimscope.models.verifier.joint import Abstract
from tests.tiny_models import REASON, wordpiece
from tests.unit.train.test_abstracts import own_folder
from tests.unit.train.test_sources import write

torch = pytest.importorskip("torch", reason=REASON)
transformers = pytest.importorskip("transformers", reason=REASON)
pytest.importorskip("onnx", reason="this test exports a model: pip install '.[train]'")

from claimscope.train.snapshot import read_tensors, write_tensors  # noqa: E402
from claimscope.train.starting import new_network, start_stances_from_labels  # noqa: E402
from claimscope.train.tables import read_settings, settings_of  # noqa: E402
from claimscope.train.verifier.training import VerifierConfig, VerifierTraining  # noqa: E402

CONFIGURATION = """
name = "tiny"
encoder = "{encoder}"
max_length = 64
threads = 1
reread = 1

[pairs]
round_size = 40
tokens = 256
dropout = 0.1

[pairs.loop]
steps = 30
learning_rate = 3e-3
head_learning_rate = 3e-3
log_steps = 5

[pairs.shares]
fever = [1.0, 0.5]
scitail = [0.1, 0.5]

[joint]
weak_papers = 0
folds = 2
fold = 0
candidates = 4
dropout = 0.1

[joint.loop]
steps = 20
learning_rate = 1e-3
log_steps = 5

[joint.replay]
fever = 10

[[joint.data]]
data = "{data}"
"""


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("encoder")
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=wordpiece().get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=64,
    )
    transformers.BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    wordpiece().save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="session")
def mpnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder of MPNet's kind: other names of the separators, and no segments."""
    folder = tmp_path_factory.mktemp("mpnet")
    torch.manual_seed(5)
    config = transformers.MPNetConfig(
        vocab_size=wordpiece().get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=66,
    )
    transformers.MPNetModel(config, add_pooling_layer=False).save_pretrained(folder)
    text = wordpiece().to_str()
    for theirs, ours in (("[CLS]", "<s>"), ("[SEP]", "</s>"), ("[PAD]", "<pad>")):
        text = text.replace(theirs, ours)
    (folder / "tokenizer.json").write_text(text)
    return folder


@pytest.fixture
def configuration(encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    data = tmp_path / "data"
    records = [
        {
            "claim": f"aspirin lowers risk {number}",
            "evidence": f"the trial {'lowered' if number % 2 else 'with statins'} {number}",
            "label": "SUPPORTS" if number % 2 else "REFUTES",
        }
        for number in range(60)
    ]
    write(data / "fever/dev_pairs.jsonl", *records)
    two_way = [{**each, "label": "not_entailment"} for each in records[:10]]
    write(data / "scitail/dev.jsonl", *two_way)
    monkeypatch.setenv("CLAIMSCOPE_DATA", str(data))
    (tmp_path / "own").mkdir()
    path = tmp_path / "verifier.toml"
    own = own_folder(tmp_path / "own")
    path.write_text(CONFIGURATION.format(encoder=encoder, data=own))
    return path


def training(path: Path, folder: Path, report: Any = None) -> VerifierTraining:
    config = read_settings(path, VerifierConfig)
    return VerifierTraining(config, folder, path.read_text(), report)


def logged(path: Path, name: str) -> list[float]:
    lines = map(json.loads, path.read_text().splitlines())
    return [line[name] for line in lines if name in line]


def weights(folder: Path) -> dict[str, Any]:
    return read_tensors(folder / "joint" / "model.safetensors")[0]


def test_a_verifier_is_trained_exported_and_described(configuration: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    words = ["train", "verifier", "--config", str(configuration), "--output", str(folder)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert f"its card are in {folder}" in done.output
    losses = logged(folder / "pairs" / "log.jsonl", "label")
    assert losses[-1] < 0.8 * losses[0]
    joint = logged(folder / "joint" / "log.jsonl", "sentence")
    assert joint[-1] < joint[0]
    card = (folder / "README.md").read_text()
    assert card.startswith("---\n")
    for part in ("fever | CC BY-SA 3.0", "the user's own", "sentence-label F1", "SHA-256", "ECE"):
        assert part in card
    for form in ("fp32", "int8"):
        said = json.loads((folder / form / "claimscope.json").read_text())
        assert said["temperature"] > 0
        assert said["temperature"] != 1.0
        [found] = Models().verifier(str(folder / form)).verify([Abstract("aspirin", "", ("risk",))])
        assert 0 <= found.labels.supports <= 1
        assert (folder / form / "calibration.json").is_file()


@pytest.mark.parametrize(("stage", "at"), [("pairs", 7), ("joint", 11)])
def test_a_training_that_was_stopped_ends_as_one_that_was_not(
    configuration: Path, tmp_path: Path, stage: str, at: int
) -> None:
    def stop(name: str, step: int, _: int) -> None:
        if (name, step) == (stage, at):
            os.kill(os.getpid(), signal.SIGTERM)

    assert training(configuration, tmp_path / "whole").run()
    assert not training(configuration, tmp_path / "parts", stop).run()
    assert training(configuration, tmp_path / "parts").run()
    whole, parts = weights(tmp_path / "whole"), weights(tmp_path / "parts")
    assert all(torch.equal(value, parts[name]) for name, value in whole.items())


def test_a_stage_that_runs_can_be_told_to_end_earlier(configuration: Path, tmp_path: Path) -> None:
    def stop(name: str, step: int, _: int) -> None:
        if (name, step) == ("pairs", 4):
            os.kill(os.getpid(), signal.SIGTERM)

    assert not training(configuration, tmp_path / "out", stop).run()
    shorter = training(configuration, tmp_path / "out")
    assert shorter.config.pairs is not None
    loop = replace(shorter.config.pairs.loop, stop=6, log_steps=1)
    shorter.config = replace(shorter.config, pairs=replace(shorter.config.pairs, loop=loop))
    assert shorter.run()
    steps = logged(tmp_path / "out" / "pairs" / "log.jsonl", "step")
    assert steps[-1] == 6


def test_a_training_can_start_from_the_weights_of_another(
    configuration: Path, tmp_path: Path
) -> None:
    assert training(configuration, tmp_path / "first").run()
    start = str(tmp_path / "first" / "joint" / "model.safetensors")
    second = training(configuration, tmp_path / "second")
    # Without any learning rate the weights stay those it started from.
    still = replace(second.config.joint.loop, steps=1, learning_rate=0.0, head_learning_rate=0.0)
    joint = replace(second.config.joint, loop=still, fold=None)
    second.config = replace(second.config, start=start, pairs=None, joint=joint)
    assert second.run()
    before, after = weights(tmp_path / "first"), weights(tmp_path / "second")
    assert all(torch.equal(value, after[name]) for name, value in before.items())
    assert "Temperature" not in (tmp_path / "second" / "README.md").read_text()


def test_the_mean_of_two_trainings_is_exported(configuration: Path, tmp_path: Path) -> None:
    first = training(configuration, tmp_path / "0")
    assert first.run()
    second = training(configuration, tmp_path / "1")
    pairs = str(tmp_path / "0" / "pairs" / "model.safetensors")
    loop = replace(second.config.joint.loop, seed=99)
    joint = replace(second.config.joint, loop=loop)
    second.config = replace(second.config, start=pairs, pairs=None, joint=joint)
    assert second.run()
    paths = tuple(str(tmp_path / name / "joint" / "model.safetensors") for name in "01")
    mean = training(configuration, tmp_path / "mean")
    with pytest.raises(ConfigurationError, match="no stages of its own"):
        replace(mean.config, mean_of=paths)
    mean.config = replace(mean.config, pairs=None, mean_of=paths)
    assert mean.run()
    one, other, both = (weights(tmp_path / name) for name in ("0", "1", "mean"))
    assert not torch.equal(one["label.weight"], other["label.weight"])
    for name, value in both.items():
        assert torch.allclose(value, (one[name] + other[name]) / 2, atol=1e-6)
    assert (tmp_path / "mean" / "int8" / "model.onnx").is_file()


def test_a_second_network_for_stances_is_exported_beside_the_first(
    configuration: Path, tmp_path: Path
) -> None:
    first = training(configuration, tmp_path / "0")
    assert first.run()
    start = str(tmp_path / "0" / "joint" / "model.safetensors")
    second = training(configuration, tmp_path / "1")
    joint = replace(second.config.joint, frozen=1, decided_only=True)
    second.config = replace(second.config, start=start, pairs=None, joint=joint)
    assert second.run()
    one, other = weights(tmp_path / "0"), weights(tmp_path / "1")
    moved = {name for name, value in one.items() if not torch.equal(value, other[name])}
    assert moved
    assert not any("embeddings" in name or "layer.0." in name for name in moved)
    both = training(configuration, tmp_path / "both")
    stance = str(tmp_path / "1" / "joint" / "model.safetensors")
    both.config = replace(both.config, pairs=None, mean_of=(start,), stance=stance)
    both.config = replace(both.config, stance_shares=1)
    # Its own first layers are other ones: the first network's take their place.
    tensors = read_tensors(Path(stance))[0]
    changed = {n: v + 1 if "layer.0." in n else v for n, v in tensors.items()}
    write_tensors(changed, Path(stance), {"format": "pt"})
    assert both.run()
    abstract = Abstract("aspirin lowers risk", "", ("the trial lowered risk", "statins"))
    for form in ("fp32", "int8"):
        folder = tmp_path / "both" / form
        [found] = Models().verifier(str(folder)).verify([abstract])
        (folder / "claimscope.json").write_text(
            (folder / "claimscope.json")
            .read_text()
            .replace('"stance_weight": 1.0', '"stance_weight": 0.0')
        )
        [plain] = Models().verifier(str(folder)).verify([abstract])
        assert found.sentences == plain.sentences
        assert found.labels.supports != plain.labels.supports
    assert (tmp_path / "both" / "int8" / "shared.onnx_data").stat().st_size > 0
    assert "int8/stance.onnx" in (tmp_path / "both" / "README.md").read_text()
    (tmp_path / "both" / "fp32" / "stance.onnx").unlink()
    text = (tmp_path / "both" / "fp32" / "claimscope.json").read_text()
    (tmp_path / "both" / "fp32" / "claimscope.json").write_text(
        text.replace('"stance_weight": 0.0', '"stance_weight": 1.0')
    )
    with pytest.raises(ConfigurationError, match=r"lacks stance\.onnx"):
        Models().verifier(str(tmp_path / "both" / "fp32"))


def test_weights_that_learnt_all_claims_take_their_scaling_from_others(
    configuration: Path, tmp_path: Path
) -> None:
    assert training(configuration, tmp_path / "0").run()
    start = str(tmp_path / "0" / "joint" / "model.safetensors")
    every = training(configuration, tmp_path / "all")
    joint = replace(every.config.joint, fold=None)
    every.config = replace(every.config, pairs=None, mean_of=(start,), joint=joint)
    every.config = replace(every.config, calibration=str(tmp_path / "nowhere"))
    with pytest.raises(ConfigurationError, match=r"has no claimscope\.json to take the scaling"):
        every.run()
    every.config = replace(every.config, calibration=str(tmp_path / "0"))
    assert every.run()
    for name in ("claimscope.json", "calibration.json"):
        one, other = (tmp_path / each / "int8" / name for each in ("0", "all"))
        assert one.read_bytes() == other.read_bytes()


def test_a_verifier_can_read_after_another(configuration: Path, tmp_path: Path) -> None:
    small, other = (training(configuration, tmp_path / name) for name in ("small", "other"))
    assert small.run()
    assert other.run()
    large = training(configuration, tmp_path / "large")
    first = tmp_path / "small" / "int8"
    large.config = replace(large.config, first=str(first), reread=0, packed=True)
    assert large.run()
    folder = tmp_path / "large" / "int8"
    assert describe_folder(folder).first == str(first)
    assert (folder / "calibration.json").is_file()
    # Weights that learnt all claims take over its scaling, but not its first reader.
    every = training(configuration, tmp_path / "every")
    start = str(tmp_path / "large" / "joint" / "model.safetensors")
    every.config = replace(
        large.config,
        pairs=None,
        mean_of=(start,),
        first=str(tmp_path / "other" / "int8"),
        calibration=str(tmp_path / "large"),
        joint=replace(large.config.joint, fold=None),
    )
    assert every.run()
    taken = describe_folder(tmp_path / "every" / "int8")
    assert taken.first == every.config.first
    assert taken.bias == describe_folder(folder).bias


def test_a_verifier_that_reads_after_another_reads_once(
    configuration: Path, tmp_path: Path
) -> None:
    plain = training(configuration, tmp_path).config
    for change in ({"reread": 1}, {"reread": 0, "stance": "stances/joint/model.safetensors"}):
        with pytest.raises(ConfigurationError, match="leave out 'reread' and 'stance'"):
            replace(plain, first="claimscope-verifier", **change)


def test_a_pair_stage_can_go_on_from_the_weights_of_another(
    configuration: Path, tmp_path: Path
) -> None:
    def stop_at_abstracts(name: str, _: int, __: int) -> None:
        if name == "joint":
            os.kill(os.getpid(), signal.SIGTERM)

    assert not training(configuration, tmp_path / "first", stop_at_abstracts).run()
    learnt = tmp_path / "first" / "pairs" / "model.safetensors"
    second = training(configuration, tmp_path / "second", stop_at_abstracts)
    assert second.config.pairs is not None
    still = replace(second.config.pairs.loop, steps=1, learning_rate=0.0, head_learning_rate=0.0)
    pairs = replace(second.config.pairs, loop=still)
    second.config = replace(second.config, start=str(learnt), pairs=pairs)
    assert not second.run()
    before = read_tensors(learnt)[0]
    after = read_tensors(tmp_path / "second" / "pairs" / "model.safetensors")[0]
    assert all(torch.equal(value, after[name]) for name, value in before.items())


def test_a_folder_of_other_settings_is_refused(configuration: Path, tmp_path: Path) -> None:
    assert training(configuration, tmp_path / "out").run()
    changed = training(configuration, tmp_path / "out")
    assert changed.config.pairs is not None
    changed.config = replace(changed.config, pairs=replace(changed.config.pairs, tokens=300))
    with pytest.raises(ConfigurationError, match="other settings"):
        changed.run()


@pytest.mark.parametrize("kind", ["encoder", "mpnet"])
def test_the_exported_model_says_what_the_network_says(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    encoder: Path = request.getfixturevalue(kind)
    from claimscope.models.checkpoint import Checkpoint, Shape
    from claimscope.train.verifier.export import export_folder
    from claimscope.train.verifier.pairs import CLASSES

    plain = Checkpoint("tiny", Shape.JOINT, max_length=64, labels=CLASSES)
    from claimscope.models.encoding import Special
    from claimscope.train.starting import read_tokenizer
    from claimscope.train.verifier.layout import inputs_of, row_of_abstract

    network = new_network(encoder, dropout=0.1, train_embeddings=True, seed=2)
    torch.nn.init.normal_(network.label.weight)
    torch.nn.init.normal_(network.sentence.weight)
    tokenizer = read_tokenizer(encoder)
    folder = export_folder(network, tokenizer, tmp_path / "model", plain)
    texts = ("aspirin lowers risk", "the trial", "heart attack", "statins in adults")
    claim, title, *sentences = (tokenizer.encode(t, add_special_tokens=False).ids for t in texts)
    special = Special.of(tokenizer)
    inputs = inputs_of([row_of_abstract(claim, title, sentences, special)], special)
    with torch.inference_mode():
        label, stances = network.eval()(inputs.ids, inputs.segments, inputs.mask, inputs.pooling)
    [found] = Models().verifier(str(folder)).verify([Abstract(texts[0], texts[1], texts[2:])])
    got = [found.labels.supports, found.labels.refutes, found.labels.not_enough_info]
    assert got == pytest.approx(label[0].softmax(-1).tolist(), abs=1e-4)
    evidence = (1 - stances[0].softmax(-1)[:, 2]).tolist()
    assert [score.raw for score in found.sentences] == pytest.approx(evidence, abs=1e-4)


def test_the_stance_head_begins_as_the_label_head(encoder: Path) -> None:
    network = new_network(encoder, dropout=0.0, train_embeddings=False, seed=1)
    start_stances_from_labels(network)
    assert torch.equal(network.sentence.weight, network.label.weight)
    assert torch.allclose(network.sentence_pool.weight[:, :32], 0.3 * network.pool.weight)
    assert not network.encoder.embeddings.word_embeddings.weight.requires_grad


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("round_size", "round_sizes"), "unknown key 'round_sizes'"),
        (lambda text: text.replace("[joint.loop]\nsteps = 20", "[joint.loop]"), "lacks the key"),
        (lambda text: text.replace("[1.0, 0.5]", "0.5"), "two numbers"),
        (lambda text: text.replace("max_length = 64", 'max_length = "64"'), "a whole number"),
        (lambda text: text.replace("scitail =", "nli4ct ="), "for measuring only"),
        (lambda text: text.replace("[pairs]", "[pairs"), "not valid TOML"),
    ],
)
def test_wrong_configurations_are_refused(
    configuration: Path, change: Callable[[str], str], message: str
) -> None:
    configuration.write_text(change(configuration.read_text()))
    with pytest.raises(ConfigurationError, match=message):
        read_settings(configuration, VerifierConfig)


def test_data_for_measuring_cannot_be_learnt_from() -> None:
    table = {"loop": {"steps": 1}, "data": [{"data": "covidfact"}]}
    from claimscope.train.verifier.joint_stage import JointSettings

    with pytest.raises(ConfigurationError, match="for measuring only"):
        settings_of(table, JointSettings, "here")
    with pytest.raises(UnknownNameError):
        settings_of({**table, "data": [{"data": "nowhere"}]}, JointSettings, "here")


def _configurations() -> Path:
    return Path(str(files("claimscope.train"))) / "configs"


def test_the_own_configuration_can_be_read() -> None:
    folder = _configurations()
    first = read_settings(folder / "verifier.toml", VerifierConfig)
    second = read_settings(folder / "verifier-second.toml", VerifierConfig)
    assert first.pairs is not None
    assert first.pairs.loop.last < first.pairs.loop.steps
    third = read_settings(folder / "verifier-third.toml", VerifierConfig)
    assert second.start == "verifier/joint/model.safetensors"
    assert third.start == "verifier/pairs/model.safetensors"
    assert third.pairs is not None
    assert first.described.reread == second.described.reread == third.described.reread == 1


def test_each_of_the_own_configurations_goes_on_from_another() -> None:
    folder = _configurations()
    paths = {path.stem: path for path in folder.glob("verifier*.toml")}
    for path in paths.values():
        config = read_settings(path, VerifierConfig)
        named = (config.start, config.stance, config.calibration, *config.mean_of)
        for start in filter(None, named):
            assert Path(start).parts[0] in paths
    assert len(read_settings(paths["verifier-second-mean"], VerifierConfig).mean_of) == 4
    shipped = read_settings(paths["verifier-shipped"], VerifierConfig)
    assert (shipped.described.reread, shipped.described.reread_sentence_weight) == (6, 0.7)
    # What learnt all claims is scaled by what held some out, and is otherwise built like it.
    held_out = read_settings(paths["verifier-held-out"], VerifierConfig)
    assert shipped.calibration == "verifier-held-out"
    assert shipped.joint.fold is None
    assert held_out.joint.fold == 0
    assert shipped.described == replace(held_out.described, name=shipped.name)
    accurate, before = (
        read_settings(paths[name], VerifierConfig)
        for name in ("verifier-accurate", "verifier-accurate-held-out")
    )
    assert before.first == "verifier-held-out/int8"
    assert accurate.described == replace(before.described, first="claimscope-verifier")
