"""Look for papers, and ask why one was not used."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query

from claimscope.claims.reading import LONGEST_CLAIM, read_claim
from claimscope.library.protocol import Hit
from claimscope.service.api.checking import PresetQuery
from claimscope.service.api.documents import require_document
from claimscope.service.models import ASPIRIN, SearchModel, WhyModel
from claimscope.service.problems import documented
from claimscope.service.security import Reader
from claimscope.service.state import Service, ServiceOf
from claimscope.types import Document

router = APIRouter(tags=["search"])


@router.get("/search", response_model=SearchModel, responses=documented())
def search(
    service: ServiceOf,
    _client: Reader,
    q: Annotated[str, Query(max_length=LONGEST_CLAIM, examples=["aspirin heart attack"])],
    limit: Annotated[int, Query(ge=1, le=200)] = 10,
) -> dict[str, Any]:
    """Rank the library's papers by BM25, without judging them."""
    query = read_claim(q).text
    return {
        "query": query,
        "results": [
            {
                "rank": rank,
                "id": document.id,
                "title": document.title,
                "year": document.meta.year,
                "retracted": document.meta.retracted,
                "score": round(hit.score, 6),
            }
            for rank, (hit, document) in enumerate(find(service, query, limit), start=1)
        ],
    }


def find(service: Service, query: str, limit: int) -> list[tuple[Hit, Document]]:
    """Give the best papers for a query; one removed since the search is passed over."""
    [hits] = service.library.search([query], limit)
    found = service.ledger.store.get([hit.document_id for hit in hits])
    return [(hit, found[hit.document_id]) for hit in hits if hit.document_id in found]


@router.get("/why", response_model=WhyModel, responses=documented(404))
async def why(
    service: ServiceOf,
    _client: Reader,
    claim: Annotated[str, Query(max_length=LONGEST_CLAIM, examples=[ASPIRIN])],
    document: Annotated[str, Query(max_length=1_000, examples=["pmid:2899772"])],
    preset: PresetQuery = None,
) -> dict[str, Any]:
    """Say what became of one document on its way through the pipeline."""
    require_document(service, document)
    return asdict(await service.offered.named(preset).why(claim, document))
