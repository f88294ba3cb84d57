"""Asks PubMed through NCBI's E-utilities: searches, and records as XML.

Three requests a second are allowed, ten with a key: https://www.ncbi.nlm.nih.gov/books/NBK25497/
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from claimscope.errors import InputError, SourceError
from claimscope.ingest import pubmed_xml
from claimscope.ingest.record import Item
from claimscope.sources.http import HttpSource

ADDRESS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
MOST_FOUND = 10_000
"""PubMed gives no more records of one search."""
TOGETHER = 200
"""Records that one request may name."""
_PAUSE, _PAUSE_WITH_KEY = 0.35, 0.11
_FORM = "application/x-www-form-urlencoded"


class PubMed:
    """PubMed, asked with the user's e-mail address and key if there are any."""

    def __init__(
        self, address: str = ADDRESS, email: str = "", key: str = "", **options: Any
    ) -> None:
        pause = _PAUSE_WITH_KEY if key else _PAUSE
        self._http = HttpSource("PubMed", address, **{"pause": pause, **options})
        known = {"tool": "claimscope", "email": email, "api_key": key}
        self._known = {name: value for name, value in known.items() if value}

    def search(self, query: str, limit: int) -> list[str]:
        """Give the PubMed ids that a query finds, in PubMed's order."""
        if limit > MOST_FOUND:
            raise InputError(
                f"PubMed gives at most {MOST_FOUND:,} records of one search; narrow the query, "
                "by years for example, and fetch each part."
            )
        asked = {"db": "pubmed", "term": query, "retmode": "json", "retmax": limit}
        body = self._ask("/esearch.fcgi", asked)
        try:
            # Queries in the answer may hold control characters.
            result = json.loads(body, strict=False)["esearchresult"]
            if "ERROR" not in result:
                return [str(each) for each in result["idlist"]]
        except (ValueError, KeyError, TypeError) as error:
            raise SourceError(f"PubMed's answer to a search cannot be read ({error}).") from None
        raise SourceError(f"PubMed refuses the query {query[:200]!r}: {result['ERROR']}.")

    def records(self, pmids: Sequence[str]) -> Iterator[Item]:
        """Read the records with these ids; what PubMed does not have is left out."""
        body = self._ask("/efetch.fcgi", {"db": "pubmed", "id": ",".join(pmids), "retmode": "xml"})
        with tempfile.TemporaryDirectory() as folder:
            # The reader reads files, and names this one as the place of failures.
            path = Path(folder) / "PubMed"
            path.write_bytes(body)
            yield from pubmed_xml.read(path)

    def _ask(self, path: str, parameters: dict[str, Any]) -> bytes:
        form = urlencode({**parameters, **self._known}).encode()
        return self._http.post(path, form, _FORM).body
