import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.errors import ClaimError
from claimscope.models.verifier.joint import Abstract
from claimscope.models.verifier.onnx_joint import WindowEncoder
from tests.tiny_models import wordpiece

TOKENS = wordpiece()
CLS, SEP = TOKENS.token_to_id("[CLS]"), TOKENS.token_to_id("[SEP]")


def encoder(max_length: int = 512) -> WindowEncoder:
    return WindowEncoder(TOKENS, CLS, SEP, max_length)


def ids(text: str) -> list[int]:
    return list(TOKENS.encode(text, add_special_tokens=False).ids)


def test_a_short_abstract_is_one_window() -> None:
    sentences = ("aspirin lowered the risk .", "a trial")
    abstract = Abstract("aspirin lowers risk", "the trial", sentences)
    [window] = encoder().encode(abstract)
    head = [CLS, *ids("aspirin lowers risk"), SEP]
    body = [*ids("the trial"), SEP, *ids("aspirin lowered the risk ."), SEP, *ids("a trial"), SEP]
    assert list(window.ids) == head + body
    assert list(window.segments) == [0] * len(head) + [1] * len(body)
    assert window.sentences == (0, 1)
    start, end = window.spans[1]
    assert list(window.ids[start:end]) == [*ids("a trial"), SEP]


WORD = st.sampled_from(["aspirin", "risk", "the", "qx"])
SENTENCES = st.lists(st.lists(WORD, max_size=90).map(" ".join), min_size=1, max_size=12)


@given(SENTENCES, st.integers(48, 120))
def test_nothing_is_left_out_and_no_window_is_too_long(
    sentences: list[str], max_length: int
) -> None:
    abstract = Abstract("aspirin lowers risk", "the trial", tuple(sentences))
    windows = encoder(max_length).encode(abstract)
    read: dict[int, list[int]] = {index: [] for index in range(len(sentences))}
    for window in windows:
        assert len(window.ids) <= max_length
        for index, (start, end) in zip(window.sentences, window.spans, strict=True):
            assert window.ids[end - 1] == SEP
            read[index] += window.ids[start : end - 1]
    assert list(read.values()) == [ids(sentence) for sentence in sentences]


def test_a_title_gives_way_before_the_claim_does() -> None:
    [window] = encoder(60).encode(Abstract("aspirin", "risk " * 40, ("a trial",)))
    assert ids("a trial")[0] in window.ids
    assert window.ids.count(ids("risk")[0]) == 0
    with pytest.raises(ClaimError, match="too long for this model"):
        encoder(60).encode(Abstract("risk " * 40, "", ("a trial",)))
