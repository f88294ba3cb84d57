"""Keeps replies of language models by the content of the request, so that a rerun is the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from claimscope._files import written_whole


@dataclass(frozen=True, slots=True)
class Replies:
    """A folder with one file for each request; deleting it forgets them all."""

    folder: Path | None
    """None keeps nothing."""

    @classmethod
    def default(cls) -> Replies:
        """Give the folder of this user's cache."""
        return cls(user_cache_path("claimscope", appauthor=False) / "replies")

    def get(self, url: str, request: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Give the kept reply to a request; a file that cannot be read counts as absent."""
        path = self._path(url, request)
        try:
            kept = json.loads(path.read_text("utf-8")) if path and path.is_file() else None
        except (OSError, ValueError, RecursionError):
            return None
        return kept if isinstance(kept, dict) else None

    def put(self, url: str, request: Mapping[str, Any], reply: Mapping[str, Any]) -> None:
        """Keep the reply to a request."""
        if (path := self._path(url, request)) is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            with written_whole(path) as partial:
                partial.write_text(json.dumps(reply, ensure_ascii=False), "utf-8")

    def _path(self, url: str, request: Mapping[str, Any]) -> Path | None:
        if self.folder is None:
            return None
        content = json.dumps([url, request], sort_keys=True).encode()
        name = hashlib.blake2b(content, digest_size=20).hexdigest()
        return self.folder / name[:2] / f"{name}.json"
