"""Search the library, and explain why a document was not used."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query

from claimscope.claims.reading import LONGEST_CLAIM, read_claim
from claimscope.service import documents
from claimscope.service.api.check import PresetQuery
from claimscope.service.problems import documented
from claimscope.service.schemas import ASPIRIN, SearchModel, WhyModel
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
    """Rank the library's documents by BM25, without checking a claim."""
    query = read_claim(q).text
    found = documents.search(service, query, limit)
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
            for rank, (hit, document) in enumerate(found, start=1)
        ],
    }


@router.get("/why", response_model=WhyModel, responses=documented(404))
async def why(
    service: ServiceOf,
    _client: Reader,
    claim: Annotated[str, Query(max_length=LONGEST_CLAIM, examples=[ASPIRIN])],
    document: Annotated[str, Query(max_length=1_000, examples=["pmid:2899772"])],
    preset: PresetQuery = None,
) -> dict[str, Any]:
    """Explain what happened to one document at each stage of the pipeline."""
    documents.require_document(service, document)
    return asdict(await service.presets.named(preset).why(claim, document))
