from __future__ import annotations

import pytest

from claimscope.ingest.assemble import is_retracted


@pytest.mark.parametrize(
    "title",
    [
        "RETRACTED: A trial of X",
        "Retracted: A trial of X",
        "RETRACTED ARTICLE: A trial of X",
        "[Retracted] A trial of X",
        "WITHDRAWN: A review of X",
        "Withdrawn. A review of X",
    ],
)
def test_titles_that_say_so_are_retracted(title: str) -> None:
    assert is_retracted(title, "", (), ())


@pytest.mark.parametrize(
    "title",
    [
        "Retraction: A trial of X",
        "Retraction notice to: A trial of X",
        "Retracted publications in oncology",
        "Withdrawn patients in trials",
        "Why papers are retracted",
    ],
)
def test_titles_on_retraction_are_not(title: str) -> None:
    assert not is_retracted(title, "", (), ())


def test_notes_and_types_that_say_so_count() -> None:
    assert is_retracted("X", "", (), ["Retracted Publication"])
    assert is_retracted("X", "", ["Journal Article", "Retracted Publication"], ())
    assert is_retracted("X", "This article has been retracted at the request of ...", (), ())
    assert not is_retracted("X", "", (), ["retracted publications; bibliometrics"])


def test_a_notice_is_not_itself_retracted() -> None:
    assert not is_retracted("[Retracted] X", "", ["Retraction of Publication"], ())
    assert not is_retracted("Retracted: X", "", ["Retraction Notice"], ())
