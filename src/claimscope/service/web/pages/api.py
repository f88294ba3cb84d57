"""The documentation of the REST API, made from its own OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from claimscope.service.settings import API
from claimscope.service.web.rendering import page
from claimscope.service.web.session import PageReader

router = APIRouter(include_in_schema=False)
_METHODS = ("get", "post", "put", "delete")
_REFERENCE = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter of an address, or a field of an object."""

    name: str
    place: str
    kind: str
    is_required: bool
    words: str


@dataclass(frozen=True, slots=True)
class Operation:
    """An address with a method."""

    method: str
    path: str
    words: str
    parameters: tuple[Field, ...]
    body: str
    answers: tuple[tuple[str, str, str], ...]
    """Status, what it is, and the kind of what is answered."""

    @property
    def anchor(self) -> str:
        """The name by which other pages link to it."""
        return f"{self.method}-{self.path.removeprefix(API).strip('/')}".replace("/", "-")


@router.get("/docs")
async def show_api(request: Request, visitor: PageReader) -> Response:
    """Show every address of the API with its parameters, body and answers."""
    described = request.app.openapi()
    return page(
        request,
        visitor,
        "api.html.j2",
        "",
        groups=_groups(described),
        objects=dict(_objects(described)),
        address=str(request.base_url).rstrip("/"),
    )


def _groups(described: Mapping[str, Any]) -> dict[str, list[Operation]]:
    groups: dict[str, list[Operation]] = {}
    for path, item in described["paths"].items():
        for method in (name for name in _METHODS if name in item):
            found = item[method]
            name = next(iter(found.get("tags", ())), path.removeprefix(API).split("/")[1])
            groups.setdefault(name, []).append(_operation(method, path, found))
    return groups


def _operation(method: str, path: str, found: Mapping[str, Any]) -> Operation:
    parameters = tuple(
        Field(
            each["name"],
            each["in"],
            kind_of(each.get("schema", {})),
            each.get("required", False),
            each.get("description", ""),
        )
        for each in found.get("parameters", ())
    )
    answers = tuple(
        (status, answer.get("description", ""), _content(answer))
        for status, answer in sorted(found.get("responses", {}).items())
        if status.startswith("2")
    )
    words = found.get("description") or found.get("summary", "")
    return Operation(
        method.upper(), path, words, parameters, _content(found.get("requestBody", {})), answers
    )


def _content(holder: Mapping[str, Any]) -> str:
    """Say what a body holds: its media types, and the object where there is one."""
    kinds = [
        kind_of(content.get("schema", {})) if media == "application/json" else media
        for media, content in holder.get("content", {}).items()
    ]
    return " or ".join(dict.fromkeys(kinds))


def kind_of(schema: Mapping[str, Any]) -> str:
    """Name a kind of value in words."""
    if reference := schema.get("$ref"):
        return str(reference).removeprefix(_REFERENCE)
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(map(kind_of, schema[several])))
    if "enum" in schema:
        return " or ".join(map(repr, schema["enum"]))
    if "const" in schema:
        return repr(schema["const"])
    kind = schema.get("type", "any")
    return f"list of {kind_of(schema.get('items', {}))}" if kind == "array" else str(kind)


def _objects(described: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, list[Field]]]]:
    for name, schema in sorted(described["components"]["schemas"].items()):
        required = schema.get("required", ())
        fields = [
            Field(key, "", kind_of(value), key in required, value.get("description", ""))
            for key, value in schema.get("properties", {}).items()
        ]
        if fields:
            yield name, (schema.get("description", ""), fields)
