"""What an earlier synchronisation read, so that the next one asks for changes only."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Self

from claimscope._files import written_whole


@dataclass
class SyncState:
    """What is known of one library of Zotero; without it everything is read again."""

    library: str
    """Which of Zotero's libraries it is."""
    versions: dict[str, int] = field(default_factory=dict)
    """By the key of an item that was read."""
    newest: str = ""
    """When the newest item was changed."""
    collections: dict[str, list[str]] = field(default_factory=dict)
    """The collections of each item that is in any."""
    full_texts: dict[str, int] = field(default_factory=dict)
    """The version of each attachment's text that was read."""
    parents: dict[str, str] = field(default_factory=dict)
    """The item that each attachment with a text belongs to."""

    @classmethod
    def load(cls, path: Path, library: str) -> Self:
        """Read the state; one that is missing, broken or of another library is begun anew."""
        try:
            state = cls(**json.loads(path.read_bytes()))
        except (OSError, ValueError, TypeError):
            return cls(library)
        return state if state.library == library else cls(library)

    def save(self, path: Path) -> None:
        """Write the state, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as partial:
            partial.write_text(json.dumps(asdict(self)), "utf-8")
