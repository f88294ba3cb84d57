"""Look for papers, and ask why one was not used."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query

from claimscope.claims import LONGEST_CLAIM, read_claim
from claimscope.service.models import ASPIRIN, SearchModel, WhyModel
from claimscope.service.problems import documented
from claimscope.service.routes.documents import require_document
from claimscope.service.security import Reader
from claimscope.service.state import ServiceOf

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
    [hits] = service.library.search([query], limit)
    found = service.ledger.store.get([hit.document_id for hit in hits])
    # A paper removed since the search is passed over.
    kept = [(hit, found[hit.document_id]) for hit in hits if hit.document_id in found]
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
            for rank, (hit, document) in enumerate(kept, start=1)
        ],
    }


@router.get("/why", response_model=WhyModel, responses=documented(404))
async def why(
    service: ServiceOf,
    _client: Reader,
    claim: Annotated[str, Query(max_length=LONGEST_CLAIM, examples=[ASPIRIN])],
    document: Annotated[str, Query(max_length=1_000, examples=["pmid:2899772"])],
) -> dict[str, Any]:
    """Say what became of one document on its way through the pipeline."""
    require_document(service, document)
    return asdict(await service.batcher.why(claim, document))
