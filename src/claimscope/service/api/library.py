"""Search the library; list, show and remove documents; explain why one was not used."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from claimscope.case_json import metadata_dict
from claimscope.claims.reading import LONGEST_CLAIM, read_claim
from claimscope.service import documents
from claimscope.service.api.check import PresetQuery
from claimscope.service.batching import while_connected
from claimscope.service.case_schemas import ASPIRIN
from claimscope.service.problems import documented
from claimscope.service.schemas import (
    DocumentListModel,
    DocumentModel,
    SearchModel,
    WhyModel,
)
from claimscope.service.security import Reader, Writer
from claimscope.service.state import ServiceOf
from claimscope.types import Document

router = APIRouter()


@router.get("/search", tags=["search"], response_model=SearchModel, responses=documented())
async def search(
    service: ServiceOf,
    _client: Reader,
    q: Annotated[str, Query(max_length=LONGEST_CLAIM, examples=["aspirin heart attack"])],
    limit: Annotated[int, Query(ge=1, le=200)] = 10,
) -> dict[str, Any]:
    """Rank the library's documents by BM25, without checking a claim."""
    query = read_claim(q).text
    found = await service.searches.run(lambda: documents.search(service, query, limit))
    return {
        "query": query,
        "results": [
            {
                "rank": rank,
                "id": document.id,
                "title": document.title,
                "year": document.meta.year,
                "retracted": document.meta.retracted,
                "notices": document.meta.notices,
                "score": round(hit.score, 6),
            }
            for rank, (hit, document) in enumerate(found, start=1)
        ],
    }


@router.get("/why", tags=["search"], response_model=WhyModel, responses=documented(404))
async def why(
    http: Request,
    service: ServiceOf,
    _client: Reader,
    claim: Annotated[str, Query(max_length=LONGEST_CLAIM, examples=[ASPIRIN])],
    document: Annotated[str, Query(max_length=1_000, examples=["pmid:2899772"])],
    preset: PresetQuery = None,
) -> dict[str, Any]:
    """Explain what happened to one document at each stage of the pipeline."""
    documents.require_document(service, document)
    work = service.presets.named(preset).why(claim, document)
    return asdict(await while_connected(http, work))


@router.get(
    "/documents", tags=["documents"], response_model=DocumentListModel, responses=documented()
)
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
    "/documents/{document_id:path}",
    tags=["documents"],
    response_model=DocumentModel,
    responses=documented(404),
)
def show_document(document_id: str, service: ServiceOf, _client: Reader) -> dict[str, Any]:
    """Show one document."""
    return _to_dict(documents.require_document(service, document_id))


@router.delete(
    "/documents/{document_id:path}",
    tags=["documents"],
    status_code=204,
    responses=documented(404, 409),
)
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
        "depth": document.depth,
    }
