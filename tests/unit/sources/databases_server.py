"""A server that answers as PubMed's E-utilities and Crossref do, with their shapes."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

_ARTICLE = """<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM">
<PMID Version="1">{pmid}</PMID>
<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Internet"><PubDate><Year>2020</Year>
</PubDate></JournalIssue><Title>Journal of tea</Title></Journal>
<ArticleTitle>{title}</ArticleTitle>
<Abstract><AbstractText Label="RESULTS">{abstract}</AbstractText></Abstract>
<Language>eng</Language><PublicationTypeList>
<PublicationType UI="D016428">Journal Article</PublicationType></PublicationTypeList></Article>
</MedlineCitation><PubmedData><ArticleIdList>
<ArticleId IdType="pubmed">{pmid}</ArticleId>{doi}</ArticleIdList></PubmedData></PubmedArticle>"""
_SET = """<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN"
 "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>{articles}</PubmedArticleSet>"""


@dataclass
class Databases:
    """What PubMed and Crossref hold, and how they answer."""

    articles: dict[str, dict[str, str]] = field(default_factory=dict)
    """Title, abstract and DOI by PubMed id."""
    searches: dict[str, list[str]] = field(default_factory=dict)
    works: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Messages of Crossref by DOI."""
    refusals: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    """Status and headers of the next answers that are errors."""
    stop_after: int | None = None
    """Requests after which every answer is an error."""
    asked: list[tuple[float, str, dict[str, str]]] = field(default_factory=list)
    address: str = ""

    def paths(self) -> list[str]:
        return [path for _, path, _ in self.asked]


@contextmanager
def running(databases: Databases) -> Iterator[Databases]:
    handler = type("Handler", (_Handler,), {"databases": databases})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    databases.address = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield databases
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    databases: Databases

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self._answer(parts.path, parts.query)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._answer(self.path, body)

    def _answer(self, path: str, query: str) -> None:
        asked = {name: values[0] for name, values in parse_qs(query).items()}
        known = self.databases
        known.asked.append((time.monotonic(), path, asked))
        if known.refusals:
            status, headers = known.refusals.pop(0)
            self._send(status, b'{"error":"API rate limit exceeded","count":"4"}', headers)
        elif known.stop_after is not None and len(known.asked) > known.stop_after:
            self._send(503, b"Service unavailable", {})
        elif path == "/esearch.fcgi":
            self._search(asked)
        elif path == "/efetch.fcgi":
            self._fetch(asked["id"].split(","))
        elif path.startswith("/works/"):
            self._work(unquote(path.removeprefix("/works/")))

    def _search(self, asked: dict[str, str]) -> None:
        found = self.databases.searches.get(asked["term"])
        if found is None:
            result: dict[str, Any] = {"ERROR": "Search Backend failed: Invalid query"}
        else:
            some = found[: int(asked["retmax"])]
            result = {"count": str(len(found)), "retmax": str(len(some)), "retstart": "0"}
            result |= {"idlist": some, "translationset": [], "querytranslation": "tea\x01"}
        text = json.dumps(
            {"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result}
        )
        self._send(200, text.replace("\\u0001", "\x01").encode(), {})

    def _fetch(self, pmids: list[str]) -> None:
        articles = [
            _ARTICLE.format(
                pmid=pmid,
                title=known["title"],
                abstract=known["abstract"],
                doi=f'<ArticleId IdType="doi">{known["doi"]}</ArticleId>' if "doi" in known else "",
            )
            for pmid in pmids
            if (known := self.databases.articles.get(pmid))
        ]
        self._send(200, _SET.format(articles="".join(articles)).encode(), {})

    def _work(self, doi: str) -> None:
        message = self.databases.works.get(doi)
        if message is None:
            self._send(404, b"Resource not found.", {})
            return
        answer = {"status": "ok", "message-type": "work", "message-version": "1.0.0"}
        self._send(200, json.dumps({**answer, "message": message}).encode(), {})

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
