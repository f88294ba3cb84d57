"""Asks Crossref for the record of a DOI, with what was published about the paper later.

https://www.crossref.org/documentation/retrieve-metadata/rest-api/
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any
from urllib.parse import quote

from claimscope._identifiers import find_doi
from claimscope.errors import SourceError
from claimscope.ingest.csl_json import read_document
from claimscope.ingest.json_items import objects_in
from claimscope.sources.http import HttpSource
from claimscope.sources.notices import Notice, NoticeKind, is_retracted
from claimscope.types import Document

ADDRESS = "https://api.crossref.org"
_PAUSE, _PAUSE_WITH_EMAIL = 1.0, 0.2
_KINDS = {
    **dict.fromkeys(("retraction", "withdrawal", "removal"), NoticeKind.RETRACTION),
    "expression_of_concern": NoticeKind.CONCERN,
    **dict.fromkeys(
        ("correction", "corrigendum", "erratum", "addendum", "clarification", "partial_retraction"),
        NoticeKind.CORRECTION,
    ),
}


class Crossref:
    """Crossref, asked with the user's e-mail address if there is one."""

    def __init__(self, address: str = ADDRESS, email: str = "", **options: Any) -> None:
        pause = _PAUSE_WITH_EMAIL if email else _PAUSE
        self._http = HttpSource("Crossref", address, **{"pause": pause, **options})
        self._known = {"mailto": email} if email else {}

    def record(self, doi: str) -> Document | None:
        """Give the paper with a DOI, if Crossref knows it."""
        try:
            answer = self._http.get(f"/works/{quote(doi, safe='')}", self._known).json()
        except SourceError as error:
            if error.status == 404:
                return None
            raise
        message = answer.get("message") if isinstance(answer, dict) else None
        if not isinstance(message, dict):
            raise SourceError(f"Crossref's answer for {doi} has no record; try again later.")
        return _document(message)


def _document(message: Mapping[str, Any]) -> Document:
    document = read_document(message, "Crossref")
    notices = sorted(_notices(message), key=lambda each: (each.date or date.min, each.words))
    meta = document.meta
    noticed = replace(
        meta,
        retracted=meta.retracted or is_retracted(notices),
        notices=tuple(dict.fromkeys(notice.words for notice in notices)),
        note=_is_notice(message) or meta.note,
    )
    return replace(document, meta=noticed)


def _notices(message: Mapping[str, Any]) -> Iterator[Notice]:
    """Give what updates this paper; its own `update-to` says what it updates itself."""
    for update in objects_in(message, "updated-by"):
        if kind := _KINDS.get(str(update.get("type") or "").casefold()):
            doi = find_doi(str(update.get("DOI") or ""))
            yield Notice(kind, _date(update.get("updated")), (), doi, "")


def _is_notice(message: Mapping[str, Any]) -> str | None:
    """Say so if the record is itself a notice about other papers."""
    about = [
        f"{_KINDS[kind].lower()} of doi:{update.get('DOI')}"
        for update in objects_in(message, "update-to")
        if (kind := str(update.get("type") or "").casefold()) in _KINDS
    ]
    return f"This is a notice: {', '.join(about)}" if about else None


def _date(updated: Any) -> date | None:
    """Read a date in parts; a missing month or day is the first."""
    try:
        year, month, day = (*updated["date-parts"][0], 1, 1)[:3]
        return date(year, month, day)
    except (TypeError, KeyError, IndexError, ValueError):
        return None
