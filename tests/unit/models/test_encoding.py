import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.errors import ClaimError, ConfigurationError
from claimscope.models.encoding import PairEncoder, PromptEncoder, prepare
from claimscope.models.scorer import Pair
from claimscope.models.systems import HYPOTHESIS, MONOT5
from tests.tiny_models import unigram, wordpiece

PAIRS = prepare(wordpiece())
PROMPTS = prepare(unigram())
LONG = "the risk of heart attack " * 20


def words(ids: tuple[int, ...]) -> str:
    return PAIRS.decode(list(ids), skip_special_tokens=False)


def test_a_pair_keeps_the_order_its_model_was_trained_with() -> None:
    pair = [Pair("aspirin", "the trial")]
    [first] = PairEncoder(PAIRS, 512, evidence_first=True).encode(pair)
    [second] = PairEncoder(PAIRS, 512, evidence_first=False).encode(pair)
    assert words(first.ids) == "[CLS] the trial [SEP] aspirin [SEP]"
    assert words(second.ids) == "[CLS] aspirin [SEP] the trial [SEP]"
    assert first.types == (0, 0, 0, 0, 1, 1)


@pytest.mark.parametrize("evidence_first", [True, False])
def test_only_the_end_of_the_evidence_is_cut(evidence_first: bool) -> None:
    encoder = PairEncoder(PAIRS, 12, evidence_first)
    [encoded] = encoder.encode([Pair("aspirin lowers cholesterol", LONG)])
    assert len(encoded.ids) == 12
    assert "aspirin lowers cholesterol [SEP]" in words(encoded.ids)
    assert "the risk of heart attack" in words(encoded.ids)


def test_a_claim_that_leaves_no_room_is_refused() -> None:
    with pytest.raises(ClaimError, match="too long for this model, which reads at most 12 tokens"):
        PairEncoder(PAIRS, 12, True).encode([Pair(LONG, "the trial")])
    with pytest.raises(ClaimError, match="at most 12 tokens"):
        PromptEncoder(PROMPTS, 12, MONOT5).encode([Pair(LONG, "the trial")])


def test_a_typed_separator_is_plain_text() -> None:
    [encoded] = PairEncoder(PAIRS, 512, True).encode([Pair("aspirin", "the [SEP] trial")])
    assert encoded.ids.count(3) == 2


def test_the_templates_byte_for_byte() -> None:
    monot5 = PromptEncoder(PROMPTS, 512, MONOT5)
    assert monot5.prompt(Pair("C.", "D.")) == "Query: C. Document: D. Relevant:"
    label = PromptEncoder(PROMPTS, 512, HYPOTHESIS)
    evidence = "sentence1: A. sentence2: B."
    assert label.prompt(Pair("C.", evidence)) == "hypothesis: C. sentence1: A. sentence2: B."


def test_braces_in_texts_stay_as_they_are() -> None:
    encoder = PromptEncoder(PROMPTS, 512, MONOT5)
    pair = Pair("{evidence} {0}", "{claim} {")
    assert encoder.prompt(pair) == "Query: {evidence} {0} Document: {claim} { Relevant:"


def test_a_template_needs_both_places() -> None:
    with pytest.raises(ConfigurationError, match=r"needs \{claim\} and \{evidence\}"):
        PromptEncoder(PROMPTS, 512, "Query: {claim}")


TEXT = st.lists(st.sampled_from(["the", "risk", "x.y", "heart", "ß", "}", "  "]), max_size=60)


@given(claim=TEXT.map(" ".join), evidence=TEXT.map(" ".join), room=st.integers(40, 90))
def test_claim_and_cue_survive_whatever_is_cut(claim: str, evidence: str, room: int) -> None:
    encoder = PromptEncoder(PROMPTS, room, MONOT5)
    before = PROMPTS.encode(f"Query: {claim} Document:", add_special_tokens=False).ids
    cue = PROMPTS.encode(" Relevant:").ids
    try:
        [encoded] = encoder.encode([Pair(claim, evidence)])
    except ClaimError:
        assert len(before) + len(cue) >= room - 1
        return
    ids = list(encoded.ids)
    assert len(ids) <= room
    assert ids[: len(before)] == before
    assert ids[-len(cue) :] == cue
    whole = PROMPTS.encode(encoder.prompt(Pair(claim, evidence))).ids
    if len(whole) <= room:
        assert ids == whole
    else:
        # A word of the evidence is cut whole, and spaces at its end vanish with it.
        spaces = max(map(len, re.findall(" +", evidence)), default=0)
        assert len(ids) >= room - 8 - spaces, "little more is cut than has to be"
