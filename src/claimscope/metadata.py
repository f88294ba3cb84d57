"""The fields of a paper's metadata: what each is called, where it is shown and how.

The library, the JSON form and the REST API take the fields from `Metadata`; readers of tables and
JSON lines, exports, pages and the terminal take them from `FIELDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, get_type_hints

from claimscope._identifiers import find_count
from claimscope._languages import language_name
from claimscope.types import Metadata

NOTICES = " | "
"""What stands between the notices of a paper in one cell or line."""
CONCERN, CORRECTION = "Expression of concern", "Correction"
"""How notices begin that retract nothing."""
_HINTS = get_type_hints(Metadata)


class Place(Enum):
    """Where a field is shown."""

    PUBLICATION = auto()
    """Beside the title."""
    STUDY = auto()
    """Beside the title and among the details; in tables, a column of its own."""
    LINK = auto()
    """As a link."""
    DETAIL = auto()
    """Among the details of one paper."""
    CAUTION = auto()
    """Before a reader trusts the paper."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of `Metadata`, as people see it."""

    name: str
    label: str
    place: Place
    words: str = "{}"
    """How the value reads beside the title."""
    columns: str = ""
    """Further headings of the column in tables, in lower case, without spaces and punctuation."""
    show: Callable[[Any], str] = str
    """How the value reads among the details."""

    def read(self, text: str) -> Any:
        """Read the value from a text; a number that is none is left out."""
        return find_count(text) if _HINTS[self.name] == int | None else text or None


FIELDS = (
    Field("venue", "Venue", Place.PUBLICATION),
    Field("year", "Year", Place.PUBLICATION),
    Field("study_type", "Study type", Place.STUDY, columns="studydesign"),
    Field(
        "sample_size",
        "Sample size",
        Place.STUDY,
        words="n = {:,}",
        columns="samplesizen numberofparticipants",
    ),
    Field("population", "Population", Place.STUDY, columns="studypopulation patientpopulation"),
    Field("doi", "DOI", Place.LINK),
    Field("pmid", "PMID", Place.LINK),
    Field("url", "URL", Place.LINK),
    Field("authors", "Authors", Place.DETAIL, show="; ".join),
    Field("language", "Language", Place.DETAIL, show=language_name),
    Field("publication_types", "Publication types", Place.DETAIL, show="; ".join),
    Field("tags", "Tags", Place.DETAIL, show="; ".join),
    Field("citation_key", "Citation key", Place.DETAIL),
    Field("source", "File", Place.DETAIL),
    Field("note", "Note", Place.CAUTION),
    Field("retracted", "Retracted", Place.CAUTION, show=lambda _: "yes"),
    Field("notices", "Notices", Place.CAUTION, show=NOTICES.join),
)
"""Every field, in the order in which they are shown."""

STUDY = tuple(field for field in FIELDS if field.place is Place.STUDY)


def facts(meta: Metadata) -> tuple[str, ...]:
    """Give the facts shown with a title: venue, year and study details."""
    return tuple(
        field.words.format(value)
        for field in FIELDS
        if field.place in (Place.PUBLICATION, Place.STUDY) and (value := getattr(meta, field.name))
    )


def details(meta: Metadata, *places: Place) -> dict[str, str]:
    """Give the fields of some places that are known, by label."""
    known = ((field, getattr(meta, field.name)) for field in FIELDS if field.place in places)
    return {field.label: field.show(value) for field, value in known if value}


def read_study(text_of: Callable[[str], str]) -> dict[str, Any]:
    """Read the fields about the study from a record that gives texts by name."""
    return {field.name: field.read(text_of(field.name)) for field in STUDY}
