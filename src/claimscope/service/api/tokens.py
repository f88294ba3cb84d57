"""Access tokens over HTTP, for those whose own token may do everything."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, ConfigDict, Field

from claimscope.service.jobs.tokens import Scope, Token
from claimscope.service.models import NewTokenModel, TokenListModel
from claimscope.service.problems import ServiceError, documented
from claimscope.service.security import Administrator
from claimscope.service.state import ServiceOf

router = APIRouter(tags=["tokens"])


class TokenRequest(BaseModel):
    """A token to make."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=200, examples=["newsroom"])
    scope: Scope = Scope.READ


@router.get("/tokens", response_model=TokenListModel, responses=documented())
def list_tokens(service: ServiceOf, _client: Administrator) -> dict[str, Any]:
    """List the tokens by name; none of them can be shown again."""
    return {"tokens": [_shown(token) for token in service.tokens.all()]}


@router.post("/tokens", status_code=201, response_model=NewTokenModel, responses=documented())
def create_token(
    request: TokenRequest, service: ServiceOf, _client: Administrator
) -> dict[str, Any]:
    """Make a token and show it, for the only time."""
    text = service.tokens.create(request.name, request.scope)
    made = service.tokens.find(text)
    if made is None:
        raise ServiceError(503, "The token was revoked while it was made; make another.", 1)
    return {**_shown(made), "token": text}


@router.delete("/tokens/{token_id}", status_code=204, responses=documented(404))
def revoke_token(
    token_id: Annotated[str, Path(max_length=200)], service: ServiceOf, _client: Administrator
) -> Response:
    """Make a token worthless, at once."""
    names = {token.id: token.name for token in service.tokens.all()}
    if token_id not in names or not service.tokens.revoke(names[token_id]):
        raise ServiceError(404, "There is no such token; /api/v1/tokens lists them by id.")
    return Response(status_code=204)


def _shown(token: Token) -> dict[str, Any]:
    return {"id": token.id, "name": token.name, "scope": token.scope.value}
