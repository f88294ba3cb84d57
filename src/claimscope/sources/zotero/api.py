"""The questions that are put to Zotero's local API, and to Better BibTeX where it is installed.

Zotero answers on one thread, so there is one request at a time.
https://www.zotero.org/support/dev/web_api/v3/local_api
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from claimscope.errors import SourceError
from claimscope.sources.http import HttpSource

ADDRESS = "http://127.0.0.1:23119"
TOGETHER = 50
"""Items that one request may name."""
_PAGE = 100
_NEXT = re.compile(r'<([^>]+)>;\s*rel="next"')

Item = Mapping[str, Any]


class ZoteroApi:
    """One library of Zotero: the user's own, or a group's."""

    def __init__(self, address: str = ADDRESS, group: int | None = None, **options: Any) -> None:
        headers = {"Zotero-API-Version": "3"}
        advice = "start Zotero, or name its address with --url"
        self._http = HttpSource("Zotero", address, advice=advice, headers=headers, **options)
        self._library = f"/api/groups/{group}" if group else "/api/users/0"

    def check(self) -> None:
        """Make sure that Zotero runs and may be asked; else say what to do."""
        address = self._http.base
        try:
            self._http.get("/api/")
        except SourceError as error:
            if error.status == 403:
                raise SourceError(
                    f"Zotero at {address} lets no other program read its library; switch on "
                    "“Allow other applications on this computer to communicate with Zotero” in "
                    "its settings under Advanced.",
                    403,
                ) from error
            if error.status == 404:
                raise SourceError(
                    f"The program at {address} has no local API; Zotero 7 or newer is needed.", 404
                ) from error
            raise

    def versions(self) -> dict[str, int]:
        """Give the version of every item that is in no other one and not in the bin."""
        found: dict[str, int] = {}
        for page in self._pages("/items/top", format="versions"):
            found |= page
        return found

    def modified_since(self, moment: str) -> Iterator[str]:
        """Give the keys of items that were changed at a moment or later, newest first.

        Changes that Zotero has not sent to its server yet do not show in versions.
        """
        for page in self._pages("/items/top", sort="dateModified", direction="desc"):
            for item in page:
                if item["data"].get("dateModified", "") < moment:
                    return
                yield item["key"]

    def items(self, keys: Sequence[str]) -> list[Item]:
        """Give items by key, in any order."""
        pages = self._pages("/items", itemKey=",".join(keys))
        return [item for page in pages for item in page]

    def collections(self) -> dict[str, Item]:
        """Give the collections by key."""
        return {item["key"]: item for page in self._pages("/collections") for item in page}

    def in_collection(self, key: str) -> list[str]:
        """Give the keys of the items in a collection."""
        pages = self._pages(f"/collections/{key}/items/top", format="versions")
        return [name for page in pages for name in page]

    def full_text_versions(self) -> dict[str, int]:
        """Give the version of every attachment's text that Zotero has indexed."""
        found: dict[str, int] = self._http.get(f"{self._library}/fulltext", {"since": 0}).json()
        return found

    def full_text(self, key: str) -> str | None:
        """Give the text of an attachment, if it is indexed."""
        try:
            answer = self._http.get(f"{self._library}/items/{key}/fulltext").json()
        except SourceError as error:
            if error.status == 404:
                return None
            raise
        return str(answer.get("content") or "")

    def citation_keys(self, keys: Sequence[str]) -> dict[str, str]:
        """Give the citation keys of items that Better BibTeX knows; none without it."""
        question = {"jsonrpc": "2.0", "id": 1, "method": "item.citationkey"}
        body = json.dumps({**question, "params": [list(keys)]}).encode()
        try:
            answer = self._http.post("/better-bibtex/json-rpc", body, "application/json")
        except SourceError as error:
            if error.status in {404, 400}:
                return {}
            raise
        found = answer.json().get("result") or {}
        return {key: value for key, value in found.items() if value}

    def _pages(self, path: str, **parameters: str) -> Iterator[Any]:
        answer = self._http.get(f"{self._library}{path}", {"limit": _PAGE, **parameters})
        yield answer.json()
        while link := _NEXT.search(answer.headers.get("Link") or ""):
            # Zotero names itself localhost, whatever it was asked as.
            answer = self._http.get_url(self._http.base + link[1][link[1].index("/api/") :])
            yield answer.json()
