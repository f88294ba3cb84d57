import pytest

from claimscope.errors import UnknownLabelError
from claimscope.labels import Label


@pytest.mark.parametrize(
    ("spelling", "label"),
    [
        ("SUPPORT", Label.SUPPORTS),
        ("CONTRADICT", Label.REFUTES),
        ("REFUTE", Label.REFUTES),
        ("refutes", Label.REFUTES),
        ("NOT ENOUGH INFO", Label.NOT_ENOUGH_INFO),
        ("NOT_ENOUGH_INFO", Label.NOT_ENOUGH_INFO),
        ("NOTENOUGHINFO", Label.NOT_ENOUGH_INFO),
        ("NEI", Label.NOT_ENOUGH_INFO),
        ("Neutral", Label.NOT_ENOUGH_INFO),
        ("SUPPORTED", Label.SUPPORTS),
        ("DISPUTED", Label.DISPUTED),
        ("entailment", Label.SUPPORTS),
        ("Contradiction", Label.REFUTES),
        ("mixture", Label.DISPUTED),
    ],
)
def test_every_spelling_of_the_field_is_read(spelling: str, label: Label) -> None:
    assert Label.parse(spelling) is label


@pytest.mark.parametrize("label", list(Label))
def test_our_own_words_are_read_back(label: Label) -> None:
    assert Label.parse(label.value) is label
    assert Label.parse(label.verdict) is label


def test_an_unknown_spelling_is_refused_with_the_choices() -> None:
    with pytest.raises(UnknownLabelError, match=r"'perhaps'.*contradict.*supports"):
        Label.parse("perhaps")
