"""Finds out what a Zotero library has now, and which of its items changed since the last time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from claimscope.sources.zotero.api import TOGETHER, Item, ZoteroApi
from claimscope.sources.zotero.state import SyncState

_DEEPEST = 50
"""Levels of collections; damaged data could name a circle."""


@dataclass(frozen=True)
class Snapshot:
    """What a Zotero library has, without the items themselves."""

    versions: Mapping[str, int]
    collections: Mapping[str, list[str]]
    """The collections of each item that is in any, with their names from the top down."""
    full_texts: Mapping[str, int]
    parents: Mapping[str, str]
    """The item that each attachment with a text belongs to."""

    @cached_property
    def attachments(self) -> Mapping[str, list[str]]:
        """The attachments with a text, by the item that they belong to."""
        found: dict[str, list[str]] = {}
        for name, parent in self.parents.items():
            found.setdefault(parent, []).append(name)
        return found


def look(api: ZoteroApi, state: SyncState) -> Snapshot:
    """Ask Zotero what it has."""
    texts = api.full_text_versions()
    new = [key for key in texts if key not in state.parents]
    parents = {key: parent for key, parent in state.parents.items() if key in texts}
    for start in range(0, len(new), TOGETHER):
        for item in api.items(new[start : start + TOGETHER]):
            # A file that stands by itself is its own parent, and no paper.
            parents[item["key"]] = item["data"].get("parentItem") or item["key"]
    return Snapshot(api.versions(), _collections(api), texts, parents)


def changed_items(api: ZoteroApi, state: SyncState, now: Snapshot) -> list[str]:
    """Give the keys of items that are new or otherwise than they were, each once."""
    changed = [key for key, version in now.versions.items() if state.versions.get(key) != version]
    if state.newest:
        changed += api.modified_since(state.newest)
    changed += [
        key
        for key in state.versions
        if now.collections.get(key, []) != state.collections.get(key, [])
    ]
    changed += [
        now.parents[key]
        for key, version in now.full_texts.items()
        if key in now.parents and state.full_texts.get(key) != version
    ]
    changed += [parent for key, parent in state.parents.items() if key not in now.full_texts]
    return [key for key in dict.fromkeys(changed) if key in now.versions]


def _collections(api: ZoteroApi) -> dict[str, list[str]]:
    all_of_them = api.collections()
    found: dict[str, list[str]] = {}
    for key in all_of_them:
        words = f"Collection: {' / '.join(_path(key, all_of_them))}"
        for item in api.in_collection(key):
            found.setdefault(item, []).append(words)
    return {key: sorted(words) for key, words in found.items()}


def _path(key: str, collections: Mapping[str, Item]) -> list[str]:
    names = list(_upwards(key, collections))
    return names[::-1]


def _upwards(key: str, collections: Mapping[str, Item]) -> Iterator[str]:
    for _ in range(_DEEPEST):
        data = collections[key]["data"]
        yield str(data.get("name") or key)
        key = data.get("parentCollection") or ""
        if key not in collections:
            return
