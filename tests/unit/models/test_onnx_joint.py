"""The shipped form of the verifier: exported from a tiny real network and run without PyTorch."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from claimscope.checker import Checker
from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.library.local import LocalLibrary
from claimscope.models.checkpoint import Checkpoint, Shape, write_description, write_table
from claimscope.models.loader import Models
from claimscope.models.verifier.joint import Abstract, Verified
from claimscope.models.verifier.settings import VerifierSettings, read_verifier, write_verifier
from claimscope.stages.judge.joint import JointJudge
from claimscope.stages.retrieve.library_bm25 import LibraryBM25
from claimscope.types import Case, Claim
from tests.tiny_models import REASON, wordpiece

torch = pytest.importorskip("torch", reason=REASON)
transformers = pytest.importorskip("transformers", reason=REASON)
pytest.importorskip("onnx", reason="this test exports a model: pip install '.[train]'")

LABELS = ("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO")
ABSTRACTS = [
    Abstract("aspirin lowers risk", "the trial", ("aspirin lowered the risk", "a trial", "x y z")),
    Abstract("statins", "", ("the cholesterol of adults",)),
    Abstract("heart attack", "aspirin", tuple(f"risk {number} of heart" for number in range(40))),
]


def network() -> Any:
    from claimscope.train.verifier.network import VerifierNetwork

    torch.manual_seed(3)
    config = transformers.BertConfig(
        vocab_size=wordpiece().get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=96,
    )
    made = VerifierNetwork(transformers.BertModel(config, add_pooling_layer=False)).eval()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from claimscope.train.verifier.export import export_onnx

    made = tmp_path_factory.mktemp("verifier")
    export_onnx(network(), made / "model.onnx")
    wordpiece().save(str(made / "tokenizer.json"))
    write_description(Checkpoint("tiny", Shape.JOINT, max_length=96, labels=LABELS), made)
    write_verifier(VerifierSettings(temperature=2.0), made)
    return made


def verify(folder: Path, abstracts: list[Abstract]) -> list[Verified]:
    return Models().verifier(str(folder)).verify(abstracts)


def test_the_export_says_what_the_network_says(folder: Path) -> None:
    [found] = verify(folder, ABSTRACTS[:1])
    tokenizer, pieces = wordpiece(), [2]
    pieces += [*tokenizer.encode("aspirin lowers risk", add_special_tokens=False).ids, 3]
    head = len(pieces)
    pieces += [*tokenizer.encode("the trial", add_special_tokens=False).ids, 3]
    pooling = torch.zeros(1, 3, 200)
    for number, sentence in enumerate(ABSTRACTS[0].sentences):
        start = len(pieces)
        pieces += [*tokenizer.encode(sentence, add_special_tokens=False).ids, 3]
        pooling[0, number, start : len(pieces)] = 1 / (len(pieces) - start)
    ids = torch.tensor([pieces])
    segments = torch.tensor([[0] * head + [1] * (len(pieces) - head)])
    with torch.inference_mode():
        label, sentence_rows = network()(
            ids, segments, torch.ones_like(ids), pooling[:, :, : len(pieces)]
        )
    wanted = (label[0] / 2.0).softmax(-1).tolist()
    got = [found.labels.supports, found.labels.refutes, found.labels.not_enough_info]
    assert got == pytest.approx(wanted, abs=1e-4)
    evidence = (1 - sentence_rows[0].softmax(-1)[:, 2]).tolist()
    assert [score.raw for score in found.sentences] == pytest.approx(evidence, abs=1e-4)


def test_what_is_read_beside_an_abstract_changes_nothing(folder: Path) -> None:
    together = verify(folder, ABSTRACTS)
    assert together == [verify(folder, [abstract])[0] for abstract in ABSTRACTS]
    assert [len(each.sentences) for each in together] == [3, 1, 40]
    assert all(np.isfinite(score.raw) for each in together for score in each.sentences)


def test_it_judges_as_a_stage(folder: Path, library: LocalLibrary) -> None:
    pipeline = LibraryBM25(library, k=3) >> JointJudge(str(folder), threshold=0.0)
    [case] = pipeline.run([Claim("Aspirin lowers the risk of heart attack")])
    for candidate in case.candidates:
        assert candidate.labels is not None
        total = candidate.labels.supports + candidate.labels.refutes
        assert total + candidate.labels.not_enough_info == pytest.approx(1.0)
        assert len(candidate.rationale) == len(candidate.document.spans)


def test_a_bias_moves_the_labels(folder: Path, tmp_path: Path) -> None:
    [plain] = verify(folder, ABSTRACTS[:1])
    shutil.copytree(folder, tmp_path / "moved")
    write_verifier(VerifierSettings(temperature=2.0, bias=(1.0, 0.0, 0.0)), tmp_path / "moved")
    [moved] = verify(tmp_path / "moved", ABSTRACTS[:1])
    odds = plain.labels.supports / plain.labels.refutes
    assert moved.labels.supports / moved.labels.refutes == pytest.approx(odds * np.e, rel=1e-4)


def test_an_abstract_is_evidence_from_a_threshold_on(folder: Path, library: LocalLibrary) -> None:
    def judged(evidence: float) -> list[str]:
        stage = JointJudge(str(folder), threshold=0.0, evidence=evidence, most=2)
        [case] = (LibraryBM25(library, k=3) >> stage).run([Claim("Aspirin lowers the risk")])
        assert all(len(candidate.rationale) <= 2 for candidate in case.candidates)
        return [each.labels.label.value for each in case.candidates if each.labels]

    assert "NOT_ENOUGH_INFO" not in judged(0.0)[:2]  # The third document has no abstract.
    assert set(judged(1.0)) == {"NOT_ENOUGH_INFO"}


def test_a_stage_may_have_fewer_or_more_sentences_read_again(
    folder: Path, library: LocalLibrary, tmp_path: Path
) -> None:
    described = replace(read_verifier(folder), reread_least=0.0, reread_sentence_weight=1.0)
    made: dict[int, Path] = {}
    for count in (1, 3):
        made[count] = tmp_path / str(count)
        shutil.copytree(folder, made[count])
        write_verifier(replace(described, reread=count), made[count])
    found = LibraryBM25(library, k=3).run([Case(Claim("Aspirin lowers the risk"))])
    one, three = (JointJudge(str(made[count]), 0.0).run(found) for count in (1, 3))
    changed = JointJudge(str(made[1]), 0.0, reread=3).run(found)
    assert changed == three
    assert changed != one
    with pytest.raises(ConfigurationError, match="'reread' of stage"):
        JointJudge(str(folder), reread=-1)


def preset_of(folder: Path) -> str:
    path = folder / "own.toml"
    path.write_text(
        '[[stages]]\nkind = "retrieve"\nname = "bm25"\nk = 3\n'
        f'[[stages]]\nkind = "judge"\nname = "joint"\nmodel = "{folder}"\nevidence = 0.0\n'
        '[[stages]]\nkind = "decide"\nname = "any-evidence"\nthreshold = 0.0\n',
        encoding="utf-8",
    )
    return str(path)


def test_tolerated_errors_set_the_threshold_and_abstain(
    folder: Path, library: LocalLibrary, tmp_path: Path
) -> None:
    sure = tmp_path / "sure"
    shutil.copytree(folder, sure)
    risk = ((0.9999, 0.02), (0.9, 0.08), (0.1, 0.3))
    write_verifier(VerifierSettings(risk=risk), sure)
    preset = preset_of(sure)
    free = Checker(library, preset).check("Aspirin lowers the risk")
    assert free.verdict is not None
    assert free.verdict.label is not Label.NOT_ENOUGH_INFO
    strict = Checker(library, preset, max_error=0.05).check("Aspirin lowers the risk")
    assert strict.verdict is not None
    assert strict.verdict.label is Label.NOT_ENOUGH_INFO
    assert any("Abstained" in notice and "1.00" in notice for notice in strict.notices)
    with pytest.raises(ConfigurationError, match="allow a larger share of errors, 2% or more"):
        Checker(library, preset, max_error=0.01)
    with pytest.raises(ConfigurationError, match="between 0 and 1"):
        Checker(library, preset, max_error=10)
    with pytest.raises(ConfigurationError, match="calibrated"):
        Checker(library, "lexical-baseline", max_error=0.1)


def reading_after(folder: Path, first: Path | str, **changes: float) -> Path:
    """Copy a verifier to one that reads what another has read."""
    after = folder.parent / f"after-{folder.name}"
    shutil.copytree(folder, after, dirs_exist_ok=True)
    about = replace(read_verifier(after), first=str(first), reread_least=0.0)
    write_verifier(replace(about, **changes), after)
    return after


def test_both_verifiers_may_read_whole_abstracts(folder: Path, tmp_path: Path) -> None:
    small = tmp_path / "small"
    shutil.copytree(folder, small)
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    # The first reader is the same network, but says what its best sentence says alone.
    again = replace(read_verifier(other), reread=1, reread_weight=1.0, reread_least=0.0)
    write_verifier(again, other)
    [alone] = verify(small, ABSTRACTS[:1])
    [before] = verify(other, ABSTRACTS[:1])
    assert before.labels.supports != pytest.approx(alone.labels.supports, rel=1e-3)
    for weight, wanted in ((0.0, before), (1.0, alone)):
        after = reading_after(small, other, beside=weight)
        [both] = verify(after, ABSTRACTS[:1])
        assert both.labels.supports == pytest.approx(wanted.labels.supports, rel=1e-4)


def test_a_second_reader_reads_its_best_sentences_again_too(folder: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for each in (first, second):
        shutil.copytree(folder, each)
    rereading = replace(read_verifier(second), reread=1, reread_weight=1.0, reread_least=0.0)
    write_verifier(rereading, second)
    [alone] = verify(second, ABSTRACTS[:1])
    after = reading_after(second, first, beside=1.0, beside_sentences=1.0)
    [both] = verify(after, ABSTRACTS[:1])
    assert both.labels.supports == pytest.approx(alone.labels.supports, rel=1e-4)
    [once] = verify(first, ABSTRACTS[:1])
    assert both.labels.supports != pytest.approx(once.labels.supports, rel=1e-3)


@pytest.mark.parametrize("lost", ["half of it", "all of it"])
def test_weights_that_are_not_whole_are_refused_in_a_sentence(
    folder: Path, tmp_path: Path, lost: str
) -> None:
    from claimscope.train.quantize import SHARED, split_weights

    small = tmp_path / "small"
    shutil.copytree(folder, small)
    split_weights(small / "model.onnx", 1000)
    assert verify(small, ABSTRACTS[:1]) == verify(folder, ABSTRACTS[:1])
    if lost == "all of it":
        (small / SHARED).unlink()
    else:
        path = small / "model.onnx"
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(ConfigurationError, match=r"cannot be opened.*copy the whole folder"):
        Models().verifier(str(small))


def test_a_first_reader_must_read_by_itself(folder: Path, tmp_path: Path) -> None:
    small = tmp_path / "small"
    shutil.copytree(folder, small)
    after = reading_after(small, tmp_path / "after-small")
    with pytest.raises(ConfigurationError, match="leaves them to another itself"):
        Models().verifier(str(after))


def test_a_checksum_covers_the_first_reader(folder: Path, tmp_path: Path) -> None:
    small = tmp_path / "small"
    shutil.copytree(folder, small)
    after = reading_after(small, small)
    before = Models().sha256(str(after))
    with (small / "model.onnx").open("ab") as file:
        file.write(b"x")
    assert Models().sha256(str(after)) not in (before, None)


def test_what_was_fitted_comes_from_the_folder_unless_the_stage_says_otherwise(
    folder: Path, tmp_path: Path
) -> None:
    fitted = tmp_path / "fitted"
    shutil.copytree(folder, fitted)
    write_verifier(VerifierSettings(evidence=0.3, threshold=0.2, most=4, relevance=2.0), fitted)
    stage = JointJudge(str(fitted), threshold=0.9)
    assert (stage.evidence, stage.threshold, stage.most, stage.relevance) == (0.3, 0.9, 4, 2.0)
    assert JointJudge("multivers-scifact").threshold == 0.5, "a model that is not here says nothing"


def test_an_unknown_setting_of_a_verifier_is_refused(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    write_table({"verifier": {"temprature": 2.0}}, other)
    with pytest.raises(ConfigurationError, match="unknown verifier setting 'temprature'"):
        Models().verifier(str(other))
