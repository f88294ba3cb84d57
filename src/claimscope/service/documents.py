"""Finds, lists and removes the documents of the library."""

from __future__ import annotations

from dataclasses import dataclass

from claimscope.claims.reading import read_claim
from claimscope.errors import ClaimError
from claimscope.library.protocol import Hit
from claimscope.service.problems import ServiceError
from claimscope.service.state import Service
from claimscope.types import Document

_SUGGESTIONS = 5


@dataclass(frozen=True, slots=True)
class NamedDocuments:
    """The document that a reader most likely means, and alternatives."""

    chosen: Document | None
    others: tuple[Document, ...]


def list_documents(service: Service, after: str, limit: int) -> tuple[list[Document], str | None]:
    """Return a page of documents, and the id after which the next page starts."""
    found = service.library.page(after, limit)
    return found, found[-1].id if len(found) == limit else None


def search(service: Service, query: str, limit: int) -> list[tuple[Hit, Document]]:
    """Return the best documents for a query, without any that was removed since the search."""
    [hits] = service.library.search([query], limit)
    found = service.library.present([hit.document_id for hit in hits])
    return [(hit, found[hit.document_id]) for hit in hits if hit.document_id in found]


def require_document(service: Service, document_id: str) -> Document:
    """Return a document, or answer 404."""
    found = service.library.present([document_id])
    if document_id not in found:
        raise _unknown(document_id)
    return found[document_id]


def remove_document(service: Service, document_id: str) -> None:
    """Remove a document; later searches do not find it."""
    service.require_changeable()
    if service.worker.is_importing:
        raise ServiceError(
            503, "Papers are being added; try again when the import has finished.", 5
        )
    if not service.library.remove([document_id]):
        raise _unknown(document_id)


def find_named(service: Service, words: str) -> NamedDocuments:
    """Find a document by its id, DOI, PubMed id, address or title, or by words of its title."""
    text = words.strip()
    exact = service.library.present(service.library.named(text))
    if exact:
        first, *others = exact.values()
        return NamedDocuments(first, tuple(others[: _SUGGESTIONS - 1]))
    try:
        found = [item for _, item in search(service, read_claim(text).text, _SUGGESTIONS)]
    except ClaimError:
        found = []
    return NamedDocuments(found[0] if found else None, tuple(found[1:]))


def _unknown(document_id: str) -> ServiceError:
    return ServiceError(
        404,
        f"There is no document {document_id[:200]!r}; GET /api/v1/documents lists all documents.",
    )
