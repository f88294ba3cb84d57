"""List, show and remove the documents of the library."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from claimscope.case_json import metadata_dict
from claimscope.service import documents
from claimscope.service.problems import documented
from claimscope.service.schemas import DocumentListModel, DocumentModel
from claimscope.service.security import Reader, Writer
from claimscope.service.state import ServiceOf
from claimscope.types import Document

router = APIRouter(tags=["documents"])


@router.get("/documents", response_model=DocumentListModel, responses=documented())
def list_documents(
    service: ServiceOf,
    _client: Reader,
    after: Annotated[str, Query(max_length=1_000)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """List documents by id, one page at a time."""
    found, following = documents.list_documents(service, after, limit)
    return {
        "total": len(service.library),
        "documents": [_to_dict(document) for document in found],
        "next": following,
    }


# Ids may contain slashes, as DOIs do, so the rest of the path is the id.
@router.get(
    "/documents/{document_id:path}", response_model=DocumentModel, responses=documented(404)
)
def show_document(document_id: str, service: ServiceOf, _client: Reader) -> dict[str, Any]:
    """Show one document."""
    return _to_dict(documents.require_document(service, document_id))


@router.delete("/documents/{document_id:path}", status_code=204, responses=documented(404, 409))
def remove_document(document_id: str, service: ServiceOf, _client: Writer) -> Response:
    """Remove one document; later searches do not find it."""
    documents.remove_document(service, document_id)
    return Response(status_code=204)


def _to_dict(document: Document) -> dict[str, Any]:
    return {
        "id": document.id,
        "title": document.title,
        "abstract": document.abstract,
        "sentences": list(document.sentences),
        "metadata": metadata_dict(document.meta),
    }
