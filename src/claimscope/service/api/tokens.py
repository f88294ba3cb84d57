"""List, create and revoke access tokens; needs a token with the scope admin."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, ConfigDict, Field

from claimscope.service.jobs.tokens import Scope, Token
from claimscope.service.problems import ServiceError, documented
from claimscope.service.schemas import NewTokenModel, TokenListModel
from claimscope.service.security import Administrator
from claimscope.service.state import ServiceOf

router = APIRouter(tags=["tokens"])


class TokenRequest(BaseModel):
    """A token to create."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=200, examples=["newsroom"])
    scope: Scope = Scope.READ


@router.get("/tokens", response_model=TokenListModel, responses=documented())
def list_tokens(service: ServiceOf, _client: Administrator) -> dict[str, Any]:
    """List the tokens by name, without their secrets."""
    return {"tokens": [_to_dict(token) for token in service.tokens.all()]}


@router.post("/tokens", status_code=201, response_model=NewTokenModel, responses=documented())
def create_token(
    request: TokenRequest, service: ServiceOf, _client: Administrator
) -> dict[str, Any]:
    """Create a token; this answer is the only one that shows it."""
    text = service.tokens.create(request.name, request.scope)
    made = service.tokens.find(text)
    if made is None:
        raise ServiceError(
            503, "The token was revoked while it was being created; create another.", 1
        )
    return {**_to_dict(made), "token": text}


@router.delete("/tokens/{token_id}", status_code=204, responses=documented(404))
def revoke_token(
    token_id: Annotated[str, Path(max_length=200)], service: ServiceOf, _client: Administrator
) -> Response:
    """Revoke a token at once."""
    names = {token.id: token.name for token in service.tokens.all()}
    if token_id not in names or not service.tokens.revoke(names[token_id]):
        raise ServiceError(404, "There is no such token; GET /api/v1/tokens lists all tokens.")
    return Response(status_code=204)


def _to_dict(token: Token) -> dict[str, Any]:
    return {"id": token.id, "name": token.name, "scope": token.scope.value}
