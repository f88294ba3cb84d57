"""The joint verifier: a claim and a whole abstract in, a label and a score a sentence out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tokenizers import Tokenizer

from claimscope.models.encoding import too_long
from claimscope.types import LabelProbabilities, Score


@dataclass(frozen=True, slots=True)
class Abstract:
    """A claim beside the abstract it is to be checked against."""

    claim: str
    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """What a verifier says of an abstract."""

    labels: LabelProbabilities
    sentences: tuple[Score, ...]
    """For each sentence, how likely it carries the evidence."""


class JointVerifier(Protocol):
    """A model that labels abstracts and scores their sentences in one pass."""

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        """Verify abstracts, each with at least one sentence, in their order."""


@dataclass(frozen=True, slots=True)
class Separated:
    """A claim, a title and sentences as one sequence of token ids with separators."""

    ids: tuple[int, ...]
    attended: tuple[int, ...]
    """1 where a token sees, and is seen from, everywhere: the start, the claim, the separators."""
    ends: tuple[int, ...]
    """Where the separator after each sentence stands."""


@dataclass(frozen=True)
class SeparatedEncoder:
    """Encodes `<s> claim </s> title </s> sentence </s> … </s>` (MultiVerS, section 3).

    A document without a title has no place for one. Where all is too long, the longest sentences
    are cut first, so that every sentence keeps its separator, as the published code does.
    """

    tokenizer: Tokenizer
    start: int
    separator: int
    max_length: int

    def encode(self, abstract: Abstract) -> Separated:
        """Encode one abstract."""
        head = [self.start, *self._ids(abstract.claim), self.separator]
        title = [*self._ids(abstract.title), self.separator] if abstract.title else []
        sentences = [self._ids(sentence) for sentence in abstract.sentences]
        room = self.max_length - len(head) - len(title) - len(sentences)
        if room < len(sentences):
            title, room = [], room + len(title)
        if room < len(sentences):
            raise too_long(abstract.claim, self.max_length)
        return self._joined(head, title, cut_longest(sentences, room))

    def _joined(
        self, head: list[int], title: list[int], sentences: Sequence[Sequence[int]]
    ) -> Separated:
        ids = [*head, *title]
        ends = []
        for sentence in sentences:
            ids += [*sentence, self.separator]
            ends.append(len(ids) - 1)
        attended = tuple(
            int(place < len(head) or token == self.separator) for place, token in enumerate(ids)
        )
        return Separated(tuple(ids), attended, tuple(ends))

    def _ids(self, text: str) -> list[int]:
        return list(self.tokenizer.encode(text, add_special_tokens=False).ids)


def cut_longest(sentences: Sequence[Sequence[int]], room: int) -> list[Sequence[int]]:
    """Cut the longest sentences to one common length, so that all fit into the room."""
    if sum(map(len, sentences)) <= room:
        return list(sentences)
    length = max(map(len, sentences))
    while sum(min(len(sentence), length) for sentence in sentences) > room:
        length -= 1
    return [sentence[:length] for sentence in sentences]
