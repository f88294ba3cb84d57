"""A teacher of another kind of encoder: its words, its judgements, and what is learnt from them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordPiece

from claimscope.errors import ConfigurationError
from tests.tiny_models import REASON, unigram, wordpiece

torch = pytest.importorskip("torch", reason=REASON)
pytest.importorskip("onnx", reason="this test exports a model: pip install '.[train]'")

from claimscope.train.feed import Round, Turn  # noqa: E402
from claimscope.train.snapshot import write_tensors  # noqa: E402
from claimscope.train.starting import new_network  # noqa: E402
from claimscope.train.tables import read_settings  # noqa: E402
from claimscope.train.verifier.items import Item, Taught  # noqa: E402
from claimscope.train.verifier.losses import JointWeights, taught_losses  # noqa: E402
from claimscope.train.verifier.teacher import (  # noqa: E402
    TaughtFeed,
    Teacher,
    TeacherSettings,
    translation,
)
from claimscope.train.verifier.training import VerifierConfig, VerifierTraining  # noqa: E402
from tests.unit.train.test_verifier import configuration, encoder, logged, mpnet  # noqa: E402, F401


@pytest.fixture
def settings(mpnet: Path, tmp_path: Path) -> TeacherSettings:  # noqa: F811
    """A teacher with heads by chance, as sure of itself as a trained one."""
    network = new_network(mpnet, dropout=0.0, train_embeddings=False, seed=3)
    for head in (network.label, network.sentence):
        torch.nn.init.normal_(head.weight, std=2.0)
    path = tmp_path / "teacher.safetensors"
    write_tensors(network.state_dict(), path, {"format": "pt"})
    return TeacherSettings(str(mpnet), str(path), share=1.0, temperature=1.0, rounds=2)


def test_words_keep_their_meaning_under_the_teachers_numbers() -> None:
    student = wordpiece()
    names = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>"}
    words = [names.get(word, word) for word in reversed(student.get_vocab())]
    teacher = Tokenizer(WordPiece({word: number for number, word in enumerate(words)}))
    numbers = translation(student, teacher, "tiny")
    tokens = student.encode("aspirin lowers risk", add_special_tokens=False)
    assert [numbers[number] for number in tokens.ids] != tokens.ids
    assert [teacher.id_to_token(numbers[number]) for number in tokens.ids] == tokens.tokens


def test_a_teacher_of_another_vocabulary_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"'t5' lacks .* one vocabulary"):
        translation(wordpiece(), renamed(unigram()), "t5")


def renamed(tokenizer: Tokenizer) -> Tokenizer:
    tokenizer.add_special_tokens(["<s>"])
    return tokenizer


def item(number: int, sentences: int) -> Item:
    return Item((5, 6 + number), (7,), ((8, 9),) * sentences, 0, (0,) * sentences)


def drawn(turn: Turn) -> Round[list[Item]]:
    """Rounds that depend on all a turn may say."""
    generator = random.Random(f"{turn.number} {turn.progress} {turn.drawn}")
    batches = [[item(generator.randrange(9), generator.randint(1, 3))] for _ in range(4)]
    return Round(batches, {"claims": turn.drawn.get("claims", 0) + 4})


def test_rounds_are_judged_once_and_come_again(tmp_path: Path) -> None:
    asked: list[Item] = []

    def judge(items: list[Item]) -> list[Taught]:
        asked.extend(items)
        return [
            ((float(i.claim[1]), 0.0, 0.0), *((0.5, 0.0, 0.0),) * len(i.sentences)) for i in items
        ]

    settings = TeacherSettings("tiny", "tiny.safetensors", rounds=2)
    feed = TaughtFeed(drawn, judge, settings, tmp_path)
    first = feed(Turn(0, 0.0, {}))
    second = feed(Turn(1, 0.1, first.drawn))
    third = feed(Turn(2, 0.2, second.drawn))
    assert len(asked) == 8
    assert sorted(map(str, third.batches)) == sorted(map(str, first.batches))
    assert third.batches != first.batches
    assert sorted(map(str, second.batches)) != sorted(map(str, first.batches))
    for [each] in (*first.batches, *second.batches):
        assert each.taught is not None
        assert each.taught[0][0] == each.claim[1]
        assert len(each.taught) == 1 + len(each.sentences)
    again = TaughtFeed(drawn, judge, settings, tmp_path)(Turn(2, 0.2, second.drawn))
    assert again == third
    assert len(asked) == 8
    with pytest.raises(ConfigurationError, match="judged with other settings"):
        TaughtFeed(drawn, judge, settings, tmp_path, "another teacher")(Turn(2, 0.2, second.drawn))


def test_long_items_are_left_to_their_labels(tmp_path: Path) -> None:
    batches = [[item(0, 1), item(1, 3), item(2, 2)], [item(3, 3)]]

    def judge(items: Sequence[Item]) -> list[Taught]:
        return [((float(i.claim[1]), 0.0, 0.0),) * (1 + len(i.sentences)) for i in items]

    settings = TeacherSettings("tiny", "tiny.safetensors", rounds=1, sentences=2)
    found = TaughtFeed(lambda _: Round(batches), judge, settings, tmp_path)(Turn())
    taught = {each.claim[1] - 6: each.taught for batch in found.batches for each in batch}
    assert taught[1] is None
    assert taught[3] is None
    assert taught[0] == ((6.0, 0.0, 0.0),) * 2
    assert taught[2] == ((8.0, 0.0, 0.0),) * 3


def test_an_item_that_was_not_judged_has_no_part_in_the_loss() -> None:
    taught = torch.randn(2, 2, 3)
    known = torch.tensor([[True, True], [False, False]])
    labels, sentences = torch.randn(2, 3), torch.randn(2, 1, 3)
    before = taught_losses(labels, sentences, taught, known, 2.0, JointWeights())
    alone = taught_losses(labels[:1], sentences[:1], taught[:1], known[:1], 2.0, JointWeights())
    for name, value in before.items():
        assert value.item() == pytest.approx(alone[name].item(), abs=1e-6)


def test_agreeing_with_the_teacher_costs_nothing_and_padding_never_does() -> None:
    taught = torch.randn(2, 3, 3)
    known = torch.tensor([[True, True, True], [True, True, False]])
    labels, sentences = taught[:, 0].clone(), taught[:, 1:].clone()
    sentences[1, 1] += torch.tensor([5.0, 0.0, -5.0])
    parts = taught_losses(labels, sentences, taught, known, 2.0, JointWeights())
    assert sum(part.item() for part in parts.values()) == pytest.approx(0, abs=1e-6)
    sentences[0, 0] += torch.tensor([5.0, 0.0, -5.0])
    assert (
        taught_losses(labels, sentences, taught, known, 2.0, JointWeights())[
            "taught_sentence"
        ].item()
        > 0.1
    )


@pytest.mark.parametrize(("sentences", "left"), [(0, 0.5), (1, 0.75)])
def test_a_student_comes_to_say_what_its_teacher_says(
    configuration: Path,  # noqa: F811
    settings: TeacherSettings,
    tmp_path: Path,
    sentences: int,
    left: float,
) -> None:
    config = read_settings(configuration, VerifierConfig)
    loop = replace(config.joint.loop, steps=60, head_learning_rate=3e-3, learning_rate=3e-3)
    teacher = replace(settings, sentences=sentences)
    joint = replace(config.joint, teacher=teacher, loop=loop, dropout=0.0)
    folder = tmp_path / "out"
    training = VerifierTraining(replace(config, joint=joint, pairs=None), folder, "")
    assert training.run()
    losses = logged(folder / "joint" / "log.jsonl", "taught_label")
    assert losses[-1] < left * losses[0]
    assert sorted(path.name for path in (folder / "joint" / "taught").iterdir()) == [
        "round-0.safetensors",
        "round-1.safetensors",
    ]


def test_what_a_teacher_says_of_an_item_does_not_hang_on_the_others(
    settings: TeacherSettings,
) -> None:
    student = wordpiece()
    teacher = Teacher(settings, student, bfloat16=False)
    ids = {
        word: tuple(student.encode(word, add_special_tokens=False).ids)
        for word in ("aspirin", "risk")
    }
    one = Item(ids["aspirin"], ids["risk"], (ids["risk"],), 0, (0,))
    two = replace(one, sentences=(ids["risk"], ids["aspirin"]))
    alone = teacher([one])
    beside = teacher([one, two])
    assert len(beside[0]) == 2
    assert len(beside[1]) == 3
    assert torch.allclose(torch.tensor(alone[0]), torch.tensor(beside[0]), atol=1e-5)
    assert alone[0][0] != pytest.approx(beside[1][0])


@pytest.mark.parametrize("wrong", [{"share": 0.0}, {"temperature": 0.0}, {"rounds": 0}])
def test_a_teacher_without_a_word_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigurationError, match="A teacher needs"):
        TeacherSettings("encoder", "weights", **wrong)  # type: ignore[arg-type]


def test_a_teacher_of_fewer_than_no_sentences_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="must be 0 or more, not -1"):
        TeacherSettings("encoder", "weights", sentences=-1)
