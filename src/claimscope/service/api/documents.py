"""The papers of the library: list, show, remove."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from claimscope.case_json import metadata_dict
from claimscope.library.paging import page
from claimscope.service.models import DocumentListModel, DocumentModel
from claimscope.service.problems import ServiceError, documented
from claimscope.service.security import Reader, Writer
from claimscope.service.state import Service, ServiceOf
from claimscope.types import Document

router = APIRouter(tags=["documents"])


@router.get("/documents", response_model=DocumentListModel, responses=documented())
def list_documents(
    service: ServiceOf,
    _client: Reader,
    after: Annotated[str, Query(max_length=1_000)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """List documents by id, a page at a time."""
    found = page(service.ledger.store, after, limit)
    return {
        "total": len(service.library),
        "documents": [_shown(document) for document in found],
        "next": found[-1].id if len(found) == limit else None,
    }


# Ids hold slashes, as DOIs do, so the rest of the path is the id.
@router.get(
    "/documents/{document_id:path}", response_model=DocumentModel, responses=documented(404)
)
def show_document(document_id: str, service: ServiceOf, _client: Reader) -> dict[str, Any]:
    """Show one document in full."""
    return _shown(require_document(service, document_id))


@router.delete("/documents/{document_id:path}", status_code=204, responses=documented(404, 409))
def remove_document(document_id: str, service: ServiceOf, _client: Writer) -> Response:
    """Remove one document; searches no longer find it when this returns."""
    service.require_changeable()
    if service.worker.is_importing:
        raise ServiceError(503, "Papers are being added; try again when the import is done.", 5)
    if not service.library.remove([document_id]):
        raise _unknown(document_id)
    return Response(status_code=204)


def require_document(service: Service, document_id: str) -> Document:
    """Give a document, or answer 404."""
    found = service.ledger.store.get([document_id])
    if document_id not in found:
        raise _unknown(document_id)
    return found[document_id]


def _unknown(document_id: str) -> ServiceError:
    return ServiceError(
        404, f"There is no document {document_id[:200]!r}; /api/v1/documents lists those there are."
    )


def _shown(document: Document) -> dict[str, Any]:
    return {
        "id": document.id,
        "title": document.title,
        "abstract": document.abstract,
        "sentences": list(document.sentences),
        "metadata": metadata_dict(document.meta),
    }
