from __future__ import annotations

from claimscope.library.local import LocalLibrary

from .papers import paper


def test_the_contents_are_counted(opened: LocalLibrary) -> None:
    opened.add(
        [
            paper("a", "Text.", year=2001, language="eng"),
            paper("b", "Text.", year=1999, language="English", retracted=True),
            paper("c", language="ger"),
            paper("d", "Text."),
        ]
    )
    found = opened.statistics()
    assert (found.documents, found.without_abstract, found.retracted) == (4, 1, 1)
    assert list(found.years.items()) == [(1999, 1), (2001, 1), (None, 2)]
    assert found.languages == {"en": 2, "de": 1, None: 1}
    assert found.bytes_on_disk > 10_000


def test_an_empty_library_has_no_years(opened: LocalLibrary) -> None:
    found = opened.statistics()
    assert (found.documents, dict(found.years), dict(found.languages)) == (0, {}, {})
