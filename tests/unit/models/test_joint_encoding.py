import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.errors import ClaimError
from claimscope.models.encoding import prepare
from claimscope.models.verifier.joint import Abstract
from claimscope.models.verifier.multivers import SeparatedEncoder, cut_longest
from tests.tiny_models import byte_level

START, SEPARATOR = 0, 2


def encoder(max_length: int = 4096) -> SeparatedEncoder:
    return SeparatedEncoder(prepare(byte_level()), START, SEPARATOR, max_length)


def test_it_is_the_sequence_the_published_code_reads() -> None:
    encoded = encoder().encode(Abstract("A claim.", "A title", ("One.", "Two, too.")))
    joined = "A claim.</s>A title</s>One.</s>Two, too."
    assert list(encoded.ids) == byte_level().encode(joined).ids
    assert [encoded.ids[end] for end in encoded.ends] == [SEPARATOR, SEPARATOR]
    assert encoded.ends[-1] == len(encoded.ids) - 1


def test_start_claim_and_separators_are_seen_from_everywhere() -> None:
    encoded = encoder().encode(Abstract("ab", "t", ("xyz",)))
    #                        <s> a  b </s> t </s> x  y  z </s>
    assert encoded.attended == (1, 1, 1, 1, 0, 1, 0, 0, 0, 1)


def test_without_a_title_there_is_no_place_for_one() -> None:
    encoded = encoder().encode(Abstract("ab", "", ("xyz",)))
    assert list(encoded.ids) == byte_level().encode("ab</s>xyz").ids


def test_a_typed_separator_makes_no_sentence() -> None:
    encoded = encoder().encode(Abstract("a </s> b", "t</s>", ("x </s> y",)))
    assert encoded.ids.count(SEPARATOR) == 3


def test_every_sentence_keeps_its_separator_when_all_is_too_long() -> None:
    encoded = encoder(30).encode(Abstract("claim", "title", ("x" * 50, "yy", "z" * 40)))
    assert len(encoded.ids) <= 30
    assert len(encoded.ends) == 3
    assert byte_level().decode(list(encoded.ids)).startswith("claimtitle")


def test_a_claim_that_leaves_no_room_is_refused() -> None:
    with pytest.raises(ClaimError, match="at most 10 tokens"):
        encoder(10).encode(Abstract("a long claim", "", ("x",)))


@given(st.lists(st.integers(0, 30), min_size=1, max_size=12), st.integers(0, 200))
def test_the_longest_are_cut_first(lengths: list[int], room: int) -> None:
    cut = list(map(len, cut_longest([[0] * length for length in lengths], room)))
    assert sum(cut) <= max(room, 0)
    shortened = [after for before, after in zip(lengths, cut, strict=True) if after < before]
    if shortened:
        assert max(cut) == max(shortened)
        assert len(set(shortened)) == 1
