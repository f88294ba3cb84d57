import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.text import normalise_space, split_sentences

PIECES = 'A|b|e.g.|E. coli|.|?|…|\n\n|\n| |\t|\u00a0|(P = .03).|5.|"|)|(|。|et al.|The|\x00'
TRICKY = st.lists(st.sampled_from(PIECES.split("|")), max_size=30).map("".join)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@given(st.one_of(TRICKY, st.text()))
def test_every_visible_character_lies_in_exactly_one_sentence_in_order(text: str) -> None:
    spans = split_sentences(text)
    place = 0
    for start, end in spans:
        assert place <= start < end
        assert not text[place:start].strip()
        assert text[start:end] == text[start:end].strip()
        place = end
    assert not text[place:].strip()


@given(st.one_of(TRICKY, st.text()))
def test_normalised_space_is_single_and_loses_no_word(text: str) -> None:
    assert normalise_space(text).split(" ") == (text.split() or [""])


@pytest.mark.parametrize(
    "text",
    [
        "Cells (e.g. Neurons and i.e. T cells) were used.",
        "Treated vs. Control mice differed.",
        "As shown by Smith et al. Mice lacking it die.",
        "It was shown in Fig. 3 and Figs. 4-6.",
        "Given approx. 15 mg, ca. 20 mg, resp. 30 mg.",
        "Reported by Dr. Jones and Prof. Smith.",
        "Infections with Candida spp. Pathogens of the gut cf. Table 2.",
        "Grant No. 5 of vol. 12, pp. 3 and p. 1097.",
        "Described by J. R. Smith and J.B.S. Haldane in the U.S. National Survey.",
        "Growth of E. coli and S. aureus and S. Typhimurium.",
        "The mean was 3.5 mg (p < .05, P = 0.03) on days 14-16 p.i. in mice.",
        "The level rose ... and then fell.",
        "The patients (n = 5.) were old.",
        "Is it safe? yes.",
        "Results. Gametocytes were found.",
        "This was shown before (J. Smith, Phys. Rev. 94, 1980) and [Theor. Comput. 9, 3].",
    ],
)
def test_stays_one_sentence(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    "parts",
    [
        ["The risk fell (P = 0.03).", "It then rose."],
        ['They called it "ageing."', "We do not."],
        ["CONCLUSION: It works.", "METHODS: We looked at mice."],
        ["RESULTS The risk fell.", "CONCLUSIONS It works."],
        ["We enrolled adults.", "30-day mortality was 5%."],
        ["We gave vitamin D.", "Supplementation helped."],
        ["It was measured at 24 h.", "Thus, it is fast."],
        ["Expression was shown by Smith et al.", "The cells died."],
        ["It is inhibited.", "miR-21 is not.", "eNOS is.", "p53 was."],
        ["Plaques were found.", "β-amyloid was not."],
        ["CFTR causes CF.", "It needs NO.", "We measured it."],
        ["Does it help?", "No!", "It harms."],
        ["It continued…", "Then it stopped."],
        ["Él comió.", "¿Por qué?", "Ünlü."],
        ["(It was small.)", "It grew."],
        ["1. We fed rats.", "2. They grew.", "3.) They slept."],
        ["Two things follow.", "(a) Rats grow.", "ii) Mice do not."],
        ["It holds for all $v.$", "We prove it (see Fig. 2)."],
        ["The bracket (is open.", "It never closes."],
    ],
)
def test_splits_between_the_parts(parts: list[str]) -> None:
    assert sentences(" ".join(parts)) == parts
    assert sentences("\n ".join(parts)) == parts


def test_splits_chinese_without_spaces() -> None:
    assert sentences("维生素有效。我们测试了它。") == ["维生素有效。", "我们测试了它。"]


def test_an_empty_line_ends_a_sentence_without_a_stop() -> None:
    assert sentences("Background \n \n We looked.") == ["Background", "We looked."]


@pytest.mark.parametrize("text", ["", " \n\t ", "\u00a0"])
def test_nothing_to_split(text: str) -> None:
    assert split_sentences(text) == ()


@pytest.mark.parametrize("piece", [". ", "(", ".)", "\n ", "A. ", 'e.g. "', ". ("])
def test_hostile_text_takes_no_longer_than_its_length(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    started = time.process_time()
    split_sentences(text)
    assert time.process_time() - started < 2
