"""A server that answers as Zotero's local API does, with Zotero's shapes and pages.

What it answers follows Zotero's own `server_localAPI.js`: pages by Link headers that name the
computer "localhost", versions that change only when Zotero has sent a change to its server,
`dateModified` that changes at once, no list of deletions.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit


@dataclass
class Zotero:
    """What the user has in Zotero, and how well it answers."""

    items: dict[str, dict[str, Any]] = field(default_factory=dict)
    collections: dict[str, dict[str, Any]] = field(default_factory=dict)
    texts: dict[str, tuple[int, str]] = field(default_factory=dict)
    citation_keys: dict[str, str] | None = None
    """None where Better BibTeX is not installed."""
    is_enabled: bool = True
    failing: dict[str, int] = field(default_factory=dict)
    """How many more requests, whose path matches, are answered with 500."""
    delay: float = 0.0
    asked: list[str] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    address: str = ""

    def add(self, key: str, title: str, moment: str = "2026-01-01T00:00:00Z", **data: Any) -> None:
        data = {"itemType": "journalArticle", "title": title, "dateModified": moment, **data}
        version = self.items.get(key, {"version": 0})["version"]
        self.items[key] = {"key": key, "version": version, "data": {"key": key, **data}}

    def attach(self, key: str, parent: str, text: str, version: int = 1) -> None:
        self.add(key, f"{parent}.pdf", itemType="attachment", parentItem=parent)
        self.texts[key] = (version, text)

    def of(self, path: str) -> list[str]:
        return [each for each in self.asked if path in each]


@contextmanager
def running(zotero: Zotero, port: int = 0) -> Iterator[Zotero]:
    server = ThreadingHTTPServer(
        ("127.0.0.1", port), type("Handler", (_Handler,), {"zotero": zotero})
    )
    zotero.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield zotero
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    zotero: Zotero

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, body: bytes) -> None:
        self.zotero.asked.append(self.path)
        self.zotero.at_once += 1
        self.zotero.most_at_once = max(self.zotero.most_at_once, self.zotero.at_once)
        try:
            time.sleep(self.zotero.delay)
            for pattern, left in self.zotero.failing.items():
                if left and re.search(pattern, self.path):
                    self.zotero.failing[pattern] -= 1
                    self._send(500, b"An error occurred")
                    return
            self._route(body)
        finally:
            self.zotero.at_once -= 1

    def _route(self, body: bytes) -> None:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/better-bibtex/json-rpc":
            self._better_bibtex(body)
        elif not self.zotero.is_enabled:
            self._send(403, b"Local API is not enabled")
        elif parts.path == "/api/":
            self._send(200, b"Nothing to see here.")
        else:
            path = parts.path.removeprefix("/api/users/0")
            self._library(path, query, parts.path)

    def _better_bibtex(self, body: bytes) -> None:
        if self.zotero.citation_keys is None:
            self._send(404, b"No endpoint found")
            return
        [keys] = json.loads(body)["params"]
        result = {key: self.zotero.citation_keys.get(key) for key in keys}
        self._json({"jsonrpc": "2.0", "id": 1, "result": result})

    def _library(self, path: str, query: dict[str, str], whole: str) -> None:
        if path == "/fulltext":
            self._json({key: version for key, (version, _) in self.zotero.texts.items()})
        elif match := re.fullmatch(r"/items/(\w+)/fulltext", path):
            self._text(match[1])
        elif path == "/collections":
            self._page(list(self.zotero.collections.values()), query, whole)
        elif match := re.fullmatch(r"/collections/(\w+)/items/top", path):
            found = self.zotero.items.values()
            chosen = [each for each in found if match[1] in each["data"].get("collections", ())]
            self._page(chosen, query, whole)
        elif path in {"/items", "/items/top"}:
            self._page(self._items(path, query), query, whole)
        else:
            self._send(404, b"Not found")

    def _text(self, key: str) -> None:
        if key in self.zotero.texts:
            content = self.zotero.texts[key][1]
            self._json({"content": content, "indexedPages": 2, "totalPages": 2})
        else:
            self._send(404, b"Not found")

    def _items(self, path: str, query: dict[str, str]) -> list[Any]:
        chosen = list(self.zotero.items.values())
        if path.endswith("top"):
            chosen = [item for item in chosen if "parentItem" not in item["data"]]
        if "itemKey" in query:
            keys = query["itemKey"].split(",")
            chosen = [item for item in chosen if item["key"] in keys]
        return sorted(chosen, key=lambda item: item["data"]["dateModified"], reverse=True)

    def _page(self, found: list[Any], query: dict[str, str], path: str) -> None:
        start, limit = int(query.get("start", 0)), int(query.get("limit", len(found) or 1))
        page = found[start : start + limit]
        headers = {"Total-Results": str(len(found)), "Last-Modified-Version": "0"}
        if start + limit < len(found):
            port = self.server.server_address[1]
            following = urlencode({**query, "start": start + limit})
            headers["Link"] = f'<http://localhost:{port}{path}?{following}>; rel="next"'
        if query.get("format") == "versions":
            self._json({item["key"]: item["version"] for item in page}, headers)
        else:
            self._json(page, headers)

    def _json(self, value: Any, headers: dict[str, str] | None = None) -> None:
        self._send(200, json.dumps(value, indent=4).encode(), headers)

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**(headers or {}), "Zotero-API-Version": "3"}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        with suppress(BrokenPipeError):  # the client did not wait
            self.end_headers()
            self.wfile.write(body)
