"""What libraries in a folder and on a server do alike: finding papers by name, and closing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from claimscope.errors import InputError
from claimscope.library.naming import MOST_ALIKE, only_one, with_title_words
from claimscope.library.protocol import Hit
from claimscope.types import Document

if TYPE_CHECKING:
    from claimscope.library.filters import Filter


class Lookup(ABC):
    """A library that finds a paper by what a person calls it, and closes at the end of a block."""

    @property
    @abstractmethod
    def location(self) -> str:
        """Path or URL that opens this library again."""

    @abstractmethod
    def present(self, ids: Sequence[str]) -> dict[str, Document]:
        """Give those of these documents that exist, in this order."""

    @abstractmethod
    def named(self, words: str) -> list[str]:
        """Give the ids of the papers that a text names: by id, DOI, PubMed id, URL or title."""

    @abstractmethod
    def search(
        self, queries: Sequence[str], k: int, where: Filter | None = None
    ) -> list[list[Hit]]:
        """Rank by BM25 the k best documents for each query; ties are broken by id."""

    @abstractmethod
    def close(self) -> None:
        """Close files and connections, and release locks."""

    @abstractmethod
    def _kept_as(self, name: str) -> str | None:
        """Give the id of the paper into which a record was merged."""

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Give the documents with these ids, in this order; an unknown id raises `InputError`."""
        found = self.present(ids)
        for missing in ids:
            if missing not in found:
                raise self._unknown(missing)
        return [found[name] for name in ids]

    def find(self, words: str) -> Document:
        """Give the paper with this id, DOI, PubMed id, URL or title, or with these words in it.

        The names of records that were merged into a paper lead to it. If there is no such paper,
        or several are, it raises `InputError`.
        """
        ids = self.named(words) or self._titled(words)
        return self.get([only_one(ids, words, self.location)])[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _titled(self, words: str) -> list[str]:
        hits = self.search([words], MOST_ALIKE)[0]
        return with_title_words(self.present([hit.document_id for hit in hits]), words)

    def _unknown(self, missing: str) -> InputError:
        kept = self._kept_as(missing)
        hint = (
            f"it is the same paper as {kept!r} and kept under that id"
            if kept
            else "'claimscope library list' shows the ids there are"
        )
        return InputError(f"There is no document {missing!r} in {self.location}; {hint}.")
