"""Networks from scratch: shapes, padding, heads; a vocabulary; the loss of bi-encoders."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from tests.tiny_models import REASON

torch = pytest.importorskip("torch", reason=REASON)

from claimscope.errors import ConfigurationError  # noqa: E402
from claimscope.models.checkpoint import Checkpoint, Shape  # noqa: E402
from claimscope.models.encoding import Encoded, PairEncoder, prepare  # noqa: E402
from claimscope.models.scorer import Pair  # noqa: E402
from claimscope.train.optimiser import LoopSettings, constant, cosine, cosine_of_epoch  # noqa: E402
from claimscope.train.stages.dense import TEMPERATURE, in_batch_loss  # noqa: E402
from claimscope.train.stages.examples import Example  # noqa: E402
from claimscope.train.stages.learners import LOSSES, PairLearner, Row  # noqa: E402
from claimscope.train.stages.scratch import (  # noqa: E402
    CELLS,
    BlockEncoder,
    PooledClassifier,
    RecurrentEncoder,
    Scratch,
    word_tokenizer,
)


@pytest.mark.parametrize("heads", [1, 2, 4, 6])
def test_the_cross_encoder_takes_any_number_of_heads(heads: int) -> None:
    size = Scratch(width=32, heads=heads, dropout=0.0)
    network = PooledClassifier(BlockEncoder(50, 16, size), 32, 1).eval()
    ids = torch.tensor([[1, 2, 3, 0, 0], [4, 5, 6, 7, 8]])
    mask = (ids != 0).long()
    together = network(ids, mask)
    assert together.shape == (2, 1)
    alone = network(ids[:1, :3], mask[:1, :3])
    assert torch.allclose(together[0], alone[0], atol=1e-6), "padding is not seen"


def test_the_papers_network_has_its_size() -> None:
    size = Scratch()
    network = BlockEncoder(10, 8, size)
    assert (size.width, size.heads, len(network.blocks)) == (1024, 4, 2)
    assert network.blocks[0].attention.size == 256
    with pytest.raises(ConfigurationError, match="heads"):
        Scratch(heads=0)


@pytest.mark.parametrize("cell", CELLS)
def test_recurrent_encoders_do_not_see_padding(cell: str) -> None:
    network = RecurrentEncoder(cell, 50, Scratch(width=12, dropout=0.0)).eval()
    ids = torch.tensor([[1, 2, 3, 0, 0]])
    assert torch.allclose(network(ids, ids != 0), network(ids[:, :3], ids[:, :3] != 0), atol=1e-6)


def test_a_vocabulary_is_the_commonest_words() -> None:
    tokenizer = word_tokenizer(["The risk, the heart.", "the risk: co-founder"], 7)
    assert tokenizer.get_vocab_size() == 7
    assert tokenizer.encode("the risk").tokens == ["[CLS]", "the", "risk", "<SEP>"]
    read = tokenizer.encode("The unheard!", "risk").tokens
    assert read == ["[CLS]", "the", "[UNK]", "<SEP>", "risk", "<SEP>"]
    assert tokenizer.token_to_id("[PAD]") == 0
    known = tokenizer.token_to_id("cofounder")
    assert known == 6, "of equally common words the first of the alphabet"


def test_passages_are_parted_alike_in_training_and_when_the_model_runs(tmp_path: Path) -> None:
    tokenizer = word_tokenizer(["aspirin lowers the risk", "statins [sep] the heart"], 20)
    checkpoint = Checkpoint("m", Shape.PAIR, evidence_first=False, max_length=12)
    network = PooledClassifier(BlockEncoder(20, 12, Scratch(16, 1, 2)), 16, 1)
    learner = PairLearner(network, checkpoint, "cpu", tokenizer, loss="binary")
    texts = ["the risk <SEP> the heart", "the [SEP] heart", "risk " * 30]
    trained = [
        row.texts[0].ids
        for row in learner.rows([Example("1", "Aspirin, [CLS]", text, True) for text in texts])
    ]
    learner.save(tmp_path)
    saved = prepare(Tokenizer.from_file(str(tmp_path / "tokenizer.json")))
    runs = PairEncoder(saved, 12, evidence_first=False)
    assert trained == [
        each.ids for each in runs.encode([Pair("Aspirin, [CLS]", text) for text in texts])
    ]
    separator = saved.token_to_id("<SEP>")
    assert [ids.count(separator) for ids in trained] == [3, 2, 2]


def test_a_cosine_of_epochs_is_that_of_transformers() -> None:
    transformers = pytest.importorskip("transformers", reason=REASON)
    optimiser = torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    theirs = transformers.get_cosine_schedule_with_warmup(optimiser, 5, 40)
    for number in range(40):
        assert cosine_of_epoch(number, 5, 40) == pytest.approx(optimiser.param_groups[0]["lr"])
        optimiser.step()
        theirs.step()


def test_heads_may_have_the_whole_width() -> None:
    block = BlockEncoder(10, 8, Scratch(width=32, heads=4, head_width=32)).blocks[0]
    assert block.attention.output.in_features == 4 * 32


def row(claim: str, relevant: bool) -> Row:
    return Row((Encoded((1,), (0,)),) * 2, float(relevant), claim)


def test_the_loss_of_a_bi_encoder_by_hand() -> None:
    claims = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    texts = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    rows = [row("a", True), row("b", False), row("a", True)]
    loss = in_batch_loss(claims, texts, rows)
    sharp = 1 / TEMPERATURE
    first = -math.log(math.exp(0) / (math.exp(0) + math.exp(0)))  # beside the negative only
    third = -math.log(math.exp(-sharp) / (math.exp(-sharp) + 1))
    assert loss.item() == pytest.approx((first + third) / 2, rel=1e-5)
    assert in_batch_loss(claims, texts, [row("a", False)] * 3).item() == 0.0


def test_the_losses_of_one_output() -> None:
    logits, targets = torch.tensor([[0.0], [2.0]]), torch.tensor([1.0, 0.5])
    half, high = 0.5, 1 / (1 + math.exp(-2))
    assert LOSSES["absolute"](logits, targets).item() == pytest.approx((half + high - 0.5) / 2)
    binary = (-math.log(half) - 0.5 * math.log(high) - 0.5 * math.log(1 - high)) / 2
    assert LOSSES["binary"](logits, targets).item() == pytest.approx(binary, rel=1e-5)


def test_schedules_rise_and_fall() -> None:
    settings = LoopSettings(steps=100, warm_up=0.1, floor=0.0)
    assert cosine(0, settings) == pytest.approx(0.1)
    assert cosine(10, settings) == pytest.approx(1.0)
    assert cosine(55, settings) == pytest.approx(0.5)
    assert cosine(99, settings) < 0.01
    assert [constant(step, settings) for step in (0, 9, 99)] == pytest.approx([0.1, 1.0, 1.0])
