"""Reads a JSON object key by key; a value that is missing or of the wrong kind is named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from claimscope.errors import FormatError

_REQUIRED: Any = object()
_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


@dataclass(frozen=True, slots=True)
class JsonRecord:
    """A JSON object, what it is a part of, and the place where it stands in that."""

    values: Any
    what: str
    """Such as "saved case"."""
    place: str = ""
    """The keys that lead to it, such as "candidates[0].metadata."."""

    def __post_init__(self) -> None:
        if not isinstance(self.values, dict):
            name = self.place.rstrip(".") or "it"
            problem = "is missing" if self.values is None else "must be an object"
            raise FormatError(f"The {self.what} is malformed: {name} {problem}; make it again.")

    def wrong(self, key: str, problem: str) -> FormatError:
        """Make the error for a key."""
        where = f"{self.place}{key}"
        return FormatError(f"The {self.what} is malformed: {where} {problem}; make it again.")

    def get(self, key: str, kind: type[Any], default: Any = _REQUIRED) -> Any:
        """Give the value of a key; where it is absent or null, the default if there is one."""
        value = self.values.get(key)
        if value is None:
            if default is _REQUIRED:
                raise self.wrong(key, "is missing")
            return default
        known = (int, float) if kind is float else kind
        if not isinstance(value, known) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(key, f"must be {_NAMES.get(kind, 'a list')}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Give a list of texts, empty where it is absent."""
        found = self.get(key, list, [])
        if not all(isinstance(item, str) for item in found):
            raise self.wrong(key, "must hold texts only")
        return tuple(found)

    def choice(self, key: str, known: Iterable[str]) -> str:
        """Give one of several texts."""
        value: str = self.get(key, str)
        if value not in known:
            raise self.wrong(key, f"must be one of {', '.join(known)}")
        return value

    def child(self, key: str) -> JsonRecord:
        """Give the object under a key."""
        return JsonRecord(self.values.get(key), self.what, f"{self.place}{key}.")

    def part(self, key: str) -> JsonRecord | None:
        """Give the object under a key, or None where it is absent."""
        return None if self.values.get(key) is None else self.child(key)

    def children(self, key: str) -> Iterator[JsonRecord]:
        """Give the objects of a list, which is empty where it is absent."""
        for number, item in enumerate(self.get(key, list, [])):
            yield JsonRecord(item, self.what, f"{self.place}{key}[{number}].")


def rounded(value: float | None) -> float | None:
    """Keep six digits, so that a result does not hang on the last bit of a sum."""
    return None if value is None else round(value, 6)
