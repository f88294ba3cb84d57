"""Asks a preset's judge what given papers say of given claims, and remembers the answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimscope._files import written_whole
from claimscope._version import __version__
from claimscope.checker import Checker
from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.pipeline.stage import Kind, Part, describe
from claimscope.types import (
    Candidate,
    Case,
    Claim,
    Document,
    LabelProbabilities,
    RationaleSentence,
    Score,
)

Pair = tuple[str, Document]
"""A claim and the paper to ask about it."""
OnProgress = Callable[[int, int], None]
"""Told how many of how many are done."""
_BATCH = 16


def ignore_progress(done: int, total: int) -> None:
    """Tell nobody."""


class Answers:
    """Answers of earlier audits of one manuscript, in one file; those not used again are dropped.

    The file is a copy of what can be computed, so one that cannot be read counts as empty.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known = _read(path)
        self._used: dict[str, Any] = {}
        self.reused = 0

    def get(self, key: str) -> Any:
        """Give the answer kept under a key, or None."""
        found = self._used.get(key, self._known.get(key))
        if found is not None:
            self._used[key] = found
            self.reused += 1
        return found

    def put(self, key: str, answer: Any) -> None:
        """Keep an answer."""
        self._used[key] = answer

    def save(self) -> None:
        """Write the answers that this audit used."""
        if self._path is None or self._used == self._known:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(self._path) as partial:
            partial.write_text(json.dumps(self._used, ensure_ascii=False), "utf-8")


def _read(path: Path | None) -> dict[str, Any]:
    if path is None or not path.is_file():
        return {}
    try:
        known = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}


def key_of(*parts: object) -> str:
    """Give a key that is the same for the same parts only."""
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=16).hexdigest()


class PaperJudge:
    """Judges claims against papers that were named, with a preset's selector and judge."""

    def __init__(
        self, checker: Checker, answers: Answers, on_progress: OnProgress = ignore_progress
    ) -> None:
        self._on_progress = on_progress
        self._stages = [
            stage for stage in checker.pipeline.stages if stage.kind in {Kind.SELECT, Kind.JUDGE}
        ]
        if not any(Part.LABELS in stage.provides for stage in self._stages):
            raise ConfigurationError(
                f"Preset {checker.preset.name} judges no papers, so it cannot audit citations; "
                "choose another preset."
            )
        self._answers = answers
        self.identity = key_of(__version__, [describe(stage) for stage in self._stages])

    def judge(self, pairs: Sequence[Pair]) -> list[Candidate]:
        """Judge every pair; those known from before are not read again."""
        keys = [key_of(self.identity, claim, _content(document)) for claim, document in pairs]
        known = {key: self._answers.get(key) for key in keys}
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if known[key] is None}
        for key, case in zip(new, self._run(list(new.values())), strict=True):
            known[key] = _to_plain(case.candidates[0])
            self._answers.put(key, known[key])
        return [_from_plain(known[key], pair[1]) for key, pair in zip(keys, pairs, strict=True)]

    def _run(self, pairs: Sequence[Pair]) -> Iterator[Case]:
        for start in range(0, len(pairs), _BATCH):
            self._on_progress(start, len(pairs))
            batch = pairs[start : start + _BATCH]
            cases = [Case(Claim(text), (Candidate(document),)) for text, document in batch]
            for stage in self._stages:
                cases = stage.run(cases)
            yield from cases
        self._on_progress(len(pairs), len(pairs))


def _content(document: Document) -> list[Any]:
    return [document.id, document.title, document.abstract, document.spans]


def _to_plain(candidate: Candidate) -> dict[str, Any]:
    labels = candidate.labels or LabelProbabilities(0.0, 0.0, 1.0)
    return {
        "labels": [labels.supports, labels.refutes, labels.not_enough_info],
        "decided": labels.decided.value if labels.decided else None,
        "rationale": [
            [item.index, item.score.raw, item.score.probability] for item in candidate.rationale
        ],
        "abstained": candidate.abstained,
    }


def _from_plain(values: dict[str, Any], document: Document) -> Candidate:
    supports, refutes, neither = values["labels"]
    decided = Label(values["decided"]) if values["decided"] else None
    return Candidate(
        document,
        rationale=tuple(
            RationaleSentence(index, Score(raw, probability))
            for index, raw, probability in values["rationale"]
        ),
        labels=LabelProbabilities(supports, refutes, neither, decided),
        abstained=values["abstained"],
    )


@dataclass(frozen=True, slots=True)
class CacheFolder:
    """Where the answers for manuscripts are kept."""

    folder: Path

    @classmethod
    def default(cls) -> CacheFolder:
        """Give the folder of this user's cache."""
        import platformdirs

        return cls(Path(platformdirs.user_cache_dir("claimscope")) / "audits")

    def answers(self, manuscript: Path) -> Answers:
        """Open the answers for one manuscript."""
        return Answers(self.folder / f"{key_of(str(manuscript.resolve()))}.json")
