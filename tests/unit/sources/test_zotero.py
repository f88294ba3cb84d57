"""Follows a Zotero library over HTTP: changes, deletions, full texts, failures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimscope.errors import InputError, SourceError, SourceUnreachableError
from claimscope.library.local import LocalLibrary
from claimscope.sources.zotero.api import ZoteroApi
from claimscope.sources.zotero.sync import SyncReport, ZoteroSync
from claimscope.types import Document, Metadata
from tests.qdrant import free_port

from .zotero_server import Zotero, running

TEA = "Tea and the common cold in adults"
ABSTRACT = "We gave tea to adults. Tea shortened colds."
TEXT = "Introduction\nTea is old.\n\fResults\nTea shortened colds by one day.\n"


@pytest.fixture
def zotero() -> Iterator[Zotero]:
    with running(Zotero()) as made:
        made.add(
            "TEA",
            TEA,
            abstractNote=ABSTRACT,
            DOI="https://doi.org/10.1000/TEA",
            date="2019-03-01",
            publicationTitle="J Tea",
            creators=[{"creatorType": "author", "firstName": "Ada", "lastName": "Doe"}],
            tags=[{"tag": "beverage"}],
            extra="PMID: 123\nCitation Key: doe2019",
            collections=["SUB"],
        )
        made.add("COFFEE", "Coffee keeps people awake at night", "2025-06-01T00:00:00Z")
        made.add("NOTE", "", "2024-01-01T00:00:00Z", itemType="note", note="<p>mine</p>")
        made.collections = {
            "TOP": {"key": "TOP", "data": {"name": "Thesis", "parentCollection": False}},
            "SUB": {"key": "SUB", "data": {"name": "Trials", "parentCollection": "TOP"}},
        }
        yield made


@pytest.fixture
def library(tmp_path: Path) -> Iterator[LocalLibrary]:
    with LocalLibrary(tmp_path / "library", create=True) as made:
        yield made


class Sync:
    def __init__(self, zotero: Zotero, library: LocalLibrary, place: Path) -> None:
        self.zotero, self.library, self.place = zotero, library, place

    def __call__(self, **options: Any) -> SyncReport:
        self.zotero.asked.clear()
        options = {"sleep": lambda _: None, **options}
        return ZoteroSync(ZoteroApi(self.zotero.address, **options), self.library, self.place).run()


@pytest.fixture
def sync(zotero: Zotero, library: LocalLibrary, tmp_path: Path) -> Sync:
    return Sync(zotero, library, tmp_path / "zotero.json")


def counts(done: SyncReport) -> tuple[int, int, int, int]:
    return (done.report.added, done.report.updated, done.report.unchanged, done.removed)


def test_items_become_papers(sync: Sync, library: LocalLibrary) -> None:
    assert counts(sync()) == (2, 0, 0, 0)
    [tea] = library.get(["zotero:TEA"])
    assert (tea.title, tea.abstract) == (TEA, ABSTRACT)
    assert tea.meta == Metadata(
        doi="10.1000/tea",
        pmid="123",
        year=2019,
        venue="J Tea",
        authors=("Doe, Ada",),
        publication_types=("journalArticle",),
        tags=("beverage", "Collection: Thesis / Trials"),
        citation_key="doe2019",
        source="Zotero",
    )
    assert library.find("doe2019").id == "zotero:TEA"
    assert sync.zotero.most_at_once == 1


def test_better_bibtex_names_the_citation_keys(sync: Sync, library: LocalLibrary) -> None:
    sync.zotero.citation_keys = {"TEA": "doeTea2019"}
    sync()
    assert library.get(["zotero:TEA"])[0].meta.citation_key == "doeTea2019"


def test_a_second_time_no_item_is_read(sync: Sync) -> None:
    sync()
    assert counts(sync()) == (0, 0, 1, 0)  # the newest item may have changed in its second
    assert len(sync.zotero.of("itemKey=")) == 1


def test_changes_are_followed_before_zotero_has_sent_them(
    sync: Sync, library: LocalLibrary
) -> None:
    sync()
    sync.zotero.add("COFFEE", "Coffee keeps nobody awake at night", "2026-02-01T10:00:00Z")
    assert sync().report.updated == 1
    assert library.get(["zotero:COFFEE"])[0].title == "Coffee keeps nobody awake at night"
    # A collection changes neither version nor date of its items.
    sync.zotero.items["TEA"]["data"]["collections"] = ["TOP"]
    assert sync().report.updated == 1
    assert library.get(["zotero:TEA"])[0].meta.tags == ("beverage", "Collection: Thesis")


def test_changes_from_the_server_are_known_by_version(sync: Sync, library: LocalLibrary) -> None:
    sync()
    item = sync.zotero.items["COFFEE"]
    item["version"], item["data"]["title"] = 7, "Coffee and sleep in students"
    item["data"]["dateModified"] = "2020-01-01T00:00:00Z"
    assert sync().report.updated == 1
    assert library.get(["zotero:COFFEE"])[0].title == "Coffee and sleep in students"


def test_what_is_gone_in_zotero_goes_here(sync: Sync, library: LocalLibrary) -> None:
    library.add([Document("mine", "A paper of my own")])
    sync()
    del sync.zotero.items["COFFEE"]
    assert sync().removed == 1
    assert [paper.id for paper in library.documents()] == ["mine", "zotero:TEA"]
    # Without its state, too: the library knows what came from Zotero.
    sync.place.unlink()
    del sync.zotero.items["TEA"]
    assert sync().removed == 1
    assert [paper.id for paper in library.documents()] == ["mine"]


@pytest.mark.parametrize("first", ["zotero", "own"])
def test_a_paper_that_is_also_the_users_own_stays(
    sync: Sync, library: LocalLibrary, first: str
) -> None:
    own = Document("mine", TEA, "Tea helps.", ((0, 10),), Metadata(doi="10.1000/tea"))
    if first == "own":
        library.add([own])
    sync()
    if first == "zotero":
        library.add([own])
    assert len(library) == 2
    del sync.zotero.items["TEA"]
    sync()
    assert sorted(paper.id for paper in library.documents()) == ["mine", "zotero:COFFEE"]
    assert library.get(["mine"])[0] == own
    assert list(library.verify()) == []


def test_indexed_attachments_give_the_full_text(sync: Sync, library: LocalLibrary) -> None:
    sync.zotero.attach("PDF", "TEA", TEXT)
    assert sync().with_text == 1
    body = library.get(["zotero:TEA"])[0].body
    assert [(part.heading, part.page) for part in body] == [("Introduction", 1), ("Results", 2)]
    # The text stays when only the item changes, and a new text changes the paper.
    sync.zotero.items["TEA"]["version"] = 3
    sync()
    assert library.get(["zotero:TEA"])[0].body == body
    sync.zotero.texts["PDF"] = (2, TEXT.replace("one day", "two days"))
    assert sync().report.updated == 1
    assert "two days" in library.get(["zotero:TEA"])[0].body[1].text
    assert len(sync.zotero.of("/items/PDF/fulltext")) == 1


def test_many_items_come_page_by_page(sync: Sync, library: LocalLibrary) -> None:
    for number in range(230):
        moment = f"2025-01-01T00:{number // 60:02}:{number % 60:02}Z"
        sync.zotero.add(f"K{number:03}", f"Study number {number} of many studies", moment)
    assert sync().report.added == 232
    assert len(sync.zotero.of("format=versions&start=")) == 2
    assert len(library) == 232
    sync()
    # The newest page is enough to see that nothing changed.
    assert len(sync.zotero.of("sort=dateModified")) == 1


def test_errors_and_slow_answers_are_survived(sync: Sync, library: LocalLibrary) -> None:
    sync.zotero.failing = {"format=versions": 2, "itemKey": 1}
    waits: list[float] = []
    assert sync(sleep=waits.append).report.added == 2
    assert waits == [1.0, 2.0, 1.0]
    sync.zotero.delay = 0.4
    with pytest.raises(SourceUnreachableError, match="timed out"):
        sync(timeout=0.1, tries=2)
    sync.zotero.delay = 0.02
    assert counts(sync(timeout=5)) == (0, 0, 1, 0)


def test_a_text_that_cannot_be_read_is_read_the_next_time(
    sync: Sync, library: LocalLibrary
) -> None:
    sync.zotero.attach("PDF", "TEA", TEXT)
    sync.zotero.failing = {"PDF/fulltext": 100}
    done = sync()
    assert [failure.place for failure in done.failures] == ["Zotero item TEA"]
    assert "500" in done.failures[0].reason
    assert done.report.added == 1
    sync.zotero.failing = {}
    assert sync().report.added == 1
    assert library.get(["zotero:TEA"])[0].body


def test_an_interrupted_sync_goes_on(sync: Sync, library: LocalLibrary) -> None:
    for number in range(120):
        sync.zotero.add(f"K{number:03}", f"Study number {number} of many studies")

    def stop(done: int, _total: int) -> None:
        if done >= 50:
            raise KeyboardInterrupt

    api = ZoteroApi(sync.zotero.address)
    with pytest.raises(KeyboardInterrupt):
        ZoteroSync(api, library, sync.place).run(stop)
    assert len(library) == 50
    sync()
    assert len(library) == 122
    assert len(sync.zotero.of("items?limit=100&itemKey=")) == 2


def test_zotero_that_does_not_run_is_named(library: LocalLibrary, tmp_path: Path) -> None:
    api = ZoteroApi(f"http://127.0.0.1:{free_port()}")
    with pytest.raises(
        SourceUnreachableError, match=r"does not answer at .* \(.*refused\); start Zotero"
    ):
        ZoteroSync(api, library, tmp_path / "z.json").run()
    with pytest.raises(InputError, match="is no address of Zotero"):
        ZoteroApi("file:///etc/passwd")


def test_an_api_that_is_switched_off_is_named(sync: Sync) -> None:
    sync.zotero.is_enabled = False
    with pytest.raises(SourceError, match="switch on “Allow other applications"):
        sync()
    assert len(sync.zotero.asked) == 1
