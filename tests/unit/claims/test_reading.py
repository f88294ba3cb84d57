import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.claims.reading import LONGEST_CLAIM, Refusal, cautions, read_claim, read_lines
from claimscope.datasets.registry import open_dataset
from claimscope.errors import ClaimError
from claimscope.types import Claim


@pytest.mark.parametrize("text", ["", "   ", "\n\t ", "\u00a0"])
def test_an_empty_claim_is_refused(text: str) -> None:
    with pytest.raises(ClaimError, match="empty"):
        read_claim(text)


def test_a_text_is_not_a_claim() -> None:
    with pytest.raises(ClaimError, match=r"100,000 characters.*2,000"):
        read_claim("x" * 100_000)
    assert read_claim("x" * LONGEST_CLAIM)


def test_a_nul_byte_is_named_with_its_place() -> None:
    with pytest.raises(ClaimError, match=r"U\+0000\) at position 8"):
        read_claim("Aspirin\x00 thins blood")


def test_line_breaks_inside_a_claim_become_spaces() -> None:
    assert read_claim(" Aspirin\n thins\t blood ").text == "Aspirin thins blood"


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ("Dexamethasone lowers mortality in ventilated patients", False),
        ("β-carotene raises IL-6 in smokers", False),
        ("الأسبرين يقلل من خطر الإصابة بالنوبات القلبية", True),
        ("阿司匹林可以预防心脏病", True),
        ("Das Rauchen ist nicht gesund und verursacht Krebs", True),
        ("Le tabac est une cause de cancer", True),
        ("De novo assembly of C. elegans genomes", False),
        ("No effect of vitamin E on del Nido cardioplegia", False),
        ("Gilles de la Tourette syndrome responds to haloperidol", False),
        ("van der Waals forces hold geckos", False),
        ("Sjögren syndrome raises lymphoma risk", False),
        ("El Niño warms Peru", False),
        ("Non smokers live longer", False),
        ("Aspirin senkt das Herzinfarktrisiko", True),
        ("Impfungen verursachen Autismus", True),
        ("Vitamin D verhindert Knochenbrüche", True),
        ("Rauchen schadet der Lunge", True),
        ("Kaffee ist gesund", True),
        ("Homöopathie wirkt nicht besser als Placebo", True),
        ("Der Klimawandel wird vom Menschen gemacht", True),
        ("Masken schützen vor COVID-19", True),
        ("Zucker macht Kinder hyperaktiv", True),
        ("Antibiotika helfen gegen Viren", True),
        ("L'aspirine réduit le risque de crise cardiaque", True),
        ("Les vaccins provoquent l'autisme", True),
        ("La vitamine D prévient les fractures", True),
        ("La aspirina reduce el riesgo de infarto", True),
        ("Las vacunas causan autismo", True),
        ("El azúcar hace hiperactivos a los niños", True),
        ("L'aspirina riduce il rischio di infarto", True),
        ("I vaccini non causano l'autismo", True),
        ("A aspirina reduz o risco de enfarte", True),
        ("As vacinas não causam autismo", True),
        ("Aspirine verlaagt het risico op een hartinfarct", True),
        ("Vaccins veroorzaken geen autisme", True),
        ("Vacciner orsakar inte autism", True),
        ("Szczepionki nie powodują autyzmu", True),
    ],
)
def test_claims_in_other_languages_are_taken_with_a_caution(text: str, warned: bool) -> None:
    assert bool(cautions(read_claim(text))) is warned


def test_no_claim_of_scifact_is_taken_for_another_language(data_folder: Path) -> None:
    dataset = open_dataset("scifact", data_folder / "scifact")
    texts = {
        item.claim.text for split in ("train", "dev", "test") for item in dataset.claims(split)
    }
    assert len(texts) > 1_000
    assert not [text for text in texts if cautions(read_claim(text))]


def test_emoji_alone_has_nothing_to_search_for() -> None:
    assert "no letters" in cautions(read_claim("💊💊 100%"))[0]


def test_lines_are_text_or_json_and_bad_ones_do_not_stop_the_rest() -> None:
    lines = [
        b"\xef\xbb\xbfAspirin thins blood\n",
        b"\n",
        json.dumps({"id": 7, "claim": "Tea cures colds"}).encode(),
        b'{"id": 8}',
        b'{"claim": ',
        b"caf\xe9 is healthy",
        b"Last one",
    ]
    results = list(read_lines(lines))
    assert results[0] == Claim("Aspirin thins blood", "1")
    assert results[1] == Claim("Tea cures colds", "7")
    assert [item.line for item in results if isinstance(item, Refusal)] == [4, 5, 6]
    assert results[-1] == Claim("Last one", "7")


@given(st.text())
def test_any_text_is_a_claim_or_is_refused(text: str) -> None:
    with suppress(ClaimError):
        claim = read_claim(text)
        assert claim.text == " ".join(text.split())
        cautions(claim)


@given(st.lists(st.binary()))
def test_any_bytes_are_read_or_refused(lines: list[bytes]) -> None:
    for item in read_lines(lines):
        assert isinstance(item, Claim | Refusal)
