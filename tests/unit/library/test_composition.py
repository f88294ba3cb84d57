"""Records added one by one, in any order, make the paper that they make together."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from claimscope.library.composition import Composition
from claimscope.types import Document, Metadata

SHORT = st.text("ab", max_size=3)
MAYBE = st.none() | st.text("ab", min_size=1, max_size=2)
META = st.builds(
    Metadata,
    doi=MAYBE,
    year=st.none() | st.integers(2000, 2003),
    authors=st.lists(SHORT, max_size=2).map(tuple),
    publication_types=st.lists(SHORT, max_size=3).map(tuple),
    retracted=st.booleans(),
    note=MAYBE,
    source=MAYBE,
)
RECORDS = st.lists(st.tuples(SHORT, SHORT, META), min_size=2, max_size=6).map(
    lambda values: [
        Document(str(n), title, text, ((0, len(text)),), meta)
        for n, (title, text, meta) in enumerate(values)
    ]
)


def two(kept: Document, other: Document) -> Document:
    """Merge two records by the rules as they are written down."""
    fuller = other if len(other.abstract) > len(kept.abstract) else kept
    mine, its = kept.meta, other.meta
    types = dict.fromkeys((*mine.publication_types, *its.publication_types))
    meta = Metadata(
        doi=mine.doi or its.doi,
        year=mine.year or its.year,
        authors=max(mine.authors, its.authors, key=len),
        publication_types=tuple(types),
        retracted=mine.retracted or its.retracted,
        note=fuller.meta.note,
        source=mine.source or its.source,
    )
    title = kept.title or other.title
    return replace(kept, title=title, abstract=fuller.abstract, spans=fuller.spans, meta=meta)


@given(RECORDS, st.data())
def test_any_order_gives_the_fold_over_the_kept_record_and_the_rest_by_id(
    records: list[Document], data: st.DataObject
) -> None:
    kept = data.draw(st.sampled_from(records))
    composition = Composition(kept.id, data.draw(st.permutations(records)))
    assert composition.document == reduce(two, [kept, *(each for each in records if each != kept)])
